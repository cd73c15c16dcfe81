"""Domains by hand: how weights are made, printed, applied and refused."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

import pytest

from knaster.base.errors import UsageError
from knaster.pushdown.domains.affine import AffineRelations
from knaster.pushdown.domains.aliases import PointerAliases
from knaster.pushdown.domains.bitmatrix import BitRelations
from knaster.pushdown.domains.constants import TOP, CopyConstants, join_environments
from knaster.pushdown.domains.functions import FunctionSpace
from knaster.pushdown.domains.genkill import GenKill
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.domains.product import Product
from knaster.pushdown.domains.relations import BddRelations
from knaster.pushdown.domains.shortest import ShortestPaths
from knaster.pushdown.domains.weighted_relations import WeightedRelations
from knaster.pushdown.semiring import star


def test_kleene_star_sizes_of_a_chain() -> None:
    """X18: w = {(i, i+1)} on n states has a star of n(n+1)/2 pairs."""
    for size in (4, 8, 11):
        domain = BitRelations(range(size))
        chain = domain.relation((state, state + 1) for state in range(size - 1))
        assert len(domain.star(chain)) == size * (size + 1) // 2
    assert MinPath().star(7) == 0


def test_bit_relations() -> None:
    domain = BitRelations(range(3))
    step = domain.relation([(0, 1), (1, 2)])
    assert set(domain.extend(step, step)) == {(0, 2)}
    assert step.image() == {1, 2}
    assert (0, 1) in step
    assert (1, 0) not in step
    assert repr(step) == "{0→1, 1→2}"
    assert repr(domain.zero) == "{}"
    assert repr(BitRelations(range(20)).one).endswith(", …}")
    assert set(domain.function(lambda state: state - 1 if state else None)) == {(1, 0), (2, 1)}
    assert set(domain.assume(lambda state: state > 1)) == {(2, 2)}
    with pytest.raises(UsageError, match="7 is no state"):
        domain.relation([(0, 7)])
    with pytest.raises(UsageError, match="distinct"):
        BitRelations([1, 1])
    with pytest.raises(UsageError, match="combination"):
        domain.projection(lambda state: (state // 2, state % 2))


def test_bdd_relations() -> None:
    domain = BddRelations(["x", "y"])
    x, y = domain.variable("x"), domain.variable("y")
    swap = domain.assign({"x": y, "y": x})
    assert domain.extend(swap, swap) == domain.one
    assert domain.extend(domain.assign({"x": True}), domain.assume(~x)) == domain.zero
    assert domain.combine(domain.assign({"x": True}), domain.assign({"x": False})) == domain.assign({"x": None})
    assert repr(domain.zero) == "{}"
    assert repr(domain.extend(domain.assume(x & ~y), domain.assign({"y": x}))) == "{x=1 y=0→x=1 y=1}"
    with pytest.raises(UsageError, match="'z' is no variable"):
        domain.assign({"z": True})
    with pytest.raises(UsageError, match="distinct"):
        BddRelations(["x", "x"])
    with pytest.raises(UsageError, match="too few"):
        BddRelations(["x", "y"], domain.store, first=3)


def test_weighted_relations() -> None:
    domain = WeightedRelations("ab", MinPath())
    step = domain.relation({("a", "b"): 2, ("b", "a"): 3})
    assert domain.at(domain.star(step), "a", "b") == 2
    assert domain.at(domain.extend(step, step), "a", "a") == 5
    assert domain.at(step, "a", "a") == inf
    assert repr(step) == "{a→b: 2, b→a: 3}"
    assert domain.relation({("a", "b"): inf}) == domain.zero
    with pytest.raises(UsageError, match="'c' is no state"):
        domain.at(step, "a", "c")
    with pytest.raises(UsageError, match="distinct"):
        WeightedRelations("aa", MinPath())
    with pytest.raises(UsageError, match="combination"):
        domain.projection(lambda state: ("same", "same"))


def test_shortest_paths_are_counted_without_repetition() -> None:
    domain = ShortestPaths(limit=10)
    a, b = domain.step("a"), domain.step("b")
    either = domain.combine(a, domain.combine(b, a))
    assert domain.count(either) == 2
    assert domain.count(domain.extend(either, either)) == 4
    assert domain.count(domain.combine(either, domain.extend(a, b))) == 2  # the longer one does not count
    assert repr(domain.extend(either, a)) == "2: {a a, b a}"
    assert repr(domain.one) == "0: {ε}"
    free = domain.combine(domain.step("a", 0), domain.step("b", 0))
    assert domain.count(star(domain, free)) == 10  # ε a b aa ab ba bb aaa aab aba: the first ones of infinitely many
    assert domain.star(free).words[6:8] == (("b", "b"), ("a", "a", "a"))
    two = ShortestPaths(limit=2)
    assert two.diff(two.step("c"), two.combine(two.step("a"), two.step("b"))) == two.zero  # c would not be kept
    with pytest.raises(UsageError, match="at least 1"):
        ShortestPaths(0)
    with pytest.raises(UsageError, match="negative"):
        domain.step("a", -1)


def test_gen_kill() -> None:
    may, must = GenKill("pqr"), GenKill("pqr", must=True)
    for domain in (may, must):
        first, second = domain.transformer(gen="p", kill="q"), domain.transformer(gen="q", kill="p")
        assert domain.extend(first, second).apply("r") == frozenset("qr")
        assert domain.transformer(gen="p", kill="p").apply("") == frozenset("p")
        assert domain.zero.apply("p") is None
        assert repr(first) == "[+p -q]"
        assert (repr(domain.one), repr(domain.zero)) == ("[id]", "0")
    first, second = may.transformer(gen="p"), may.transformer(kill="q")
    assert may.combine(first, second).apply("q") == frozenset("pq")
    assert must.combine(must.transformer(gen="p"), must.transformer(kill="q")).apply("q") == frozenset()
    with pytest.raises(UsageError, match="'s' is no fact"):
        may.transformer(gen="s")
    with pytest.raises(UsageError, match="distinct"):
        GenKill("pp")


def test_copy_constants() -> None:
    domain = CopyConstants(["a", "b", "y"])
    step = domain.extend(domain.assign({"a": 5}), domain.assign({"b": "a", "y": (2, "a")}))
    assert repr(step) == "[a→5, b→5, y→⊤]"
    assert repr(domain.assign({"y": (2, "a")})) == "[y→2|a]"
    assert (repr(domain.one), repr(domain.zero)) == ("id", "0")
    assert domain.assign({"a": "b", "b": "a"}).apply({"a": 1, "b": 2, "y": TOP}) == {"a": 2, "b": 1, "y": TOP}
    assert domain.zero.apply(domain.unknown()) is None
    assert join_environments({"a": 1}, {"a": 2}) == {"a": TOP}
    assert join_environments(None, {"a": 2}) == {"a": 2} == join_environments({"a": 2}, None)
    new, old = domain.assign({"a": 5, "b": "y"}), domain.assign({"a": 5, "b": ("a", "y")})
    assert repr(domain.diff(domain.assign({"a": 5, "b": (1, "y")}), old)) == "[a→5, b→1]"
    assert domain.diff(new, old) == domain.zero
    with pytest.raises(UsageError, match="'z' is no variable"):
        domain.assign({"z": 1})
    with pytest.raises(UsageError, match="no source"):
        domain.assign({"a": ()})
    with pytest.raises(UsageError, match="distinct"):
        CopyConstants("aa")


def test_affine_relations() -> None:
    domain = AffineRelations(["x", "y"])
    weight = domain.extend(domain.assign({"x": None}), domain.assign({"y": (1, {"x": 2})}))
    assert [domain.describe(row) for row in domain.relations(weight)] == ["1 + 2·x - y = 0"]
    assert domain.relations(domain.zero) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert domain.relations(domain.one) == ()
    assert domain.relations(domain.one, given=[(3, -1, 0)]) == ((3, -1, 0),)
    assert domain.relations(domain.assign({"y": "x"}), given=[(3, -1, 0)]) == ((3, 0, -1), (0, 1, -1))
    assert repr(domain.assign({"x": 3})) == "span{[1 3 0; 0 0 0; 0 0 1]}"
    assert domain.describe((0, 0, 0)) == "0 = 0"
    modular = AffineRelations(["x", "y"], ModularIntegers(8))
    doubled = modular.assign({"x": (0, {"x": 128})})
    assert [modular.describe(row) for row in modular.relations(doubled)] == ["2·x = 0 (mod 2^8)"]
    assert modular.relations(modular.one, given=[(2, 2, 0)]) == ((2, 2, 0),)
    with pytest.raises(UsageError, match="'z' is no variable"):
        domain.assign({"x": "z"})
    with pytest.raises(UsageError, match="3 coefficients"):
        domain.relations(domain.one, given=[(1, 2)])
    with pytest.raises(UsageError, match="distinct"):
        AffineRelations("xx")
    with pytest.raises(UsageError, match="at least 1 bit"):
        ModularIntegers(0)


def test_pointer_aliases() -> None:
    domain = PointerAliases(["v", "g"], ["p", "f"], ["g", "p", "f"])

    def pairs(weight: Any) -> set[str]:
        return {"~".join(pair) for pair in weight.aliases() if pair[0] != pair[1]}

    pointing = domain.address_of("p", "v")
    named = next("~".join(pair) for pair in domain.pairs if set(pair) == {"*p", "v"})
    assert pairs(pointing) == {named}
    assert len(pairs(domain.extend(pointing, domain.copy("g", "p")))) == 3  # *p~v, *g~v, *g~*p
    assert pairs(domain.extend(pointing, domain.forget("p"))) == set()
    assert pairs(domain.extend(pointing, domain.copy("p", "p"))) == {named}
    assert repr(domain.zero) == "0"
    assert repr(domain.forget("p")).startswith("[⊥→{")
    wrongs: list[tuple[Callable[[], object], str]] = [
        (lambda: domain.copy("p", "v"), "'v' is no pointer"),
        (lambda: domain.address_of("p", "z"), "'z' is no variable"),
        (lambda: domain.bind({"g": "p"}), "is a global"),
        (lambda: domain.merge(domain.one, ["z"]), "'z' is no variable"),
        (lambda: PointerAliases("a", "a", ""), "different names"),
        (lambda: PointerAliases("a", "b", "c"), "must be variables"),
    ]
    for wrong, message in wrongs:
        with pytest.raises(UsageError, match=message):
            wrong()


def test_products_keep_half_a_zero() -> None:
    facts = GenKill("p")
    domain = Product(MinPath(), facts)
    half = (inf, facts.one)
    assert domain.combine(half, domain.one) == domain.one
    assert domain.extend(half, domain.one) == half != domain.zero
    assert domain.star((3, facts.transformer(gen="p")))[0] == 0


def test_function_spaces() -> None:
    domain = FunctionSpace(range(4), lambda a, b: a | b)
    step = domain.function(lambda s: s | 1)
    assert repr(step) == "[0→1, 2→3]"
    assert (repr(domain.one), repr(domain.zero)) == ("id", "0")
    assert (step.apply(2), domain.zero.apply(2)) == (3, None)
    both = domain.pointwise(lambda caller, callee: caller & 2 | callee & 1)
    assert both(domain.one, step) == step
    assert both(domain.zero, step) == domain.zero == both(step, domain.zero)
    with pytest.raises(UsageError, match="not distributive: look at 1 and 2"):
        domain.function(lambda s: 3 if s == 3 else 0)
    with pytest.raises(UsageError, match="7 is no element"):
        domain.function(lambda s: 7)
    loose = FunctionSpace(range(4), lambda a, b: a | b, distributive=False)
    assert loose.function(lambda s: 3 if s == 3 else 0).apply(1) == 0
    with pytest.raises(UsageError, match="not monotone"):
        loose.function(lambda s: 3 - s)
    with pytest.raises(UsageError, match="idempotent"):
        FunctionSpace(range(4), lambda a, b: (a + b) % 4)
    with pytest.raises(UsageError, match="distinct"):
        FunctionSpace([0, 0], max)
