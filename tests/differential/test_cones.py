"""Random programs of C: what is decided on cones is what all runs of the whole program say."""

from __future__ import annotations

import os

import pytest

import knaster
from knaster.checkers.parts import check_part
from knaster.decide import cones
from knaster.evidence.answers.answer import Answer, Reachable, Result, Unknown
from knaster.evidence.questions.question import Reach
from knaster.semantics.tabulation import Tabulation
from knaster.transform.cones.reduction import ConeReduction
from support.generators.c_cones import random_cones

EXAMPLES = 20 * int(os.environ.get("KNASTER_EXAMPLES", "1"))
BLOCK = 20


def ask(text: str) -> Result | None:
    """Return what all runs say; None where there is nothing to ask."""
    if "assert(" not in text.split("void assert(int);", 1)[1]:
        return None
    return knaster.check(text, file="random.c", engine="search", runs=4_000)


def kind(answer: Answer) -> type:
    return type(answer)


@pytest.mark.parametrize("block", range(0, EXAMPLES, BLOCK))
def test_cones_say_what_all_runs_say(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cones, "LARGEST", 2.0)
    decided = 0
    for seed in range(block, block + BLOCK):
        text = random_cones(seed)
        monkeypatch.setattr(cones, "SMALL", 1 << 30)
        whole = ask(text)
        if whole is None:
            continue
        monkeypatch.setattr(cones, "SMALL", 0)
        parts = ask(text)
        assert parts is not None
        if "parts" not in parts.stats:
            continue
        for (target, expected), (_, answer) in zip(whole.answers, parts.answers, strict=True):
            if Unknown in (kind(expected), kind(answer)):
                continue
            decided += 1
            assert kind(answer) is kind(expected), f"seed {seed}, {target}: {kind(answer)}\n{text}"
            assert answer.checked
    assert decided > BLOCK


@pytest.mark.parametrize("block", range(0, EXAMPLES, BLOCK))
def test_a_part_has_the_runs_of_the_program(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What all runs reach is reached in the part too: seen by running the part itself."""
    monkeypatch.setattr(cones, "SMALL", 1 << 30)
    for seed in range(block, block + BLOCK):
        whole = ask(random_cones(seed))
        for target, expected in whole.answers if whole is not None else ():
            assert whole is not None
            part = ConeReduction(whole.program, Reach((target,))).part
            check_part(whole.program, part, [target])
            if isinstance(expected, Reachable):
                table = Tabulation(part, [target.place], lambda: None)
                table.explore(4_000)
                assert table.found, f"seed {seed}, {target}"
