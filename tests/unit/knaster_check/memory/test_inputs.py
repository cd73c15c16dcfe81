"""Inputs of the kernel: a few runs stand for all values, and none is left out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from knaster_check.memory import inputs as module
from knaster_check.memory.faults import Place
from knaster_check.memory.inputs import Cover, Inputs
from knaster_check.memory.numbers import cast, compare, compute
from knaster_check.memory.values import NULL, WILD, Image
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


def test_parts_of_inputs() -> None:
    inputs = Inputs([513, 2])
    one, other = inputs.between(500, 600), inputs.between(0, 5)
    assert inputs.byte_of(one, 1) == 2 and inputs.byte_of(one, 0) == 1 and inputs.reach == [513, 5]
    assert inputs.joined([1, 2]) == 513 and inputs.moved(3, other, 4) == 11 and inputs.reach == [513, 2]
    assert inputs.pinned(7) == 7


def test_kinds_of_inputs() -> None:
    inputs = Inputs([1, 1, 0])
    assert (
        inputs.choose(("bool",)) is True
        and inputs.choose(("address", 8)) == WILD
        and inputs.choose(("address", 8)) == NULL
    )
    assert inputs.choose(("bytes", 3)) == Image(3, {}) and inputs.reach == [1, 1, 0]


def test_how_many_values_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 5)
    for last, known in ((5, True), (6, False)):
        inputs = Inputs()
        given = inputs.between(0, last)
        if known:
            assert inputs.pinned(given) == 0
        else:
            with pytest.raises(Unsupported, match="5 values"):
                inputs.pinned(given)


def test_runs_that_read_other_inputs_are_not_judged() -> None:
    def walk_with(*lasts: list[int]) -> None:
        """Pin every input of runs that have so many values of each."""
        for inputs, row in zip(Cover(), lasts, strict=False):
            for last in row:
                inputs.pinned(inputs.between(0, last))

    walk_with([1, 1], [1, 1], [1, 1], [1, 1])
    with pytest.raises(Unsupported, match="fewer"):
        walk_with([1, 1], [1], [1])
    with pytest.raises(Unsupported, match="other inputs"):
        walk_with([1, 1], [2, 1], [1])
