"""Measures of C programs that are wrong, each in its own way, and made by hand: the kernel believes none of them."""

from __future__ import annotations

import pytest

from support.attacks.on_measures import MEASURED, RANKINGS, ranking
from support.c_attacks import program_of, refuses
from support.kernel import kernel


@pytest.mark.parametrize(("name", "number"), MEASURED)
def test_wrong_measures(name: str, number: int) -> None:
    text, said, _, wrong = RANKINGS[name]
    program = program_of(text)
    refuses(program, ranking(program, said, wrong[number], False))


@pytest.mark.parametrize("name", [name for name, group in RANKINGS.items() if group[2] is not None])
def test_the_right_measures_are_believed(name: str) -> None:
    text, said, right, _ = RANKINGS[name]
    program = program_of(text)
    assert right is not None and kernel(program, ranking(program, said, right, False)).claim == "ends"


def test_steps_ahead_of_another_one_still_decrease() -> None:
    for name in ("unsigned", "recursion in a loop", "a value that stays"):
        text, said, _, wrong = RANKINGS[name]
        program = program_of(text)
        for one in wrong:
            refuses(program, ranking(program, said, one, True))
