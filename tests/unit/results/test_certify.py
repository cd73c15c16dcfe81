"""The checker accepts what the engine proves and refuses every certificate that was tampered with."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from knaster.engines.engine import Task
from knaster.engines.options import SymbolicOptions
from knaster.engines.summaries import summaries
from knaster.errors import InternalError
from knaster.limits import Budget
from knaster.program.model import Program
from knaster.results.certify import certify
from knaster.results.proof import Certificate
from knaster.results.question import Reach, Target
from knaster.symbolic.frame import Frame
from knaster.symbolic.layout import Copy, variable
from strategies import random_program


def prove(program: Program) -> tuple[Certificate, list[Target]]:
    """Return the certificate and the targets that it excludes."""
    places = tuple(
        Target(f"{p.name}:{location}", p.name, location, 0) for p in program.procedures for location in range(p.size)
    )
    findings = summaries(Task(program, Reach(places), Budget(), SymbolicOptions(), 1 << 14))
    assert findings.proof is not None
    return findings.proof(), [target for target in places if target not in findings.reached]


def check(certificate: Certificate, targets: list[Target]) -> None:
    certify(certificate, certificate.program, targets, Budget())


def certificates(count: int = 25) -> Iterator[tuple[Certificate, list[Target]]]:
    for seed in range(count):
        yield prove(random_program(Random(seed)))


def test_accepts_what_was_proved() -> None:
    for certificate, targets in certificates():
        check(certificate, targets)


def test_refuses_a_set_from_which_any_reachable_state_was_taken() -> None:
    """The sets are least fixed points, so taking any path edge away leaves something that does not hold."""
    for certificate, targets in certificates():
        store = certificate.store
        for name, sets in certificate.path_edges.items():
            for location, states in enumerate(sets):
                taken = store.pick(states)
                if taken is None:
                    continue
                smaller = (*sets[:location], states & ~store.assignment(taken), *sets[location + 1 :])
                with pytest.raises(InternalError):
                    check(replace(certificate, path_edges={**certificate.path_edges, name: smaller}), targets)


def test_refuses_a_target_that_is_not_excluded() -> None:
    refused = 0
    for certificate, _ in certificates():
        if certificate.path_edges["main"][0] != certificate.store.false:
            with pytest.raises(InternalError, match="does not exclude"):
                check(certificate, [Target("start", "main", 0, 0)])
            refused += 1
    assert refused > 15


def test_refuses_a_variable_that_is_called_rigid_and_written() -> None:
    refused = 0
    for certificate, targets in certificates():
        frames = dict(certificate.frames)
        for name, frame in certificate.frames.items():
            if frame.echoed:
                lie: Frame = replace(frame, rigid=frame.rigid | frame.echoed, echoed=frozenset())
                with pytest.raises(InternalError):
                    check(replace(certificate, frames={**frames, name: lie}), targets)
                refused += 1
    assert refused > 10


def test_refuses_entry_values_that_were_forgotten() -> None:
    """Without the ENTRY copy a summary relates every entry to every exit: more than what was proved, and not closed."""
    refused = 0
    for certificate, targets in certificates(100):
        store = certificate.store
        for name, frame in certificate.frames.items():
            cube = store.cube(variable(frame.slots[x], Copy.ENTRY) for x in frame.echoed)
            sets = certificate.path_edges[name]
            wider = sets[frame.procedure.exit].exists(cube)
            if wider == sets[frame.procedure.exit]:
                continue
            changed = list(sets)
            changed[frame.procedure.exit] = wider
            try:
                check(replace(certificate, path_edges={**certificate.path_edges, name: tuple(changed)}), targets)
            except InternalError:
                refused += 1
    assert refused > 3
