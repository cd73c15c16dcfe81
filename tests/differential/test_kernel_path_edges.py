"""The kernel on path edges of random programs: it accepts what holds, and of changed proofs just those that hold."""

from __future__ import annotations

import json
import os
from random import Random

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.answers.answer import Unreachable
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster_check import Refused, check, read_program
from support.changed_proofs import changed_proof
from support.generators.boolean_programs import TINY, random_program
from support.oracles.path_edge_closure import is_proof

TIMES = float(os.environ.get("KNASTER_EXAMPLES", "1"))


def accepts(program: str, proof: str) -> bool:
    try:
        check(read_program(program), proof)
    except Refused:
        return False
    return True


def test_changed_proofs_are_accepted_where_they_hold() -> None:
    rng = Random(19)
    asked, right, wrong = 0, 0, 0
    while asked < 60 * TIMES:
        program = random_program(rng, TINY)
        result = knaster.check(program, "all-labels", evidence=knaster.Evidence(proofs=True, traces=False))
        if not any(isinstance(answer, Unreachable) for _, answer in result.answers):
            continue
        asked += 1
        text, document = program_to_kernel(program), json.loads(proof_to_text(result))
        assert accepts(text, json.dumps(document)) and is_proof(program, document)
        for times in (1, 1, 2, 3):
            changed = changed_proof(rng, document, times)
            accepted = accepts(text, json.dumps(changed))
            try:
                holds = is_proof(program, changed)
            except (LookupError, TypeError, AttributeError, ValueError):
                holds = False  # it has no meaning at all
            assert accepted <= holds, json.dumps(changed)
            right, wrong = right + accepted, wrong + (not accepted)
    assert min(right, wrong) > 0.1 * (right + wrong)
