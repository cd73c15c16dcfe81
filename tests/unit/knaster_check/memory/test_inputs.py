"""Inputs of the kernel: a few runs stand for all values, and none is left out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from knaster_check.memory.faults import Place
from knaster_check.memory.inputs import Cover, Inputs
from knaster_check.memory.numbers import cast, compare, compute
from knaster_check.refused import Unsupported

CHAR, BYTE = ("int", 8, True), ("int", 8, False)


class Bare:
    """What arithmetic needs of a machine."""

    pointer, place = 8, (1, 1)

    def __init__(self, inputs: Any) -> None:
        self.inputs = inputs
        self.notes: list[str] = []

    def note(self, kind: str, place: Place, at_once: bool = False) -> None:
        self.notes.append(kind)


def walk(random: Random, machine: Any, values: list[Any]) -> list[Any]:
    """Return what a random program says about some inputs: how they compare, and which sums overflow."""
    said: list[Any] = []
    for _ in range(6):
        one, number = random.choice(values), random.randint(-140, 270)
        match random.randrange(5):
            case 0:
                said.append(compare(machine, random.choice(("==", "!=", "<", "<=", ">", ">=")), one, number))
            case 1:
                left, right = (one, number % 100) if random.random() < 0.5 else (number % 100, one)
                values.append(compute(machine, random.choice("+-"), left, right, random.choice((CHAR, BYTE)), (1, 1)))
            case 2:
                values.append(cast(machine, one, random.choice((CHAR, BYTE)), (1, 1)))
            case 3:
                said.append(compare(machine, random.choice(("==", "<", ">=")), one, random.choice(values)))
            case _:
                said.append(compute(machine, random.choice("*&/"), one, 3, CHAR, (1, 1)))
        said.append(tuple(machine.notes))
    return said


@pytest.mark.parametrize("seed", range(30))
def test_few_runs_say_what_all_values_say(seed: int) -> None:
    plain = set()
    for value in range(-128, 128):
        plain.add(repr(walk(Random(seed), Bare(Inputs()), [value])))
    covered, count = set(), 0
    for inputs in Cover():
        covered.add(repr(walk(Random(seed), Bare(inputs), [inputs.choose(CHAR)])))
        count += 1
    assert covered == plain
    assert count <= 256


def test_every_pair_of_two_inputs_is_met() -> None:
    met = set()
    for inputs in Cover():
        one, other = inputs.choose(BYTE), inputs.choose(BYTE)
        machine: Any = Bare(inputs)
        if compare(machine, "<", one, 3) and compare(machine, ">", other, 250):
            met.add((inputs.pinned(one), inputs.pinned(other)))
    assert met == {(one, other) for one in range(3) for other in range(251, 256)}


def test_inputs_that_nobody_looks_at_are_one_run() -> None:
    runs = 0
    for inputs in Cover():
        runs += 1
        for _ in range(5):
            inputs.choose(("int", 32, True))
    assert runs == 1


def test_an_input_with_too_many_values_is_not_enumerated() -> None:
    inputs = Inputs()
    with pytest.raises(Unsupported, match="1,000 values"):
        inputs.pinned(inputs.choose(("int", 32, True)))
    with pytest.raises(Unsupported, match="floating"):
        inputs.choose(("floating", 64))
