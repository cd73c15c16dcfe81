"""The kernel on runs: of random programs it accepts what the interpreter did, and of changed runs what replays."""

from __future__ import annotations

import json
import os
from random import Random

import knaster
from knaster.base.errors import KnasterError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.proofs.files import write_document
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.evidence.proofs.table import kind_of
from knaster.evidence.questions.question import Target
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster_check import Refused, check, read_program
from support.changed_proofs import changed_proof
from support.generators.boolean_programs import SMALL, random_program
from support.generators.c_programs import random_program as random_c
from support.generators.c_programs import text as c_text
from support.generators.threaded_programs import Crowd, threaded_text
from support.oracles.random_runs import random_trace, target_of

TIMES = float(os.environ.get("KNASTER_EXAMPLES", "1"))


def accepts(program: str, proof: str) -> bool:
    try:
        return check(read_program(program), proof).claim in ("reachable", "endless")
    except Refused:
        return False


def compare(rng: Random, program: Program, proof: str, times: int = 6) -> int:
    """Change a run; what the kernel accepts the interpreter must replay.  Return how many it refuses."""
    text, document = program_to_kernel(program), json.loads(proof)
    assert accepts(text, proof)
    refused = 0
    for _ in range(times):
        changed = json.dumps(changed_proof(rng, document, rng.choice((1, 1, 2))))
        if not accepts(text, changed):
            refused += 1
            continue
        assert check_proof_text(changed, program, 1 << 12, Budget()) is not None
    return refused


def test_random_runs_of_sequential_programs() -> None:
    rng, refused = Random(7), 0
    for _ in range(int(60 * TIMES)):
        program = random_program(rng, SMALL)
        trace = random_trace(rng, program)
        if trace is None:
            continue
        target, kind = target_of(trace), kind_of(trace)
        assert kind is not None
        labels = dict((at, name) for name, at in program.procedure(target.procedure).labels)
        if target.location not in labels:
            continue
        named = Target(labels[target.location], target.procedure, target.location, 0)
        refused += compare(rng, program, write_document(program, [named], kind, trace))
    assert refused > 40 * TIMES


def test_runs_of_threads() -> None:
    rng, refused = Random(8), 0
    for _ in range(int(25 * TIMES)):
        program = parse(threaded_text(rng), "a.bp")
        try:
            result = knaster.check(program, "all-labels", switches=2)
        except KnasterError:
            continue
        for target, answer in result.answers:
            if isinstance(answer, Reachable) and answer.trace is not None and target.has_place:
                kind = kind_of(answer.trace)
                assert kind is not None
                refused += compare(rng, program, write_document(program, [target], kind, answer.trace), 2)
    assert refused > 30 * TIMES


def test_runs_of_integers() -> None:
    rng, asked = Random(9), 0
    for seed in range(int(25 * TIMES)):
        try:
            result = knaster.check(c_text(random_c(seed)), file="a.c", engine="search", runs=2_000)
            proof = proof_to_text(result)
        except KnasterError:
            continue
        if '"run"' in proof:
            asked += 1
            compare(rng, result.program, proof, 4)
    assert asked > 3 * TIMES


def test_random_runs_to_deadlocks() -> None:
    """Each is believed, and none of its beginnings."""
    crowds = (Crowd(sections=0.3, calls=0.2), Crowd(lock=1.0, sections=0.0, calls=0.2), Crowd((1, 2), starts=0.3))
    for number in range(int(12 * TIMES)):
        rng = Random(f"runs to deadlocks {number}")
        program = parse(threaded_text(rng, crowds[number % 3]), "a.bp")
        try:
            result = knaster.check(program, "deadlock", engine="explicit", states=500)
            document = json.loads(proof_to_text(result))
        except KnasterError:
            continue
        if "run" not in document:
            continue
        text, segments = program_to_kernel(result.program), document["run"]["segments"]
        assert accepts(text, json.dumps(document))
        for cut in range(1, len(segments)):
            document["run"]["segments"] = segments[:cut]
            assert not accepts(text, json.dumps(document))
