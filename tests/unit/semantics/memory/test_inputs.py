"""Inputs of runs: given ones in their order, and the numbers that are worth trying."""

from __future__ import annotations

import pytest

import knaster
from knaster.program.expression import NOWHERE
from knaster.program.state import NoInput
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.inputs import Candidates, Given, Numbers

TEXT = "int main(void) { int a[3]; int *p = a; int x = 0; if (x == 40 || x + 1000 < 7) { *p = 900; p[%s] = 1; } }\n"


def test_given_inputs_are_read_one_by_one() -> None:
    inputs = Given((5, True))
    assert inputs.choose(Int(8), "x", NOWHERE) == 5 and inputs.choose(BOOL, "y", NOWHERE) is True
    assert [(reading.origin, reading.value) for reading in inputs.read] == [("x", 5), ("y", True)]
    with pytest.raises(NoInput):
        inputs.choose(BOOL, "z", NOWHERE)
    with pytest.raises(NoInput):
        inputs.any_value(0, 1)
    inputs = Given((5,))
    inputs.frozen = True
    with pytest.raises(Unclear):
        inputs.choose(BOOL, "z", NOWHERE)


def numbers(index: str = "x") -> Numbers:
    return Numbers(knaster.parse(TEXT % index, file="a.c"))


def test_numbers_of_the_program_and_beside_them() -> None:
    """Operands of arithmetic and of comparisons, also inside of memory; other constants are none."""
    found = numbers().all
    assert found[:4] == (0, 1, -1, 2)
    assert {39, 40, 41, -40, 999, 1000, 1001, -1000, 6, 7, 8, -7, 3, -2, 5, 10} <= set(found)
    assert not {900, 901, -900, -39, -41} & set(found)
    assert found.index(8) < found.index(39) < found.index(-40) < found.index(1000)
    assert found.index(-7) < found.index(7) and found.index(3) > found.index(1001)
    assert 33 in numbers("x + 33").all and len(set(found)) == len(found)


@pytest.mark.parametrize("power", [63, 64, 65])
def test_numbers_that_no_type_has_are_left_out(power: int) -> None:
    wide = "unsigned __int128"
    text = f"int main(void) {{ int g; int *p = &g; {wide} x = *p; return x < (({wide})1 << {power}); }}\n"
    assert (2**power in Numbers(knaster.parse(text, file="a.c")).all) is (power < 64)


def test_numbers_of_an_interval() -> None:
    some = numbers()
    assert some.within(3, 7) == [6, 7, 3, 5] and sorted(some.within(-7, 7))[0] == -7
    assert some.within(100, 200) == [100, 200] and some.within(40, 40) == [40]
    some.all = tuple(range(50))
    assert some.within(0, 49) == [*range(22), 49] and some.within(10, 12) == [10, 11, 12]
    assert some.within(-5, 100) == [*range(22), -5, 100]


def test_ways_are_taken_as_told_and_then_the_first() -> None:
    inputs = Candidates(numbers(), (2, 1))
    assert [inputs.pick(3), inputs.pick(2), inputs.pick(4)] == [2, 1, 0]
    assert inputs.taken == [2, 1, 0] and inputs.counts == [3, 2, 4] and inputs.candidates(40, 40) == [40]
