"""The arguments of main at the machine: where their array ends, what its texts are, and how long they are."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.program.expression import NOWHERE
from knaster.program.memory import Address, Addresses
from knaster.program.types import Int
from knaster.semantics.memory.arguments import ARGUMENTS, TEXT, argument_at, refuse_end, untouched_length
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.inputs import Candidates, Numbers
from knaster.semantics.memory.symbolic.symbols import Symbol
from support.memory_desk import Desk, symbolic_desk

POINTER = Addresses(8)


def test_the_array() -> None:
    desk = Desk(5, 7)
    at = desk.call("main_arguments", 2)
    found = desk.object(at)
    assert (found.size, found.kind, found.writable) == (24, ARGUMENTS, False)

    def read(offset: int, type: Any = POINTER) -> Any:
        return argument_at(desk.machine, found, offset, type, NOWHERE)

    assert read(16) == 0
    first = read(0)
    text = desk.object(first)
    assert (text.kind, text.size, text.writable, text.name) == (TEXT, 6, False, "the text of argv[0]")
    assert desk.bytes(first) == [None] * 5 + [0] and found.read(0, 8) == first
    assert desk.object(read(8)).name == "the text of argv[1]"
    assert [each.origin for each in desk.read] == ["the length of argv[0]", "the length of argv[1]"]
    for offset, type in ((4, POINTER), (0, Int(64))):
        with pytest.raises(Unclear):
            read(offset, type)


def test_lengths_that_are_chosen_late_or_never() -> None:
    desk = Desk(inputs=Candidates(Numbers(Desk().machine.program), ()))
    late = desk.machine.inputs.choose(Int(32, False), "argc", NOWHERE)
    assert isinstance(desk.object(desk.call("main_arguments", late)).size, int)
    text = argument_at(desk.machine, desk.object(desk.call("main_arguments", 2)), 0, POINTER, NOWHERE)
    assert isinstance(desk.object(text).size, int)
    desk, inputs = symbolic_desk(2, 16, 3)
    count, offset = (inputs.choose(Int(32, False), "", NOWHERE) for _ in range(2))
    found = desk.object(desk.call("main_arguments", count))
    assert isinstance(found.size, Symbol) and inputs.number(found.size) == 24
    assert argument_at(desk.machine, found, offset, POINTER, NOWHERE) == 0
    inputs.given = (2, 8, 3)
    assert argument_at(desk.machine, found, offset, POINTER, NOWHERE) is None
    text = argument_at(desk.machine, found, 8, POINTER, NOWHERE)
    assert isinstance(desk.object(text).size, Symbol) and inputs.number(desk.object(text).size) == 4


@pytest.mark.parametrize("kind", [TEXT, "heap"])
def test_no_byte_before_the_end_is_zero(kind: str) -> None:
    desk, inputs = symbolic_desk(0, 1)
    found = desk.object(desk.new(size=3, kind=kind))
    zero, one = (inputs.choose(Int(8, False), "", NOWHERE) for _ in range(2))
    for byte, condition in ((1, True), (one, True), (0, False)):
        refuse_end(found, byte, condition)
    for byte, condition in ((0, True), (zero, True), (zero, one.is_true()), (0, one.is_true())):
        if kind == TEXT:
            with pytest.raises(Stopped):
                refuse_end(found, byte, condition)
        else:
            refuse_end(found, byte, condition)


def test_lengths_that_are_known() -> None:
    desk = Desk()
    text = desk.new(size=6, kind=TEXT, writable=False)

    def length(place: Address) -> Any:
        return untouched_length(desk.machine, place, NOWHERE)

    assert length(text) == 5 and length(Address(text.base, 2)) == 3 and length(Address(text.base, 5)) == 0
    assert length(desk.new(size=6)) is None and length(Address(0, 0)) is None
    assert length(desk.new(size=6, writable=False)) is None and length(desk.new(size=6, kind=TEXT)) is None
    with pytest.raises(Fault):
        length(Address(text.base, 6))
