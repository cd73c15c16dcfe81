"""The evaluator against the paper's Evaluate by enumeration, on random systems; every strategy agrees."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knaster.bdd.store import Bdd, Store, rename
from knaster.calculus import Place, Session, Symbolic, System, parse
from knaster.calculus.answers.outcomes import Count, Truth, WitnessTree
from knaster.calculus.answers.render import answer_text
from knaster.calculus.fixpoints.fixpoint import STRATEGIES, Diverged
from knaster.calculus.language.system import Request
from knaster.calculus.language.values import all_values, encode
from support.generators.calculus_systems import NeverStable, Oracle, Row, Writer, nested
from support.oracles.calculus_witnesses import Checker

EXAMPLES = 30 * int(os.environ.get("KNASTER_EXAMPLES", "1"))


@pytest.fixture(autouse=True, scope="module")
def frontiers_of_small_values() -> Iterator[None]:
    """Values here are so small that the evaluator would not bother to use what is new in them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("knaster.calculus.fixpoints.fixpoint.SMALL", 0)
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


def written(seed: int, positive: bool, mixed: bool) -> tuple[str, dict[str, list[tuple[object, ...]]]]:
    """Return a random system and its inputs."""
    random = Random(seed)
    text = Writer(random, positive, mixed).text()
    return text, given_rows(parse(text), random)


def check(text: str, rows: dict[str, list[tuple[object, ...]]]) -> None:
    """Compare every strategy with Evaluate by enumeration."""
    system = parse(text)
    oracle = Oracle(system, coded(system, rows))
    for strategy in STRATEGIES:
        session = Session(system, rows, strategy, nodes=1 << 12)
        for request in system.requests:
            found = answered(session, request)
            assert found == expected(oracle, request), f"{strategy}: {request.text}\n{text}\n{rows}"


def answered(session: Session, request: Request) -> int | bool | None:
    """Return a count or a truth, None where the rounds never become stable."""
    try:
        answer = session.answer(request)
    except Diverged:
        return None
    assert isinstance(answer, Count | Truth)
    return answer.count if isinstance(answer, Count) else answer.value


def expected(oracle: Oracle, request: Request) -> int | bool | None:
    try:
        if request.formula is not None:
            return oracle.query(request.formula)
        return len(oracle.evaluate(request.arguments[0], {}))
    except NeverStable:
        return None


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_positive_systems_of_one_kind(seed: int) -> None:
    check(*written(seed, positive=True, mixed=False))


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_positive_systems_of_both_kinds(seed: int) -> None:
    check(*written(seed, positive=True, mixed=True))


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_any_system_means_what_evaluate_computes(seed: int) -> None:
    check(*written(seed, positive=False, mixed=True))


@settings(max_examples=EXAMPLES // 2, deadline=None)
@given(st.integers(0, 2**32))
def test_nested_fixed_points(seed: int) -> None:
    random = Random(seed)
    check(nested(random, positive=random.random() < 0.7), {})


@settings(max_examples=EXAMPLES // 3, deadline=None)
@given(st.integers(0, 2**32))
def test_a_relation_may_be_given_in_any_way(seed: int) -> None:
    """As a table, as a formula, as a BDD of the session's own, or as one over other variables of a shared store."""
    text, rows = written(seed, positive=False, mixed=True)
    system = parse(text)
    store = Store(40, 1 << 16)
    elsewhere = {
        name: [Place(p.type, tuple(range(20 * i, 20 * i + p.type.width))) for i, p in enumerate(parameters)]
        for name, parameters in ((name, system.predicates[name].parameters) for name in rows)
    }
    made = {name: union(store, tuple(elsewhere[name]), table) for name, table in rows.items()}

    def moved(name: str) -> Symbolic:
        def build(given: Store, places: tuple[Place, ...]) -> Bdd:
            assert given is store
            pairs = [
                pair for old, new in zip(elsewhere[name], places, strict=True) for pair in zip(old, new, strict=True)
            ]
            return rename(made[name], store.renaming(dict(pairs)))

        return Symbolic(build)

    def own(name: str) -> Symbolic:
        return Symbolic(lambda given, places: union(given, places, rows[name]))

    sessions = [
        Session(system, rows),
        Session(parse(defined(text, system, rows))),
        Session(system, {name: own(name) for name in rows}),
        Session(system, {name: moved(name) for name in rows}, store=store),
    ]
    answers = [[answered(session, request) for request in session.system.requests] for session in sessions]
    assert answers == answers[:1] * 4, f"{text}\n{rows}"


def union(store: Store, places: tuple[Place, ...], table: list[tuple[object, ...]]) -> Bdd:
    """Return the BDD of a table."""
    found = store.false
    for row in table:
        one = store.true
        for place, value in zip(places, row, strict=True):
            one = one & place.equals(store, value)
        found = found | one
    return found


def defined(text: str, system: System, rows: dict[str, list[tuple[object, ...]]]) -> str:
    """Return the text of a system with its inputs defined by formulas."""
    for name, table in rows.items():
        parameters = system.predicates[name].parameters
        clauses = [
            " & ".join(f"{p.name}{part}" for p, value in zip(parameters, row, strict=True) for part in parts(value))
            for row in table
        ]
        body = " | ".join(f"({clause})" for clause in clauses) or "0"
        head = f"bool {name}({', '.join(f'{p.type.name} {p.name}' for p in parameters)})"
        assert f"{head};" in text
        text = text.replace(f"{head};", f"{head} {body};")
    return text


def parts(value: object) -> list[str]:
    """Return equations for a value, to be put behind a variable."""
    if isinstance(value, dict):
        return [f".{member}{part}" for member, inner in value.items() for part in parts(inner)]
    return [f" = {int(value) if isinstance(value, bool) else value}"]


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
    text, rows = written(seed, positive=seed % 2 == 0, mixed=True)
    check_reasons(parse(text), rows, text)


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(st.integers(0, 2**32))
def test_nested_fixed_points_have_reasons(seed: int) -> None:
    random = Random(seed)
    text = nested(random, positive=random.random() < 0.7)
    check_reasons(parse(text), {}, text)
