"""The kernel on random questions about all runs of threads and of models: it believes what engines prove, and no more.

A proof is changed at random, or given for another question; what the kernel still believes our own checker believes,
too: two that share no code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.evidence.questions.question import FAIRNESS, Temporal, Termination
from knaster.frontends.boolean import parse
from knaster.frontends.zing import parse as parse_model
from knaster.program.model import Program
from knaster.program.threads import recursive_procedure
from knaster_check import Refused
from knaster_check.refused import Unsupported
from support.changed_proofs import changed_proof
from support.generators.ltl import random_formula
from support.generators.threaded_programs import Crowd, threaded_text
from support.generators.zing_loops import random_loops
from support.kernel import kernel

SMALL = Crowd(threads=(2, 2), statements=(1, 3), calls=0.2, lock=0.2, sections=0.25, enforces=0.1)
STATICS = ["{Main.x}", "{!Main.x || Main.n > 0}", "{Main.n == 1}", "in(step)", "thread(1).in(t0)", "thread(2).in(t1)"]


def random_program(rng: Random, kind: str) -> tuple[Program, list[str]]:
    """Return a program and atoms that mean something in it."""
    if kind == "models":
        program = parse_model(random_loops(rng), "random.zing")
        labels = [f"at({label})" for procedure in program.procedures for label, _ in procedure.labels]
        return program, ["ended", *STATICS, *labels[:3]]
    program = parse(threaded_text(rng, SMALL), "random.bp", "default", None)
    labels = [f"at({label})" for procedure in program.procedures for label, _ in procedure.labels]
    inside = [f"in({name})" for name in program.threads]
    return program, ["ended", *(f"{{{name}}}" for name in program.globals), *inside, *labels[:3]]


def proofs(rng: Random, kind: str) -> Iterator[tuple[Program, str]]:
    """Yield programs with a proof or a run that answers a random question."""
    while True:
        program, atoms = random_program(rng, kind)
        if kind == "threads" and recursive_procedure(program) is not None:
            continue
        asked: Temporal | Termination = Termination(fair=rng.choice(FAIRNESS))
        if rng.random() < 0.8:
            formula = random_formula(rng, rng.randrange(1, 6), tuple(rng.sample(atoms, min(3, len(atoms)))))
            asked = Temporal(formula, fair=rng.choice(FAIRNESS))
        try:
            found = knaster.check(program, asked, engine="explicit", states=500, evidence=knaster.Evidence(proofs=True))
            yield found.program, proof_to_text(found)
        except KnasterError:
            continue


def believes(program: Program, proof: str) -> bool | None:
    """Tell whether the kernel believes a proof; None where it says nothing."""
    try:
        kernel(program, proof)
    except Unsupported:
        return None
    except Refused:
        return False
    return True


def is_checked(program: Program, proof: str) -> bool:
    """Tell whether our own checker believes a proof."""
    try:
        check_proof_text(proof, program, 1 << 14, Budget())
    except KnasterError:
        return False
    return True


def other_question(rng: Random, proof: str) -> str:
    """Return a proof that is said to be about other runs, or about another formula."""
    document = json.loads(proof)
    name = next(each for each in ("run_of_threads", "fair_table", "fair_states") if each in document)
    data = document[name]
    if data["formula"] is not None and rng.random() < 0.7:
        data["formula"] = rng.choice([f"!({data['formula']})", f"F ({data['formula']})", f"X ({data['formula']})"])
    else:
        data["fair"] = rng.choice([fair for fair in FAIRNESS if fair != data["fair"]])
    return json.dumps(document)


def compare(rng: Random, kind: str, programs: int, changes: int) -> set[str]:
    """Compare the kernel with our own checkers; return what was seen."""
    source, seen = proofs(rng, kind), set()
    for _ in range(programs):
        program, proof = next(source)
        if not any(f'"{name}"' in proof for name in ("run_of_threads", "fair_table", "fair_states")):
            continue
        assert believes(program, proof) is not False, (program.source, proof[:300])
        seen.add("run" if "run_of_threads" in proof else "table")
        for number in range(changes):
            other = other_question(rng, proof) if number % 3 == 0 else json.dumps(changed_proof(rng, json.loads(proof)))
            if believes(program, other):
                seen.add("believed")
                assert is_checked(program, other), (program.source, other)
            else:
                seen.add("refused")
    return seen


@pytest.mark.parametrize("kind", ["threads", "models"])
def test_random_proofs_and_changes(kind: str) -> None:
    assert compare(Random(f"all runs {kind}"), kind, 12, 6) >= {"run", "table", "refused"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["threads", "models"])
@pytest.mark.parametrize("seed", range(10))
def test_many_random_proofs_and_changes(kind: str, seed: int) -> None:
    compare(Random(f"all runs, many {kind} {seed}"), kind, 40, 20)
