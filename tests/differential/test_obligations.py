"""Proofs about random C programs against all their runs: what a run violates is never believed, what all satisfy is."""

from __future__ import annotations

import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

pytest.importorskip("z3")

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.all_runs import _Walk
from knaster.checkers.invariants import check_invariants
from knaster.checkers.ranking import check_ranking
from knaster.checkers.recurrence import check_recurrence
from knaster.evidence.proofs.all_runs import AllRuns
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.lasso import Recurrence
from knaster.frontends.c import parse
from knaster.program.effects import variables_in
from knaster.program.evaluate import evaluate
from knaster.program.expression import FALSE, TRUE, Binary, Compare, Comparison, Const, Expr, Not, Operator, Var
from knaster.program.model import Place, Program, old
from knaster.program.types import Int, Value
from knaster.semantics.python_code import loop_heads
from support.generators.c_programs import random_program, text, truth

PROGRAMS = 20 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
BLOCK = 10
MOST_STATES = 40  # that a formula lists
Row = dict[str, Value]


@dataclass
class Seen:
    """All that happens in a program: the values that procedures are called with, and the states at places."""

    program: Program
    calls: Mapping[str, list[Row]]
    states: Mapping[Place, list[Row]]  # with the values at the entry


def _seen(seed: int) -> Seen | None:
    written = text(random_program(seed)).replace("reach_error();", ";").replace("nondet_int()", "nondet_bool()")
    proof = knaster.check(written, file="random.c", property="termination", engine="search", runs=3_000).proof
    if not isinstance(proof, AllRuns):
        return None
    walk = _Walk(proof, (), Budget())
    walk.run()
    program = proof.program
    calls: dict[str, list[Row]] = {}
    states: dict[Place, list[Row]] = {}
    for name, arguments, location, values in walk.ways:
        procedure = program.procedure(name)
        begun = variables_in(walk.live[name][procedure.entry], program.scope(procedure))
        passed = zip((*program.globals, *procedure.parameters), arguments, strict=True)
        given = {old(each): value for each, value in passed if each in begun}  # what is not read has any value
        live = variables_in(walk.live[name][location], program.scope(procedure))
        calls.setdefault(name, []).append(given)
        states.setdefault((name, location), []).append({**given, **dict(zip(live, values, strict=True))})
    return Seen(program, calls, states)


def _rows(rows: Sequence[Row]) -> Expr:
    """Return that the values are those of one of several rows."""
    found: Expr = FALSE
    for row in {tuple(row.items()): row for row in rows}.values():
        one: Expr = TRUE
        for name, value in row.items():
            same = Compare(Comparison.EQUAL, Var(name), Const(value))
            one = Binary(
                Operator.AND, one, (Var(name) if value else Not(Var(name))) if isinstance(value, bool) else same
            )
        found = Binary(Operator.OR, found, one)
    return found


def _places(program: Program, names: Sequence[str]) -> list[Place]:
    procedures = [program.procedure(name) for name in names]
    return [(p.name, at) for p in procedures for at in {p.entry, p.exit, *loop_heads(p)}]


def _exact(seen: Seen) -> Invariants:
    places = _places(seen.program, list(seen.calls))
    requires = {name: _rows(rows) for name, rows in seen.calls.items()}
    return Invariants(seen.program, requires, {place: _rows(seen.states.get(place, ())) for place in places})


def _holds(expr: Expr, row: Row) -> bool:
    return bool(evaluate(expr, row, iter(())))


def _is_violated(proof: Invariants, seen: Seen, targets: Sequence[Target]) -> bool:
    """Tell whether a run violates what a proof says, or reaches a target."""
    requires = any(
        not _holds(proof.requires[name], row)
        for name, rows in seen.calls.items()
        if name in proof.requires
        for row in rows
    )
    at = any(not _holds(expr, row) for place, expr in proof.at.items() for row in seen.states.get(place, ()))
    return requires or at or any(seen.states.get(target.place) for target in targets)


def _weaker(seen: Seen, place: Place, choose: random.Random) -> Expr:
    """Return a condition that may be true of all states at a place, or of nearly all."""
    rows = seen.states.get(place, [])
    name = choose.choice([*rows[0]]) if rows and rows[0] else ""
    values = [row[name] for row in rows] if name else []
    if not values or any(isinstance(value, bool) for value in values) or not isinstance(values[0], int):
        return choose.choice((TRUE, FALSE))
    bound = choose.choice(values) + choose.randint(-1, 1)  # type: ignore[operator]
    return Compare(choose.choice(tuple(Comparison)), Var(name), Const(bound))


