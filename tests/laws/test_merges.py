"""The merge functions of the domains with local variables keep the laws of Definition 3.1.2."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from knaster.pushdown.domains.affine import AffineRelations
from knaster.pushdown.domains.aliases import PointerAliases
from knaster.pushdown.domains.bitmatrix import BitRelations
from knaster.pushdown.domains.constants import TOP, CopyConstants
from knaster.pushdown.domains.howell import ModularIntegers
from knaster.pushdown.domains.linear import Arithmetic, Rationals
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.domains.relations import BddRelations
from knaster.pushdown.domains.term_pairs import NULL, TermPairs
from knaster.pushdown.domains.weighted_relations import WeightedRelations
from knaster.pushdown.merge import Merge, check_merge, projecting_merge

EXAMPLES = 12 * int(os.environ.get("KNASTER_EXAMPLES", "1"))

STATES = list(product("gh", "lm"))  # a global and a local half


@dataclass(frozen=True)
class Case:
    """A domain, a merge function of it, and weights of single statements."""

    domain: Any
    merge: Merge[Any]
    statements: SearchStrategy[Any]


def _split(state: tuple[str, str]) -> tuple[str, str]:
    return state


def _matrices() -> Case:
    domain = BitRelations(STATES)
    call = domain.relation((s, t) for s in STATES for t in STATES if s[0] == t[0])
    pairs = st.lists(st.tuples(st.sampled_from(STATES), st.sampled_from(STATES)), max_size=8)
    merge = projecting_merge(domain, call, domain.projection(_split))
    return Case(domain, merge, st.builds(domain.relation, pairs))


def _weighted() -> Case:
    domain = WeightedRelations(STATES, MinPath())
    call = domain.lift(((s, t) for s in STATES for t in STATES if s[0] == t[0]), 1)
    pairs = st.tuples(st.sampled_from(STATES), st.sampled_from(STATES))
    merge = projecting_merge(domain, call, domain.projection(_split))
    return Case(domain, merge, st.builds(domain.relation, st.dictionaries(pairs, st.integers(0, 4), max_size=6)))


def _diagrams() -> Case:
    domain = BddRelations(["g", "l"])
    g, local = domain.variable("g"), domain.variable("l")
    values = st.sampled_from([None, True, False, g, local, ~g, g & local, g ^ local])
    statements = st.one_of(
        st.builds(domain.assign, st.dictionaries(st.sampled_from("gl"), values)),
        st.builds(domain.assume, st.sampled_from([g, ~g, local, g ^ local, domain.store.false])),
    )
    return Case(domain, projecting_merge(domain, domain.assign({"l": None}), domain.projection("l")), statements)


def _constants() -> Case:
    domain = CopyConstants("yab")
    sources = st.lists(st.sampled_from([1, 2, "y", "a", "b", TOP]), min_size=1, max_size=2).map(tuple)
    statements = st.builds(domain.assign, st.dictionaries(st.sampled_from("yab"), sources))
    merge = projecting_merge(domain, domain.assign({"a": TOP, "b": "a"}), domain.projection("y"))
    return Case(domain, merge, st.one_of(statements, st.just(domain.zero)))


def _affine(arithmetic: Arithmetic) -> Case:
    domain = AffineRelations("gl", arithmetic)
    expressions = st.one_of(
        st.none(), st.tuples(st.integers(-2, 4), st.dictionaries(st.sampled_from("gl"), st.integers(-2, 2)))
    )
    statements = st.builds(domain.assign, st.dictionaries(st.sampled_from("gl"), expressions, min_size=1))
    merge = projecting_merge(domain, domain.assign({"l": None}), domain.projection("g"))
    return Case(domain, merge, st.one_of(statements, st.just(domain.zero)))


def _aliases() -> Case:
    domain = PointerAliases("vg", "apf", "gpf")
    statements = st.one_of(
        st.builds(domain.copy, st.sampled_from("gpf"), st.sampled_from("gpf")),
        st.builds(domain.address_of, st.sampled_from("gpf"), st.sampled_from("va")),
        st.builds(domain.forget, st.sampled_from("gpf")),
        st.sampled_from([domain.zero, domain.one, domain.bind({"f": "g"})]),
    )
    return Case(domain, Merge(domain.merge(domain.bind({"f": "p"}), "ap")), statements)


def _term_pairs(differ: bool) -> Case:
    domain = TermPairs("gv", "pf", differ=differ)
    values = st.dictionaries(st.sampled_from("gpf"), st.sampled_from(["g", "v", "p", "f", NULL, None]), max_size=2)
    entry = {"p": None, "f": "p"}
    merge = Merge(domain.merge(entry, domain.enter(entry)))
    return Case(domain, merge, st.one_of(st.builds(domain.assign, values), st.sampled_from([domain.zero, domain.one])))


CASES: dict[str, Callable[[], Case]] = {
    "bitmatrix": _matrices,
    "weighted": _weighted,
    "relations": _diagrams,
    "constants": _constants,
    "affine": lambda: _affine(Rationals()),
    "affine modulo 2^3": lambda: _affine(ModularIntegers(3)),
    "aliases": _aliases,
    "the same": lambda: _term_pairs(False),
    "different": lambda: _term_pairs(True),
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_merge_laws(name: str) -> None:
    case = CASES[name]()
    domain = case.domain
    weights = st.recursive(
        case.statements,
        lambda inner: st.one_of(st.builds(domain.combine, inner, inner), st.builds(domain.extend, inner, inner)),
        max_leaves=3,
    )

    @settings(max_examples=EXAMPLES, deadline=None)
    @given(st.lists(weights, min_size=3, max_size=3))
    def check(samples: list[Any]) -> None:
        violations = check_merge(domain, case.merge, [domain.one, *samples])
        assert violations == [], "\n".join(map(str, violations))

    check()


def test_relational_projections_agree() -> None:
    """BDDs, bit-matrices and weighted relations forget the same: the callee's locals before and after."""
    bits, weighted = BitRelations(STATES), WeightedRelations(STATES, MinPath())
    diagrams = BddRelations(["g", "l"])

    def diagram(pairs: list[tuple[tuple[str, str], tuple[str, str]]]) -> Any:
        function = diagrams.store.false
        for (g1, l1), (g2, l2) in pairs:
            values = {diagrams.before["g"]: g1 == "h", diagrams.before["l"]: l1 == "m"}
            values |= {diagrams.after["g"]: g2 == "h", diagrams.after["l"]: l2 == "m"}
            function |= diagrams.store.assignment(values)
        return diagrams.relation(function)

    @settings(max_examples=EXAMPLES, deadline=None)
    @given(st.lists(st.tuples(st.sampled_from(STATES), st.sampled_from(STATES)), max_size=6))
    def check(pairs: list[tuple[tuple[str, str], tuple[str, str]]]) -> None:
        expected = {((g1, x), (g2, x)) for (g1, _), (g2, _) in pairs for x in "lm"}
        assert set(bits.projection(_split)(bits.relation(pairs))) == expected
        lifted = weighted.projection(_split)(weighted.lift(pairs, 3))
        assert set(lifted) == {(s, t, 3) for s, t in expected}
        assert diagrams.projection("l")(diagram(pairs)) == diagram(sorted(expected))

    check()
