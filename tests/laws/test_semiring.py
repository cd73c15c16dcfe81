"""Every domain keeps the semiring laws, and `check_laws` names the law that a broken one breaks."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from knaster.base.errors import UsageError
from knaster.pushdown.domains.affine import AffineRelations
from knaster.pushdown.domains.aliases import PointerAliases
from knaster.pushdown.domains.bitmatrix import BitRelations
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.constants import TOP, CopyConstants
from knaster.pushdown.domains.functions import FunctionSpace
from knaster.pushdown.domains.genkill import GenKill
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.linear import Arithmetic, Rationals
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.domains.product import Product
from knaster.pushdown.domains.relations import BddRelations
from knaster.pushdown.domains.shortest import Shortest, ShortestPaths
from knaster.pushdown.domains.term_pairs import NULL, TermPairs
from knaster.pushdown.domains.touched_nodes import Touched, Touching
from knaster.pushdown.domains.weighted_relations import WeightedRelations
from knaster.pushdown.laws import check_laws
from knaster.pushdown.semiring import (
    Semiring,
    difference,
    is_below,
    require_weight,
    star,
    star_by_differences,
    star_by_squaring,
)

EXAMPLES = 12 * int(os.environ.get("KNASTER_EXAMPLES", "1"))


@dataclass(frozen=True)
class Case:
    """A domain, a way to draw its weights, and values that are no weights of it."""

    domain: Any
    weights: SearchStrategy[Any]
    foreign: tuple[object, ...]


def _booleans() -> Case:
    return Case(Boolean(), st.booleans(), (1, None))


def _lengths() -> Case:
    return Case(MinPath(), st.one_of(st.integers(0, 9), st.just(inf)), (-1, 0.5, True, "1"))


def _shortest(limit: int) -> Case:
    domain = ShortestPaths(limit)
    steps = st.builds(domain.step, st.sampled_from("ab"), st.integers(0, 2))
    weights = st.recursive(
        st.one_of(steps, st.sampled_from([domain.zero, domain.one])),
        lambda inner: st.one_of(st.builds(domain.combine, inner, inner), st.builds(domain.extend, inner, inner)),
        max_leaves=6,
    )
    return Case(domain, weights, (Shortest(inf, ((),)), Shortest(1, (("b",), ("a",))), 3))


def _matrices() -> Case:
    domain = BitRelations("abcd")
    pairs = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), max_size=8)
    return Case(domain, st.builds(domain.relation, pairs), (BitRelations("abc").one, None))


def _diagrams() -> Case:
    domain = BddRelations(["x", "y"])
    variables = [domain.store.var(index) for name in ("x", "y") for index in (domain.before[name], domain.after[name])]
    functions = st.recursive(
        st.sampled_from([*variables, domain.store.true, domain.store.false]),
        lambda inner: st.one_of(
            st.builds(lambda a, b: a & b, inner, inner),
            st.builds(lambda a, b: a | b, inner, inner),
            st.builds(lambda a: ~a, inner),
        ),
        max_leaves=10,
    )
    return Case(domain, st.builds(domain.relation, functions), (BddRelations(["x", "y"]).one, domain.store.true))


def _weighted() -> Case:
    domain = WeightedRelations("abc", MinPath())
    entries = st.dictionaries(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), st.integers(0, 5), max_size=6)
    return Case(domain, st.builds(domain.relation, entries), (WeightedRelations("ab", MinPath()).one, {}))


def _genkill(must: bool) -> Case:
    domain = GenKill("pqr", must)
    facts = st.sets(st.sampled_from("pqr"))
    weights = st.one_of(st.builds(domain.transformer, facts, facts), st.just(domain.zero))
    return Case(domain, weights, (GenKill("pq").one, None))


def _constants() -> Case:
    domain = CopyConstants("xyz")
    source = st.sampled_from([1, 2, "x", "y", "z", TOP])
    sources = st.lists(source, min_size=1, max_size=3).map(tuple)
    weights = st.builds(domain.assign, st.dictionaries(st.sampled_from("xyz"), sources))
    return Case(domain, st.one_of(weights, st.just(domain.zero)), (CopyConstants("xy").one, 5))


def _products() -> Case:
    left, right = _matrices(), _lengths()
    domain = Product(left.domain, right.domain)
    return Case(domain, st.tuples(left.weights, right.weights), (left.domain.one, (right.domain.one, left.domain.one)))


def _affine(arithmetic: Arithmetic) -> Case:
    domain = AffineRelations("xy", arithmetic)
    expressions = st.one_of(
        st.none(),
        st.tuples(st.integers(-4, 4), st.dictionaries(st.sampled_from("xy"), st.integers(-2, 4))),
    )
    statements = st.builds(domain.assign, st.dictionaries(st.sampled_from("xy"), expressions, min_size=1))
    weights = st.recursive(
        st.one_of(statements, st.sampled_from([domain.zero, domain.one])),
        lambda inner: st.one_of(st.builds(domain.combine, inner, inner), st.builds(domain.extend, inner, inner)),
        max_leaves=4,
    )
    return Case(domain, weights, (AffineRelations("x").one, ((1, 2),)))


def _touching() -> Case:
    domain = Touching("abcd")
    steps = st.builds(domain.step, st.sampled_from("abcdz"), st.integers(0, 3))
    weights = st.recursive(
        st.one_of(steps, st.sampled_from([domain.zero, domain.one])),
        lambda inner: st.one_of(st.builds(domain.combine, inner, inner), st.builds(domain.extend, inner, inner)),
        max_leaves=6,
    )
    return Case(domain, weights, (Touched(((16, 1),)), 3))


def _aliases() -> Case:
    domain = PointerAliases("vg", "apf", "gpf")
    statements = st.one_of(
        st.builds(domain.copy, st.sampled_from("gpf"), st.sampled_from("gpf")),
        st.builds(domain.address_of, st.sampled_from("gpf"), st.sampled_from("vap")),
        st.builds(domain.forget, st.sampled_from("gpf")),
        st.builds(domain.bind, st.dictionaries(st.just("f"), st.sampled_from("gpf"))),
        st.sampled_from([domain.zero, domain.one]),
    )
    weights = st.recursive(
        statements,
        lambda inner: st.one_of(st.builds(domain.combine, inner, inner), st.builds(domain.extend, inner, inner)),
        max_leaves=4,
    )
    return Case(domain, weights, (PointerAliases("v", "", "").one, None))


def _term_pairs(differ: bool) -> Case:
    domain = TermPairs("gv", "pf", differ=differ)
    values = st.dictionaries(st.sampled_from("gpf"), st.sampled_from(["g", "v", "p", "f", NULL, None]), max_size=2)
    entries = st.fixed_dictionaries({"p": st.none(), "f": st.sampled_from(["g", "p", "f", NULL, None])})
    statements = st.one_of(
        st.builds(domain.assign, values, st.just([("g", "p")])),
        st.builds(domain.enter, entries),
        st.sampled_from([domain.zero, domain.one]),
    )
    weights = st.recursive(
        statements,
        lambda inner: st.one_of(st.builds(domain.combine, inner, inner), st.builds(domain.extend, inner, inner)),
        max_leaves=4,
    )
    return Case(domain, weights, (TermPairs("g", "p", differ=differ).one, None))


def _functions() -> Case:
    """Functions on the subsets of {0, 1} given by the images of their atoms: exactly the distributive ones."""
    domain = FunctionSpace(range(4), lambda a, b: a | b)

    def make(empty: int, first: int, second: int) -> Any:
        return domain.function(lambda s: empty | (first if s & 1 else 0) | (second if s & 2 else 0))

    weights = st.builds(make, *[st.integers(0, 3)] * 3)
    return Case(domain, st.one_of(weights, st.just(domain.zero)), (FunctionSpace(range(2), max).one, None))


CASES: dict[str, Callable[[], Case]] = {
    "boolean": _booleans,
    "minpath": _lengths,
    "shortest": lambda: _shortest(50),
    "shortest, two kept": lambda: _shortest(2),
    "bitmatrix": _matrices,
    "relations": _diagrams,
    "weighted": _weighted,
    "genkill may": lambda: _genkill(False),
    "genkill must": lambda: _genkill(True),
    "constants": _constants,
    "product": _products,
    "affine": lambda: _affine(Rationals()),
    "affine modulo 2^3": lambda: _affine(ModularIntegers(3)),
    "affine modulo 2^32": lambda: _affine(ModularIntegers(32)),
    "aliases": _aliases,
    "the same": lambda: _term_pairs(False),
    "different": lambda: _term_pairs(True),
    "touching": _touching,
    "functions": _functions,
}


@pytest.fixture(params=sorted(CASES), ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]()


def _samples(case: Case, count: int) -> SearchStrategy[list[Any]]:
    return st.lists(case.weights, min_size=count, max_size=count)


def test_laws_hold(case: Case) -> None:
    @settings(max_examples=EXAMPLES, deadline=None)
    @given(_samples(case, 3))
    def check(samples: list[Any]) -> None:
        domain: Semiring[Any] = case.domain
        violations = check_laws(domain, [domain.zero, domain.one, *samples])
        assert violations == [], "\n".join(map(str, violations))

    check()


def test_stars_agree(case: Case) -> None:
    @settings(max_examples=EXAMPLES, deadline=None)
    @given(case.weights)
    def check(weight: Any) -> None:
        expected = star(case.domain, weight)
        assert star_by_differences(case.domain, weight) == expected
        assert star_by_squaring(case.domain, weight) == expected

    check()


def test_star_of_a_sum_can_reuse_the_old_star(case: Case) -> None:
    """(w + d)* = w* · (d · w*)*, the denesting that incremental evaluation uses."""

    @settings(max_examples=EXAMPLES, deadline=None)
    @given(_samples(case, 2))
    def check(samples: list[Any]) -> None:
        domain, (weight, delta) = case.domain, samples
        old = star(domain, weight)
        again = domain.extend(old, star(domain, domain.extend(delta, old)))
        assert star(domain, domain.combine(weight, delta)) == again

    check()


def test_differences_suffice_to_propagate(case: Case) -> None:
    """An extend by the change alone, added to the old product, is the new product."""

    @settings(max_examples=EXAMPLES, deadline=None)
    @given(_samples(case, 3))
    def check(samples: list[Any]) -> None:
        domain, (old, new, other) = case.domain, samples
        delta, total = difference(domain, new, old), domain.combine(old, new)
        after = domain.combine(domain.extend(old, other), domain.extend(delta, other))
        before = domain.combine(domain.extend(other, old), domain.extend(other, delta))
        assert after == domain.extend(total, other)
        assert before == domain.extend(other, total)

    check()


def test_weights_are_readable_and_recognised(case: Case) -> None:
    @settings(max_examples=EXAMPLES, deadline=None)
    @given(case.weights)
    def check(weight: Any) -> None:
        assert require_weight(case.domain, weight) is weight
        assert " object at 0x" not in repr(weight)

    check()
    for value in case.foreign:
        with pytest.raises(UsageError, match="is no weight of the domain"):
            require_weight(case.domain, value)


class CountingPairs:
    """Length and number of shortest paths as a pair of numbers: the mistake that `ShortestPaths` avoids."""

    zero = (inf, 0)
    one = (0.0, 1)

    def combine(self, a: tuple[float, int], b: tuple[float, int]) -> tuple[float, int]:
        return (a[0], a[1] + b[1]) if a[0] == b[0] else min(a, b)

    def extend(self, a: tuple[float, int], b: tuple[float, int]) -> tuple[float, int]:
        return a[0] + b[0], a[1] * b[1]


def test_counting_pairs_are_not_idempotent() -> None:
    broken = check_laws(CountingPairs(), [(1.0, 1), (2.0, 3)], steps=50)
    assert [violation.law for violation in broken] == ["a + a = a"]
    assert str(broken[0]) == "a + a = a fails for a = (1.0, 1): (1.0, 2) ≠ (1.0, 1)"


def _union(a: int, b: int) -> int:
    return a | b


def _both_odd(a: int, b: int) -> int:
    return a & b & 1


Operation = Callable[[int, int], int]


class Broken:
    """Integers with operations of the test's choice."""

    zero = 0
    one = 1

    def __init__(self, combine: Operation = _union, extend: Operation = _both_odd, distributive: bool = True) -> None:
        self._combine = combine
        self._extend = extend
        self.distributive = distributive

    def combine(self, a: int, b: int) -> int:
        return self._combine(a, b)

    def extend(self, a: int, b: int) -> int:
        return self._extend(a, b)


