"""The kernel on fair sets of random threads: it accepts what the engine proves, and nothing that is not so.

A proof of one program is handed over as one of a program with a statement changed, a proof of one kind of fairness as
one of another: where the graph of single configurations has a run that counts and breaks the formula, it is refused.
Changed proofs that the kernel accepts our own checker accepts, too.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import knaster
from knaster.base.errors import KnasterError
from knaster.base.limits import Budget
from knaster.checkers.files import check_proof_text, proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster.evidence.questions.question import FAIRNESS, Temporal, Termination
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.program.threads import recursive_procedure
from knaster_check import Refused
from support.changed_programs import changed_program
from support.changed_proofs import changed_proof
from support.generators.ltl import random_formula
from support.generators.threaded_programs import Crowd, threaded_text
from support.kernel import kernel

TIMES = float(os.environ.get("KNASTER_EXAMPLES", "1"))
CROWDS = {
    "plain": Crowd(threads=(2, 2), statements=(1, 3), calls=0.2, sections=0.25),
    "locked": Crowd(threads=(2, 2), statements=(1, 3), lock=1.0, enforces=0.2),
    "starting": Crowd(threads=(1, 2), statements=(1, 3), starts=0.25, copies=True),
}
FORM = ("not numbered", "in order", "is none of the nodes", "this is no proof")
Question = Temporal | Termination


def random_question(rng: Random, program: Program) -> Question:
    fair = rng.choice(FAIRNESS)
    if rng.random() < 0.25:
        return Termination(fair=fair)
    labels = [label for procedure in program.procedures for label, _ in procedure.labels]
    atoms = ["ended", *(f"{{{name}}}" for name in program.globals), *(f"in({name})" for name in program.threads)]
    atoms += [f"at({label})" for label in labels[:3]]
    return Temporal(random_formula(rng, rng.randrange(1, 5), tuple(rng.sample(atoms, min(3, len(atoms))))), fair=fair)


def proofs(rng: Random, crowd: Crowd) -> Iterator[tuple[Program, Question, dict[str, Any]]]:
    """Yield programs, questions and proofs by fair sets."""
    while True:
        program = parse(threaded_text(rng, crowd), "a.bp")
        if recursive_procedure(program) is not None:
            continue
        question = random_question(rng, program)
        try:
            result = knaster.check(program, question, engine="states", evidence=knaster.Evidence(proofs=True))
            document = json.loads(proof_to_text(result))
        except KnasterError:
            continue
        if "fair_sets" in document:
            yield result.program, question, document


def accepts(program: Program, document: dict[str, Any]) -> bool:
    try:
        kernel(program, document)
    except Refused:
        return False
    return True


def is_true(program: Program, question: Question) -> bool | None:
    try:
        verdict = knaster.check(program, question, engine="explicit", states=2_000).verdict.value
    except KnasterError:
        return None
    return {"TRUE": True, "FALSE": False}.get(verdict)


def holds(program: Program, document: dict[str, Any]) -> bool:
    try:
        check_proof_text(json.dumps(document), program, 1 << 12, Budget())
    except KnasterError as wrong:
        return any(word in str(wrong) for word in FORM)
    return True


def attack(rng: Random, crowd: Crowd, count: int) -> Counter[str]:
    """Return how often proofs were accepted, and others refused that claim what is not so."""
    done: Counter[str] = Counter()
    source = proofs(rng, crowd)
    for _ in range(count):
        program, question, document = next(source)
        assert accepts(program, document), (program.source, str(question), question.fair)
        done["accepted"] += 1
        for times in (1, 1, 2):
            changed = changed_proof(rng, document, times)
            believed = accepts(program, changed)
            assert not believed or holds(program, changed), json.dumps(changed)
            done["changed"] += not believed
        for other in (changed_program(rng, program) for _ in range(4)):
            if other is not None and is_true(other, question) is False:
                assert not accepts(other, {**document, "program": fingerprint(other)}), json.dumps(document)
                done["another program"] += 1
        for fair in FAIRNESS:
            asked = (
                Termination(fair=fair) if isinstance(question, Termination) else Temporal(question.formula, fair=fair)
            )
            if fair != question.fair and is_true(program, asked) is False:
                claimed = {**document, "fair_sets": {**document["fair_sets"], "fair": fair}}
                assert not accepts(program, claimed), (program.source, str(question), fair)
                done["another fairness"] += 1
    return done


@pytest.mark.parametrize("crowd", CROWDS)
def test_fair_sets(crowd: str) -> None:
    done = attack(Random(f"fair sets {crowd}"), CROWDS[crowd], max(3, int(3 * TIMES)))
    assert done["changed"] > 3


@pytest.mark.slow
@pytest.mark.parametrize("crowd", CROWDS)
def test_many_fair_sets(crowd: str) -> None:
    done = attack(Random(f"many fair sets {crowd}"), CROWDS[crowd], 60)
    assert done["another program"] > 3
