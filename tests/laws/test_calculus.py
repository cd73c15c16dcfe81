"""The evaluator against the paper's Evaluate by enumeration, on random systems; every strategy agrees."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculus_systems import NeverStable, Oracle, Row, Writer, nested
from calculus_witnesses import Checker
from knaster.calculus import Session, System, parse
from knaster.calculus.answers import Count, Truth, WitnessTree
from knaster.calculus.fixpoint import STRATEGIES, Diverged
from knaster.calculus.render import answer_text
from knaster.calculus.values import all_values, encode

EXAMPLES = 60 * int(os.environ.get("KNASTER_EXAMPLES", "1"))


@pytest.fixture(autouse=True, scope="module")
def frontiers_of_small_values() -> Iterator[None]:
    """Values here are so small that the evaluator would not bother to use what is new in them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("knaster.calculus.fixpoint.SMALL", 0)
        yield


def given_rows(system: System, random: Random) -> dict[str, list[tuple[object, ...]]]:
    """Return random values for the inputs T and I."""
    found: dict[str, list[tuple[object, ...]]] = {}
    for name in ("T", "I"):
        types = [parameter.type for parameter in system.predicates[name].parameters]
        found[name] = [row for row in all_values(types) if random.random() < 0.4]
    return found


def coded(system: System, rows: dict[str, list[tuple[object, ...]]]) -> dict[str, frozenset[Row]]:
    found = {}
    for name, table in rows.items():
        types = [parameter.type for parameter in system.predicates[name].parameters]
        found[name] = frozenset(tuple(tuple(encode(t, v)) for t, v in zip(types, row, strict=True)) for row in table)
    return found


def check(seed: int, positive: bool, mixed: bool) -> None:
    random = Random(seed)
    text = Writer(random, positive, mixed).text()
    system = parse(text)
    rows = given_rows(system, random)
    oracle = Oracle(system, coded(system, rows))
    for strategy in STRATEGIES:
        session = Session(system, rows, strategy, nodes=1 << 12)
        for request in system.requests:
            names = [request.arguments[0]] if request.arguments else []
            try:
                expected: int | bool | None
                if names:
                    expected = len(oracle.evaluate(names[0], {}))
                else:
                    assert request.formula is not None
                    expected = oracle.query(request.formula)
            except NeverStable:
                expected = None
            found: int | bool | None
            try:
                answer = session.answer(request)
                assert isinstance(answer, Count | Truth)
                found = answer.count if isinstance(answer, Count) else answer.value
            except Diverged:
                found = None
            assert found == expected, f"{strategy}: {request.text}\n{text}\n{rows}"


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_positive_systems_of_one_kind(seed: int) -> None:
    check(seed, positive=True, mixed=False)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_positive_systems_of_both_kinds(seed: int) -> None:
    check(seed, positive=True, mixed=True)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_any_system_means_what_evaluate_computes(seed: int) -> None:
    check(seed, positive=False, mixed=True)


def check_reasons(system: System, rows: dict[str, list[tuple[object, ...]]], text: str) -> None:
    """Ask why each query has its value, and check what is said."""
    session = Session(system, rows, nodes=1 << 12)
    oracle = Oracle(system, coded(system, rows))
    for query in system.requests:
        if query.formula is None:
            continue
        try:
            value = session.truth(query.formula)
            answer = session.answer(replace(query, directive="#wit" if value else "#cex"))
        except Diverged:
            continue
        assert isinstance(answer, WitnessTree), text
        accepted = Checker(oracle).accepts(answer.root, query.formula, value, {}, ())
        assert accepted, f"{answer_text(answer)}\n{text}\n{rows}"


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_every_answer_has_reasons(seed: int) -> None:
    """A witness of a true query and a counterexample of a false one are accepted by an independent check."""
    random = Random(seed)
    text = Writer(random, positive=random.random() < 0.5, mixed=True).text()
    system = parse(text)
    check_reasons(system, given_rows(system, random), text)


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_nested_fixed_points_have_reasons(seed: int) -> None:
    random = Random(seed)
    text = nested(random, positive=random.random() < 0.7)
    check_reasons(parse(text), {}, text)
