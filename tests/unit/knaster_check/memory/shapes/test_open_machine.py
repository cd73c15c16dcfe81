"""The machine in states of shapes: it looks into no segment, reads nothing forgotten, and chooses any number late."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import read_program
from knaster_check.memory.codes import Codes
from knaster_check.memory.faults import Undefined
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.objects import LOCAL, to_bytes
from knaster_check.memory.shapes.open_inputs import OpenInputs
from knaster_check.memory.shapes.open_machine import Look, OpenMachine, changing
from knaster_check.memory.shapes.shape import ANY, Node, Range, Shape
from knaster_check.memory.values import Address, Following
from knaster_check.program import Type
from knaster_check.refused import Unsupported
from support.kernel_shapes import LINK, cell, dead, frame, segment, shape

pytest.importorskip("clang.cindex")
TEXT = """void nobody(void);
int g = 7; const int k = 5; struct n { int d; struct n *next; };
int f(int n) { return n; }
int main(void) { struct n *p = 0; int i = 0; p = p->next; i = i + 1; return f(i); }
"""
PLACE = (3, 4)
INT: Type = ("int", 32, True)
POINTER: Type = ("address", 8)


@cache
def codes() -> Codes:
    return Codes(read_program(program_to_kernel(load(TEXT, file="a.c", objects="always"))))


def machine(inputs: Inputs | None = None) -> OpenMachine:
    return OpenMachine(codes(), inputs or OpenInputs(), lambda kind, place, at_once: None)


STATICS = [declared.name for declared in codes().layout.objects]
G = Node(4, "global", 0, True, True, dict(enumerate(to_bytes(7, 4))))


def state(values: dict[str, Any], *nodes: Node, **more: Any) -> Shape:
    """Return a shape of main with the global object `g` as it is at first; other nodes have numbers from 11."""
    own = {STATICS.index("g") + 1: G, **dict(enumerate(nodes, 11))}
    return shape(values, **more)._replace(nodes=own)


def woken(values: dict[str, Any], *nodes: Node, inputs: Inputs | None = None, **more: Any) -> OpenMachine:
    """Return a machine in states of a shape."""
    found, own = machine(), inputs or OpenInputs()
    found.wake(state(values, *nodes, **more), own)
    return found


def test_which_objects_may_change() -> None:
    assert changing(codes().layout) == {STATICS.index("g") + 1}
    begun = machine().shape()
    assert begun.nodes == {STATICS.index("g") + 1: G} and begun.frames[0].procedure == "main"
    first = machine()
    with pytest.raises(AttributeError):
        first.objects[STATICS.index("k") + 1].put(0, [1])


@pytest.mark.parametrize(
    "own",
    [
        state({"p": 11, "i": 4}, cell(12), segment(0)),
        state({"p": 11}, dead(), forgotten=frozenset(("i",))),
        state({"p": 12}, segment(12, 7), cell(11), objects={"x": 13}, owned=(12,), results=(7,)),
        state({"p": 11}, Node(4, LOCAL, 0, False, True, {1: ANY})),
    ],
)
def test_it_is_what_it_was_put_into(own: Shape) -> None:
    found = machine()
    found.wake(own, OpenInputs())
    assert found.shape() == own


def test_a_range_is_an_input() -> None:
    inputs = OpenInputs()
    found = woken({"i": Range(3, 9)}, inputs=inputs, results=(Range(1, 2),))
    value = found.frames[0].values["i"]
    assert isinstance(value, Following) and (inputs.values, inputs.last) == ([3, 1], [9, 2])


def test_two_activations() -> None:
    own = Shape((frame({"p": 0}), frame({}, "f", results=(4,), targets=("i",), after=2, location=1)), {})
    found = machine()
    found.wake(own, OpenInputs())
    assert [each.code.procedure.name for each in found.frames] == ["main", "f"]
    assert found.frames[1].targets == ("i",) and found.frames[1].after == 2 and found.frames[1].location == 1
    assert found.shape() == own


def test_who_looks_into_a_segment_is_told_to() -> None:
    found = woken({"p": 12}, cell(0), segment(0))
    assert found.load(Address(11, LINK), POINTER, PLACE) == Address(0, 0)
    for look in (lambda: found.load(Address(12, LINK), POINTER, PLACE), lambda: found.objects.get(12)):
        with pytest.raises(Look) as told:
            look()
        assert told.value.base == 12
    assert found.objects[11].size == 16 and found.objects.get(99) is None and found.objects.get(99, 5) == 5
    with pytest.raises(Unsupported, match="no shape has"):
        found.load(Address(99, 0), INT, PLACE)


def test_new_objects_have_new_numbers() -> None:
    found = woken({}, cell(0), segment(0))
    assert found.allocate(4, LOCAL) == Address(13, 0) and found.allocate(4, LOCAL) == Address(14, 0)
    assert woken({}).allocate(4, LOCAL) == Address(len(STATICS) + 1, 0)


def test_nobody_reads_what_is_forgotten() -> None:
    found = woken({"p": 0}, forgotten=frozenset(("i", "p")))
    values = found.frames[0].values
    assert "p" in values and "j" not in values
    with pytest.raises(Unsupported, match="'i' is read, and nothing is known of it"):
        _ = "i" in values
    values["i"] = 3
    assert "i" in values and found.shape().frames[0].forgotten == frozenset()
    values.pop("i")
    assert found.shape().frames[0].forgotten == {"i"}


def test_any_number_is_chosen_when_it_is_read() -> None:
    inputs = OpenInputs()
    found = woken({"p": 11}, cell(0), inputs=inputs)
    value = found.load(Address(11, 0), INT, PLACE)
    assert isinstance(value, Following) and inputs.last == [(1 << 31) - 1]
    assert found.load(Address(11, 0), INT, PLACE).number == value.number
    assert ANY not in found.objects[11].bytes.values()


def test_a_part_of_any_number_is_chosen_byte_by_byte() -> None:
    inputs = OpenInputs([3])
    found = woken({"p": 11}, Node(4, "heap", None, True, True, {0: 1, 1: ANY, 2: 0, 3: 0}), inputs=inputs)
    found.load(Address(11, 0), INT, PLACE)
    assert inputs.last == [255] and found.objects[11].get(0, 1) == [1]
    assert found.objects[11].get(1, 1) != [ANY]


def test_any_number_is_no_pointer_and_no_float() -> None:
    found = woken({"p": 11}, Node(16, "heap", 0, True, True, {8: ANY}))
    for type in (POINTER, ("floating", 64)):
        with pytest.raises(Unsupported, match=f"any number is read as one of the type '{type[0]}'"):
            found.load(Address(11, 8), type, PLACE)
    assert found.load(Address(11, 0), POINTER, PLACE) == Address(0, 0)


def test_any_number_may_be_no_truth_value() -> None:
    node = Node(1, "heap", None, True, True, {0: ANY})
    values = []
    for number in range(2):
        values.append(woken({}, node, inputs=OpenInputs([number])).load(Address(11, 0), ("bool",), PLACE))
    assert values == [False, True]
    with pytest.raises(Undefined) as fault:
        woken({}, node, inputs=OpenInputs([2])).load(Address(11, 0), ("bool",), PLACE)
    assert (fault.value.kind, fault.value.place) == ("boolean", PLACE)


def test_copies_stay_any_number() -> None:
    found = woken({}, cell(0), inputs=OpenInputs())
    image = found.load(Address(11, 0), ("bytes", 16), PLACE)
    assert [image.bytes[at] for at in range(4)] == [ANY] * 4


def test_what_is_used_must_be_there() -> None:
    with pytest.raises(Undefined, match="bounds"):
        woken({}, cell(0)).load(Address(11, 13), INT, PLACE)


def test_what_shapes_do_not_have() -> None:
    found = woken({"p": 0})
    found.answers["x"] = 1
    with pytest.raises(Unsupported, match="remembers"):
        found.shape()
    found.wake(state({"p": 0}), OpenInputs())
    assert found.shape() == state({"p": 0})
    found.frames[0].further = (1,)
    with pytest.raises(Unsupported, match="without names"):
        found.shape()
    with pytest.raises(Unsupported, match="'nobody2' is a function that nobody defines"):
        found.address_of(found.frames[0], "nobody2")
    assert found.address_of(found.frames[0], "g") == Address(STATICS.index("g") + 1, 0)