@pytest.mark.parametrize(
    ("domain", "law"),
    [
        (Broken(combine=lambda a, b: a), "a + b = b + a"),
        (Broken(combine=lambda a, b: abs(a - b)), "(a + b) + c = a + (b + c)"),
        (Broken(combine=lambda a, b: 7), "a + 0 = a"),
        (Broken(combine=lambda a, b: a + b), "a + a = a"),
        (Broken(extend=lambda a, b: a - b), "(a · b) · c = a · (b · c)"),
        (Broken(extend=lambda a, b: a), "1 · a = a"),
        (Broken(extend=lambda a, b: b), "a · 1 = a"),
        (Broken(extend=lambda a, b: a | b), "0 · a = 0"),
        (Broken(extend=lambda a, b: a | b), "a · 0 = 0"),
        (Broken(combine=max, extend=lambda a, b: a ^ b), "a · (b + c) = a · b + a · c"),
        (Broken(combine=max, extend=lambda a, b: a ^ b), "(a + b) · c = a · c + b · c"),
        (Broken(combine=max, extend=lambda a, b: a * b), "1 + a + a · a + … is finite"),
    ],
)
def test_broken_laws_are_named(domain: Broken, law: str) -> None:
    assert law in [violation.law for violation in check_laws(domain, [0, 1, 2, 3], steps=100)]


