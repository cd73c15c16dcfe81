"""The kernel on proofs about threads: it accepts what holds, and nothing that an exploration of all runs contradicts.

Changed proofs that it accepts the checkers of Knaster accept, too: two that share no code.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import knaster
from knaster.base.errors import KnasterError, ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.semantics.explore import TooManyStates
from knaster.semantics.explore_threads import explore_threads
from knaster_check import Refused, check, read_program
from support.changed_programs import changed_program
from support.changed_proofs import changed_proof
from support.generators.threaded_programs import Crowd, threaded_text

TIMES = float(os.environ.get("KNASTER_EXAMPLES", "1"))
SMALL = Crowd(threads=(2, 2), statements=(1, 3), sections=0.25, calls=0.25)
CROWDS = {
    "plain": SMALL,
    "locked": Crowd(threads=(2, 2), statements=(1, 3), lock=1.0, calls=0.2),
    "enforcing": Crowd(threads=(2, 2), statements=(1, 3), enforces=0.5, calls=0.3),
    "starting": Crowd(threads=(1, 2), statements=(1, 3), starts=0.25, copies=True),
}
ASKED = [
    *(("states", crowd, None) for crowd in ("plain", "locked", "enforcing")),
    *(("states", crowd, 1) for crowd in CROWDS),
    *(("modular", crowd, None) for crowd in CROWDS),
    *(("stacks", crowd, None) for crowd in ("plain", "locked", "enforcing")),
]


def accepts(program: Program, proof: str) -> bool:
    try:
        check(read_program(program_to_kernel(program)), proof)
    except Refused:
        return False
    return True


def proofs(rng: Random, engine: str, crowd: Crowd, switches: int | None) -> Iterator[tuple[Program, str]]:
    """Yield programs and proofs that some label is unreachable."""
    while True:
        program = parse(threaded_text(rng, crowd), "a.bp")
        try:
            options: Any = {} if switches is None else {"switches": switches}
            found = knaster.check(
                program, "all-labels", engine=engine, evidence=knaster.Evidence(proofs=True, traces=False), **options
            )
            yield found.program, proof_to_text(found)
        except KnasterError:
            continue


def is_true(program: Program, document: dict[str, object], switches: int | None) -> bool:
    """Tell by exploring all runs whether no target of a document is reachable."""
    runs = explore_threads(program, "switches", switches, keep=switches, depth=6, limit=2_000)
    places = {place for place, level in runs.least.items() if switches is None or level <= switches}
    targets = document["targets"]
    assert isinstance(targets, list)
    return not any((target["procedure"], target["location"]) in places for target in targets)


def assert_holds(program: Program, proof: str) -> None:
    """Fail where the checkers of Knaster refuse a proof, but for what only they ask of the form."""
    try:
        check_proof_text(proof, program, 1 << 12, Budget())
    except ProofError as wrong:
        if not any(word in str(wrong) for word in ("not numbered", "in order", "is none of the nodes")):
            raise


@pytest.mark.parametrize(("engine", "crowd", "switches"), ASKED)
def test_proofs_about_threads(engine: str, crowd: str, switches: int | None) -> None:
    rng, refused, false = Random(f"{engine} {crowd}"), 0, 0
    source = proofs(rng, engine, CROWDS[crowd], switches)
    for _ in range(max(2, int(3 * TIMES))):
        program, proof = next(source)
        document = json.loads(proof)
        assert accepts(program, proof), proof
        for times in (1, 1, 1, 2, 2):
            changed = json.dumps(changed_proof(rng, document, times))
            if accepts(program, changed):
                assert_holds(program, changed)
            else:
                refused += 1
        for _ in range(3):
            other = changed_program(rng, program)
            if other is None:
                continue
            forged = {**document, "program": fingerprint(other)}
            try:
                true = is_true(other, document, switches)
            except (TooManyStates, KnasterError):
                continue
            false += not true
            assert true or not accepts(other, json.dumps(forged)), json.dumps(forged)
    assert refused > 4 and (false > 0 or TIMES < 20)


CROWDS_THAT_STOP = {
    "sections": Crowd(threads=(2, 2), statements=(1, 3), sections=0.4, calls=0.2),
    "locked": CROWDS["locked"],
    "starting": Crowd(threads=(1, 2), statements=(1, 3), starts=0.25, sections=0.2),
}


@pytest.mark.parametrize("crowd", CROWDS_THAT_STOP)
def test_no_deadlock(crowd: str) -> None:
    """A proof that there is none is believed of no program in which single configurations find one."""
    rng, accepted, refused = Random(f"no deadlock {crowd}"), 0, 0
    while accepted < max(2, int(3 * TIMES)):
        program = parse(threaded_text(rng, CROWDS_THAT_STOP[crowd]), "a.bp")
        switches = rng.choice((None, None, 1))
        try:
            result = knaster.check(program, "deadlock", engine="states", switches=switches)
            document = json.loads(proof_to_text(result))
        except KnasterError:
            continue
        if "configurations" not in document:
            continue
        assert accepts(result.program, json.dumps(document)), result.program.source
        accepted += 1
        for other in (changed_program(rng, result.program) for _ in range(4)):
            if other is None:
                continue
            try:
                stuck = explore_threads(other, "switches", switches, deadlocks=True, limit=2_000).stuck
            except (TooManyStates, KnasterError):
                continue
            forged = json.dumps({**document, "program": fingerprint(other)})
            believed = accepts(other, forged)
            assert stuck is None or not believed, forged
            refused += stuck is not None
    assert refused > 0 or TIMES < 20
