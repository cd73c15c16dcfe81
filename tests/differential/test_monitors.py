"""A monitor comes to an error exactly where explicit enumeration says so; every violation is a run of the program."""

from __future__ import annotations

from random import Random

import pytest

from knaster.automata.monitor import Event, Monitor, Move
from knaster.base.errors import Span, UsageError
from knaster.decide.property import check_property
from knaster.evidence.answers.answer import Verdict
from knaster.program.model import Program
from knaster.transform.monitor_product import events_at, moves_of
from support.generators.boolean_programs import TINY, random_program
from support.oracles.monitor_runs import errors_reached

PROGRAMS = 40


def random_monitor(rng: Random, program: Program) -> Monitor:
    states, errors = ["s0", "s1", "s2"][: rng.randint(1, 3)], ["e0", "e1"][: rng.randint(1, 2)]
    names = [own.name for own in program.procedures]
    labels = [label for own in program.procedures for label, _ in own.labels]
    moves = []
    for _ in range(rng.randint(2, 6)):
        kind = rng.choice(("call", "return", "label", "label"))
        pattern = rng.choice([*(labels if kind == "label" else names), "f*"])
        source = rng.choice([*states, None]) if rng.random() < 0.9 else None
        moves.append(Move(source, rng.choice([*states, *errors]), Event(kind, pattern), Span(1, 1)))
    return Monitor((*states, *errors), frozenset(errors), tuple(moves), "m.aut", "")


def compare(seeds: range) -> list[int]:
    counts = [0, 0]
    for seed in seeds:
        rng = Random(f"monitor {seed}")
        program = random_program(rng, TINY)
        monitor = random_monitor(rng, program)
        errors = errors_reached(program, monitor, events_at(program, monitor), 30_000)
        if errors is None:
            continue
        try:
            result = check_property(program, monitor)
        except UsageError:  # no statement takes it to an error
            assert not errors, seed
            continue
        assert result.verdict is (Verdict.FALSE if errors else Verdict.TRUE), (seed, errors)
        counts[bool(errors)] += 1
        if errors:
            target = result.answers[0][0]
            assert (target.name.partition(" ")[0], target.procedure, target.location) in errors, seed
            trace = result.trace
            assert trace is not None
            moves = list(moves_of(program, monitor, trace, 10_000))
            assert all(then not in monitor.errors for _, _, then in moves), seed
            last = moves[-1][2] if moves else monitor.start
            leaving = program.procedure(trace.procedure).leaving[trace.location]
            after = {
                monitor.step(last, events_at(program, monitor)(program.procedure(trace.procedure), e)) for e in leaving
            }
            assert target.name.partition(" ")[0] in after, seed
        else:
            assert result.proof is not None
    return counts


def test_monitors_agree_with_enumeration() -> None:
    right, wrong = compare(range(PROGRAMS))
    assert right > 5 and wrong > 5


@pytest.mark.slow
def test_many_monitors_agree_with_enumeration() -> None:
    compare(range(PROGRAMS, 600))
