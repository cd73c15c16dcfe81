"""Machines that begin in a shape, part by part: what they know of objects, activations and variables, and what not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from knaster.checkers.memory.enumerated_inputs import EnumeratedInputs
from knaster.frontends.languages import load
from knaster.program.expression import NOWHERE
from knaster.program.memory import Address, Addresses, Chunk, Fragment, Snapshot
from knaster.program.model import Program
from knaster.program.types import Int
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import LEAK, LOST, RACE
from knaster.semantics.memory.objects import ELSEWHERE, HEAP, LOCAL
from knaster.semantics.memory.shapes import sleeping_machine as module
from knaster.semantics.memory.shapes.shape import FrameShape, Node, Range, Shape, Unfit
from knaster.semantics.memory.shapes.sleeping_machine import SleepingMachine, Unfold
from support.shapes import cell, segment, shape

pytest.importorskip("clang.cindex")

TEXT = """struct n { int d; struct n *next; };
int g(int v) { int k; k = v; return k; }
int main(void) { struct n *p = 0; int i = 0; unsigned char c = 0; p = p->next; i = g(1); return i + c; }
"""
WORD, POINTER = Int(32), Addresses(8)


def machine(text: str = TEXT, strict: frozenset[str] = frozenset()) -> SleepingMachine:
    program = load(text, file="a.c", objects="always")
    assert isinstance(program, Program)
    inputs = EnumeratedInputs()
    inputs.vague = True
    return SleepingMachine(Codes(program), inputs, strict)


def awake(*nodes: Node, text: str = TEXT, **registers: Any) -> SleepingMachine:
    found = machine(text)
    found.wake(shape(registers, *nodes))
    return found


def bytes_(*cells: tuple[int, int, Any], zeroed: bool = False, size: int = 16) -> Node:
    return Node(size, HEAP, "", zeroed, True, True, cells)


# Objects


def test_nobody_looks_into_a_segment_in_whatever_way() -> None:
    found = awake(segment(0), cell(0), p=1, q=2)
    looks: list[Callable[[], object]] = [
        lambda: found.objects[1], lambda: found.objects.get(1), lambda: found.usable((1, 0), 4, NOWHERE)
    ]  # fmt: skip
    for look in looks:
        with pytest.raises(Unfold) as told:
            look()
        assert told.value.base == 1
    assert found.objects[2] is found.objects.get(2) is found.usable((2, 0), 4, NOWHERE)
    assert found.objects.get(7) is None and found.objects.get(7, 3) == 3


def test_a_new_object_is_none_of_those_that_are_there() -> None:
    for nodes in ((segment(0), cell(0)), (cell(0), segment(0))):
        found = awake(*nodes, p=1, q=2)
        assert found.allocate("new", 4, HEAP).base == 3
    assert awake().allocate("new", 4, HEAP).base == 1


@pytest.mark.parametrize(
    ("node", "known"),
    [
        (bytes_((0, 4, 1), (8, 8, 0)), True),
        (bytes_((0, 4, 1), (8, 8, None)), False),
        (bytes_((0, 4, 1), zeroed=True), True),
        (bytes_((0, 4, 1), (8, 8, None), zeroed=True), True),
    ],
)
def test_an_object_is_copied_where_all_that_was_written_is_known(node: Node, known: bool) -> None:
    found = awake(node, p=1)
    if known:
        copied = found.objects[1].snapshot(0, 16)
        assert (0, 4, 1) in copied.cells
    else:
        with pytest.raises(Unfit, match="copied"):
            found.objects[1].snapshot(0, 16)


@pytest.mark.parametrize(
    ("offset", "met"),
    [(0, False), (1, True), (7, True), (8, True), (11, True), (12, False), (16, False)],
)
def test_a_pointer_is_read_beside_a_number_that_is_not_known(offset: int, met: bool) -> None:
    """The number stands in bytes 8 to 11; a pointer of 8 bytes that has one of them in common is refused."""
    found = awake(bytes_((8, 4, None), size=32), p=1)
    if met:
        with pytest.raises(Unfit, match="as a pointer"):
            found._choose_bytes(found.objects[1], offset, POINTER, NOWHERE)
    else:
        found._choose_bytes(found.objects[1], offset, POINTER, NOWHERE)
    found._choose_bytes(awake(bytes_((8, 4, None), size=32), p=1).objects[1], 8, WORD, NOWHERE)


def test_what_is_constant_is_part_of_no_shape() -> None:
    text = 'const int k = 3; const char *s = "ab"; int w = 1; int main(void) { return k + w + s[0]; }\n'
    found = machine(text)
    names = {node.name for _, node in found.shape().nodes}
    assert {"w", "s"} <= names and "k" not in names
    constant = {found.objects[base].name for base in found._constant}
    assert "k" in constant and "w" not in constant
    before = found.shape()
    found.wake(before)
    assert found.shape() == before and found.load(found.globals["k"], WORD, NOWHERE) == 3


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({}, True),
        ({"kind": LOCAL}, True),
        ({"kind": ELSEWHERE}, False),
        ({"size": 0.5}, False),
        ({"log": []}, False),
    ],
)
def test_objects_that_a_shape_can_have(change: dict[str, Any], fits: bool) -> None:
    found = awake(cell(0), p=1)
    for name, value in change.items():
        setattr(found.objects[1], name, value)
    if fits:
        assert found.shape().nodes[0][1].kind == change.get("kind", HEAP)
    else:
        with pytest.raises(Unfit, match="an object"):
            found.shape()


def test_objects_of_few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    found = awake(bytes_((0, 4, 1), (4, 4, 2)), p=1)
    monkeypatch.setattr(module, "MOST_CELLS", 2)
    assert len(found.shape().nodes[0][1].cells) == 2
    monkeypatch.setattr(module, "MOST_CELLS", 1)
    with pytest.raises(Unfit, match="too large"):
        found.shape()


def test_only_objects_of_the_heap_have_no_name() -> None:
    found = awake(cell(0), cell(0)._replace(kind=LOCAL, name="l"), p=1, q=2)
    assert [(node.kind, node.name) for _, node in found.shape().nodes] == [(HEAP, ""), (LOCAL, "l")]


def test_what_stands_in_an_object() -> None:
    found = awake(bytes_((0, 4, 1), (4, 4, None), (8, 8, Address(1, 4))), p=1)
    found.objects[1].cells[16] = 4, found.late.any_value(2, 5)
    found.objects[1].cells[20] = 4, found.late.any_value(6, 6)
    cells = found.shape().nodes[0][1].cells
    assert cells == ((0, 4, 1), (4, 4, None), (8, 8, Address(1, 4)), (16, 4, None), (20, 4, 6))


# Activations


def pair(**callee: Any) -> Shape:
    main = FrameShape("main", 0, (("i", 4),))
    return Shape((main, FrameShape("g", 0, (("v", 5),), targets=("i",), after=3, **callee)), ())


def test_what_was_forgotten_ends_with_its_activation() -> None:
    found = machine()
    found.wake(pair(forgotten=("k",)))
    assert found.shape() == pair(forgotten=("k",))
    with pytest.raises(Unfit, match="'k' is read"):
        found.choose_variable(found.frames[1], "k")
    found.choose_variable(found.frames[0], "k")  # another activation
    found.choose_variable(found.frames[1], "l")
    found.leave()
    assert found.forgotten == [frozenset()]
    found.enter(found.codes.code("g"), (1,), (), 0, ())
    assert found.shape().frames[1].forgotten == ()
    found.choose_variable(found.frames[1], "k")


def test_an_activation_that_has_begun_has_forgotten_nothing() -> None:
    found = machine()
    found.wake(shape({"i": 1}, forgotten=("c",)))
    for _ in range(2):
        found.enter(found.codes.code("g"), (1,), (), 0, ())
    assert [frame.forgotten for frame in found.shape().frames] == [("c",), (), ()]


def test_what_is_set_again_is_not_forgotten() -> None:
    found = machine()
    found.wake(shape({}, forgotten=("c", "i")))
    found.frames[0].registers["i"] = 3
    assert found.shape().top.forgotten == ("c",)


def test_arguments_without_names_fit_in_no_shape() -> None:
    found = machine()
    found.wake(pair())
    found.frames[1].extra = (1,)
    with pytest.raises(Unfit, match="'g' takes arguments"):
        found.shape()


def test_what_the_library_has_said_fits_in_no_shape() -> None:
    found = awake()
    found.answers = {"rand": [1]}
    with pytest.raises(Unfit, match="remembers"):
        found.shape()
    found.wake(shape({}))
    assert found.shape() == shape({})


# Variables


@pytest.mark.parametrize(
    ("name", "low", "high", "kept"),
    [
        ("i", -(2**31), 2**31 - 1, None),
        ("i", -(2**31), 2**31 - 2, Range(-(2**31), 2**31 - 2)),
        ("i", 0, 255, Range(0, 255)),
        ("c", 0, 255, None),
        ("c", 0, 254, Range(0, 254)),
        ("c", 7, 7, 7),
    ],
)
def test_a_variable_that_may_have_any_value_is_not_mentioned(name: str, low: int, high: int, kept: Any) -> None:
    found = awake()
    found.frames[0].registers[name] = found.late.any_value(low, high)
    assert dict(found.shape().top.registers) == ({} if kept is None else {name: kept})


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (Snapshot(4, ()), "a struct"),
        (Fragment(Address(1, 0), 0, 8), "a part of a pointer"),
        (0.5, "a floating-point number"),
        ("text", "a value"),
    ],
)
def test_values_that_a_shape_has_not(value: Any, words: str) -> None:
    found = awake()
    found.frames[0].registers["i"] = value
    with pytest.raises(Unfit, match=words):
        found.shape()


def test_a_pointer_whose_offset_is_an_input_fits_in_no_shape() -> None:
    found = awake(cell(0), p=1)
    found.frames[0].registers["p"] = Address(1, found.late.any_value(0, 8))  # type: ignore[arg-type]
    with pytest.raises(Unfit, match="depends on inputs"):
        found.shape()


def test_results_are_values_too() -> None:
    found = machine()
    found.wake(pair(results=(Range(1, 3),)))
    assert found.shape().top.results == (Range(1, 3),)
    found.frames[1].results = (None, True, Address(0, 0))
    assert found.shape().top.results == (None, True, Address(0, 0))


@pytest.mark.parametrize(("strict", "fits"), [((LEAK,), False), ((LOST,), False), ((RACE,), True), ((), True)])
def test_which_questions_can_be_asked(strict: tuple[str, ...], fits: bool) -> None:
    if fits:
        assert machine(strict=frozenset(strict)).strict == frozenset(strict)
    else:
        with pytest.raises(Unfit, match="left in the heap"):
            machine(strict=frozenset(strict))
    assert Chunk(4).size == 4
