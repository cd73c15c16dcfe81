"""What leaves C in a run is never excluded by a proof: all runs of random programs against invariants."""

from __future__ import annotations

import os
from collections.abc import Sequence

import pytest

pytest.importorskip("z3")

import knaster
from knaster.base.limits import Budget
from knaster.checkers.all_runs import _Walk, lapses_among
from knaster.decide.conclusions.lapses_left import lapses_left
from knaster.evidence.proofs.all_runs import AllRuns
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.undefined_steps import Lapse, Lapses
from knaster.program.effects import variables_in
from knaster.program.expression import FALSE, TRUE, Binary, Compare, Comparison, Const, Expr, Operator, Var
from knaster.program.model import Place, Program, old
from knaster.semantics.python_code import loop_heads
from support.generators.c_programs import random_program, text

PROGRAMS = 20 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
BLOCK = 10
LARGE = {"0": "2147483647", "3": "2147483647", "4": "1073741824"}


def _text(seed: int) -> str:
    """Return a random program of inputs of two values, with large numbers, and divisors that may be 0."""
    found = text(random_program(seed)).replace("reach_error();", ";").replace("nondet_int()", "nondet_bool()")
    for small, large in LARGE.items():
        found = found.replace(f" {small})", f" {large})").replace(f"({small} ", f"({large} ")
    return found.replace(" % 2)", " % x0)").replace(" / 2)", " / (x0 - 1))").replace(" >> 2)", " >> x1)")


def _trivial(program: Program) -> Invariants:
    """Return invariants that say nothing, of every procedure."""
    at = {
        (procedure.name, location): TRUE
        for procedure in program.procedures
        for location in (procedure.entry, procedure.exit, *sorted(loop_heads(procedure)))
    }
    return Invariants(program, {procedure.name: TRUE for procedure in program.procedures}, at)


def _seen(proof: AllRuns) -> Invariants:
    """Return what all states have in common: of each variable that is live, the least and the greatest value."""
    walk = _Walk(proof, (), Budget())
    walk.run()
    program = proof.program
    requires: dict[str, dict[str, list[int]]] = {}
    at: dict[Place, dict[str, list[int]]] = {}
    for name, arguments, location, values in walk.ways:
        procedure = program.procedure(name)
        given = [old(one) for one in (*program.globals, *procedure.parameters)]
        _add(requires.setdefault(name, {}), given, arguments)
        live = variables_in(walk.live[name][location], program.scope(procedure))
        _add(at.setdefault((name, location), {}), live, values)
    places = [place for place in _trivial(program).at if place[0] in requires]
    claims = {place: _hull(at[place]) if place in at else FALSE for place in places}
    return Invariants(program, {name: _hull(own) for name, own in requires.items()}, claims)


def _add(found: dict[str, list[int]], names: Sequence[str], values: Sequence[object]) -> None:
    for name, value in zip(names, values, strict=True):
        if isinstance(value, int) and not isinstance(value, bool):
            found.setdefault(name, []).append(value)


def _hull(values: dict[str, list[int]]) -> Expr:
    whole: Expr = TRUE
    for name, found in values.items():
        for sign, bound in ((Comparison.AT_LEAST, min(found)), (Comparison.AT_MOST, max(found))):
            whole = Binary(Operator.AND, whole, Compare(sign, Var(name), Const(bound)))
    return whole


def _lines(found: set[Lapse]) -> set[tuple[int, str]]:
    return {(lapse.line, lapse.what) for lapse in found}


@pytest.mark.parametrize("block", range(0, PROGRAMS, BLOCK))
def test_no_proof_excludes_what_happens(block: int) -> None:
    happened, excluded = 0, [0, 0]
    for seed in range(block, block + BLOCK):
        ends = knaster.check(_text(seed), file="random.c", property="termination", engine="search", runs=3_000)
        if not isinstance(ends.proof, AllRuns):
            continue
        every, (seen, _) = Lapses(ends.program).all(), lapses_among(ends.proof, Lapses(ends.program), Budget())
        for number, proof in enumerate((_trivial(ends.program), _seen(ends.proof))):
            left = lapses_left(every, proof, Budget())
            assert _lines(seen) <= _lines(left), f"seed {seed}\n{_text(seed)}"
            excluded[number] += len(_lines(set(every)) - _lines(left))
        happened += len(_lines(seen))
    assert happened >= 2 and excluded[1] > excluded[0]
