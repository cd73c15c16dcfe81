"""Random programs of C: what exact abstraction says is what an oracle finds that runs them on every input."""

from __future__ import annotations

import os
from collections import Counter

import pytest

pytest.importorskip("z3")

import knaster
from knaster.base.limits import Limits
from support.generators.c_programs import random_program, text, truth
from support.machines import count_looks

EXAMPLES = 6 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
BLOCK = 6
LOOKS = 5000  # at the clock, for one question


@pytest.mark.parametrize("block", range(0, EXAMPLES, BLOCK))
def test_no_answer_is_wrong(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rounds of new predicates decide many programs; for the others nothing is claimed."""
    count_looks(monkeypatch)
    said: Counter[str] = Counter()
    for seed in range(block, block + BLOCK):
        program = random_program(seed)
        expected = truth(program)
        for property, wrong in (("reach", expected.error), ("termination", expected.endless)):
            if property == "reach" and "reach_error();" not in text(program):
                continue
            result = knaster.check(
                text(program),
                file="random.c",
                engine="yasm",
                property=property,
                limits=Limits(seconds=LOOKS),
                refinements=3,
            )
            verdict = result.verdict.value
            said[verdict] += 1
            if verdict != "UNKNOWN" and wrong is not None:
                assert (verdict == "FALSE") == wrong, f"{property}, seed {seed}\n{text(program)}"
            assert verdict == "UNKNOWN" or all(answer.checked for _, answer in result.answers)
    assert said["TRUE"] and said["FALSE"]