def _changed(proof: Invariants, seen: Seen, choose: random.Random) -> Invariants:
    """Return a proof with a few changes."""
    requires, at = dict(proof.requires), dict(proof.at)
    for _ in range(choose.randint(1, 3)):
        place = choose.choice(list(proof.at))
        match choose.randint(0, 5):
            case 0:
                rows = seen.states.get(place, [])
                at[place] = _rows([row for row in rows if row != choose.choice(rows)])
            case 1:
                rows = seen.calls[place[0]]
                requires[place[0]] = _rows([row for row in rows if row != choose.choice(rows)])
            case 2:
                at[place] = FALSE
            case 3:
                at[place] = _weaker(seen, place, choose)
            case 4 if place[0] != "main":
                requires.pop(place[0], None)
                at = {other: expr for other, expr in at.items() if other[0] != place[0]}
            case _:
                at.pop(place, None)
    at = {place: expr for place, expr in at.items() if place[0] in requires}
    return replace(proof, requires=requires, at=at)


def _target(seen: Seen, choose: random.Random) -> Target:
    procedure = choose.choice(seen.program.procedures)
    return Target("somewhere", procedure.name, choose.randrange(procedure.size), 0)


def _accepts(proof: Invariants, program: Program, targets: Sequence[Target]) -> bool:
    try:
        check_invariants(proof, program, targets, Budget())
    except (InternalError, OutOfBudget):
        return False
    return True


@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_no_false_invariant_is_believed(block: int) -> None:
    exact = false = 0
    for seed in range(block, block + BLOCK):
        seen, choose = _seen(seed), random.Random(seed)
        if seen is None or max(map(len, seen.states.values())) > MOST_STATES:
            continue
        proof = _exact(seen)
        some = [_target(seen, choose) for _ in range(4)]
        elsewhere = [target for target in some if not seen.states.get(target.place)]
        exact += _accepts(proof, seen.program, elsewhere)  # not all: values that nobody reads are not in the rows
        for _ in range(6):
            changed = _changed(proof, seen, choose)
            targets = [_target(seen, choose)] if choose.random() < 0.7 else []
            accepted = _accepts(changed, seen.program, targets)
            if _is_violated(changed, seen, targets):
                false += 1
                assert not accepted, f"seed {seed}: {changed.requires} {changed.at} {targets}"
    assert exact >= 2 and false >= 5


@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_no_measure_of_an_endless_program_is_believed(block: int) -> None:
    asked = 0
    for seed in range(4 * block, 4 * block + 4 * BLOCK):
        made = random_program(seed)
        if truth(made).endless is not True:
            continue
        program, choose = parse(text(made)), random.Random(seed)
        names = [procedure.name for procedure in program.procedures]
        places = _places(program, names)
        proof = Invariants(program, dict.fromkeys(names, TRUE), dict.fromkeys(places, TRUE))
        points = [(p.name, at) for p in program.procedures for at in {p.entry, *loop_heads(p)}]
        for _ in range(3):
            asked += 1
            length = choose.randint(1, 2)
            measures = {place: tuple(_component(program, place, choose) for _ in range(length)) for place in points}
            with pytest.raises((InternalError, OutOfBudget)):
                check_ranking(Ranking(program, proof, measures, choose.random() < 0.3), program, Budget())
    assert asked >= 3


def _component(program: Program, place: Place, choose: random.Random) -> Expr:
    types = program.types_in(program.procedure(place[0]))
    names = [name for name, type in types.items() if isinstance(type, Int) and not name.startswith("@")]
    return Var(choose.choice(names)) if names and choose.random() < 0.8 else Const(choose.randint(0, 3))


@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_no_set_of_a_program_that_ends_is_recurrent(block: int) -> None:
    asked = 0
    for seed in range(4 * block, 4 * block + 4 * BLOCK):
        seen, choose = _seen(seed), random.Random(seed)
        heads = [] if seen is None else [(p.name, at) for p in seen.program.procedures for at in loop_heads(p)]
        for place in heads:
            assert seen is not None
            rows = seen.states.get(place, [])
            if not rows:
                continue
            for _ in range(3):
                row = {name: value for name, value in choose.choice(rows).items() if not name.startswith("\\")}
                chosen = {name: value for name, value in row.items() if choose.random() < 0.5}
                asked += 1
                with pytest.raises((InternalError, OutOfBudget)):
                    check_recurrence(seen.program, place, Recurrence(_rows([chosen])), Budget())
    assert asked >= 3