def test_an_operation_that_raises_is_a_violation() -> None:
    def divide(a: int, b: int) -> int:
        return a // b

    broken = check_laws(Broken(extend=divide), [0, 1])
    assert any("ZeroDivisionError" in str(violation) for violation in broken)


def test_offered_operations_are_checked() -> None:
    class Wrong(MinPath):
        def star(self, weight: float) -> float:
            return weight

        def diff(self, new: float, old: float) -> float:
            return new

        def owns(self, weight: object) -> bool:
            return weight != 4

    laws = [violation.law for violation in check_laws(Wrong(), [0, 4])]
    assert laws == ["a* = 1 + a + a · a + …", "b ∸ a = 0 iff a + b = a", "a belongs to the domain"]
    lossy = type("Lossy", (MinPath,), {"diff": lambda self, new, old: inf})()
    assert [violation.law for violation in check_laws(lossy, [0, 4])] == [
        "a + (b ∸ a) = a + b",
        "b ∸ a = 0 iff a + b = a",
    ]


def test_a_domain_that_is_only_monotone_says_so() -> None:
    def steep(a: int, b: int) -> int:
        return b if a == 1 else a if b == 1 else 15 if a | b == 3 else a & b

    def laws(domain: Broken) -> set[str]:
        return {violation.law for violation in check_laws(domain, [0, 1, 2, 3])}

    assert {law for law in laws(Broken(extend=steep)) if "(b + c)" in law or "(a + b) · c" in law}
    falling = Broken(extend=lambda a, b: a & ~b, distributive=False)
    assert "a · b ⊑ a · (b + c)" in laws(falling)
    assert "a · (b + c) = a · b + a · c" not in laws(falling)
    rising = Broken(extend=lambda a, b: b & ~a, distributive=False)
    assert "a · c ⊑ (a + b) · c" in laws(rising)


def test_order() -> None:
    assert is_below(MinPath(), 5, 3)
    assert not is_below(MinPath(), 3, 5)


def test_weights_of_a_plain_class_are_checked_by_their_units() -> None:
    class Plain:
        zero = frozenset[str]()
        one = frozenset({""})

        def combine(self, a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
            return a | b

        def extend(self, a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
            return frozenset(x + y for x in a for y in b)

    assert require_weight(Plain(), frozenset({"a"})) == frozenset({"a"})
    foreign: list[Any] = [3, "a", frozenset({1})]
    for value in foreign:
        with pytest.raises(UsageError, match="is no weight of the domain Plain"):
            require_weight(Plain(), value)
