"""Infinite runs of Zing models that recurse: as the Boolean program with the same statements has them.

The oracle is another method for another language: the ranks of `boolean/ranks`.
"""

from __future__ import annotations

from random import Random

import pytest

import knaster
from knaster.automata.ltl import to_text
from support.generators.ltl import random_formula
from support.generators.zing_twins import ATOMS, random_twins


def compare(random: Random) -> str:
    model, program = random_twins(random)
    formula = random_formula(random, random.randrange(1, 6), tuple(random.sample(list(ATOMS), 3)))
    asked = "termination" if random.random() < 0.25 else f"true & ({to_text(formula)})"
    expected = knaster.check(program, file="p.bp", property=asked).verdict
    for theirs, ours in ATOMS.items():
        asked = asked.replace(theirs, ours)
    for engine in ("visible", "patterns"):
        result = knaster.check(model, file="p.zing", property=asked, engine=engine)
        assert result.verdict is expected, (model, program, asked, engine)
        assert all(answer.checked for _, answer in result.answers)
    return expected.value


def test_random_models() -> None:
    random = Random("two twins")
    assert {compare(random) for _ in range(5)} == {"TRUE", "FALSE"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_many_random_models(seed: int) -> None:
    random = Random(f"twins {seed}")
    for _ in range(50):
        compare(random)
