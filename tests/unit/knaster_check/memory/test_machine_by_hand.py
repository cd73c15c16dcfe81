"""The machine, one operation at a time: which bytes may be used, what a value in memory is, when objects end."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.memory import machine as machines
from knaster_check.memory.faults import Over, Undefined
from knaster_check.memory.machine import Frame
from knaster_check.memory.symbols import Nodes, SymbolicInputs
from knaster_check.memory.values import NULL, Address, Image, Open
from knaster_check.program import Type
from knaster_check.refused import Unsupported
from support.kernel_desk import PLACE, Desk, at

INT: Type = ("int", 32, True)
BYTE: Type = ("int", 8, False)


def fault(desk: Desk, where: Any, size: int = 1) -> str:
    """Return why some bytes must not be used."""
    try:
        desk.machine.usable(where, size, PLACE)
    except Undefined as undefined:
        return undefined.kind
    return ""


def test_which_bytes_may_be_used() -> None:
    desk = Desk()
    where = desk.block(1, 2, 3, 4)
    assert [fault(desk, where, size) for size in (0, 4, 5)] == ["", "", "bounds"]
    assert [fault(desk, at(where, offset)) for offset in (-1, 0, 3, 4)] == ["bounds", "", "", "bounds"]
    assert [fault(desk, Address(0, offset)) for offset in (0, 4095, 4096, -4095, -4096)] == [
        *["null", "null", "invalid-pointer", "null", "invalid-pointer"]
    ]
    assert fault(desk, Address(-1, 0)) == "invalid-pointer"
    desk.machine.objects[where.base].die()
    assert fault(desk, where) == "dead"


@pytest.mark.parametrize(
    ("where", "type", "noted"),
    [
        *[
            ((1, 4), INT, False),
            ((1, 2), INT, True),
            ((1, 8), ("int", 64, True), False),
            ((1, 4), ("int", 64, True), True),
        ],
        *[((0, 2), INT, False), ((-1, 2), INT, False), ((1, 1), BYTE, False)],
    ],
)
def test_alignment(where: tuple[int, int], type: Type, noted: bool) -> None:
    desk = Desk()
    desk.machine.check_alignment(Address(*where), type, PLACE)
    assert desk.lapses == ["alignment"] * noted


def test_large_numbers_stand_at_words_of_small_machines() -> None:
    desk = Desk(pointer=4)
    desk.machine.check_alignment(Address(1, 4), ("int", 64, True), PLACE)
    assert not desk.lapses


@pytest.mark.parametrize(
    ("bytes", "type", "value"),
    [
        *[
            ([255, 255, 255, 255], INT, -1),
            ([1, 2], ("int", 16, False), 513),
            ([5, 0, 0, 0, 0, 0, 0, 0], ("address", 8), Address(0, 5)),
        ],
        *[([0], ("bool",), False), ([1], ("bool",), True), ([0, 0, 192, 63], ("floating", 32), 1.5)],
    ],
)
def test_values_in_memory(bytes: list[int], type: Type, value: Any) -> None:
    desk = Desk()
    found = desk.machine.load(desk.block(*bytes), type, PLACE)
    assert found == value and found.__class__ is value.__class__
    where = desk.block(*[9] * len(bytes))
    desk.machine.store(where, type, value, PLACE)
    assert desk.read(where, len(bytes)) == bytes


def test_a_truth_value_is_0_or_1() -> None:
    desk = Desk()
    with pytest.raises(Undefined) as found:
        desk.machine.load(desk.block(2), ("bool",), PLACE)
    assert found.value.kind == "boolean"
    pointer = desk.block(*[None] * 8)
    desk.machine.store(pointer, ("address", 8), pointer, PLACE)
    for type in (("bool",), ("floating", 64)):
        with pytest.raises(Unsupported, match="part of a pointer"):
            desk.machine.load(pointer, type, PLACE)
    assert desk.machine.load(pointer, ("int", 64, False), PLACE) == pointer


def test_what_nobody_wrote_is_an_input_once() -> None:
    desk = Desk([7, 200])
    where = desk.block(*[None] * 4, 1, None, 2, 3)
    first = desk.machine.load(where, INT, PLACE)
    assert first.value == 7 and desk.machine.load(where, INT, PLACE).value == 7 and len(desk.machine.inputs.values) == 1
    mixed = desk.machine.load(at(where, 4), INT, PLACE)
    assert mixed == 1 + (200 << 8) + (2 << 16) + (3 << 24) and len(desk.machine.inputs.values) == 2


def test_what_is_copied_is_an_input_first(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(range(100, 120))
    where = desk.block(1, None, None, None, None, None, None, None, None, 5)
    image = desk.machine.load(where, ("bytes", 10), PLACE)
    assert len(desk.machine.inputs.values) == 5  # three bytes, a word, a byte
    assert desk.machine.inputs.last == [255, 255, 255, (1 << 32) - 1, 255]
    assert sorted(image.bytes) == list(range(10))
    desk = Desk()
    desk.machine.load(desk.block(*[None] * 6), ("bytes", 6), PLACE)
    assert desk.machine.inputs.last == [(1 << 32) - 1, 255, 255]
    monkeypatch.setattr(machines, "COPIED", 4)
    for size, count in ((4, 1), (5, 0)):
        desk = Desk([1, 2])
        desk.machine.load(desk.block(*[None] * size), ("bytes", size), PLACE)
        assert len(desk.machine.inputs.values) == count


def test_what_must_not_be_written() -> None:
    desk = Desk()
    text = desk.machine.allocate(2, "text", True, False)
    with pytest.raises(Undefined) as found:
        desk.machine.store(text, BYTE, 1, PLACE)
    assert found.value.kind == "read-only"
    desk.machine.store(text, BYTE, 1, PLACE, True)
    assert desk.read(text, 2) == [1, 0]


def test_structs() -> None:
    desk = Desk()
    where = desk.block(1, 2, 3)
    desk.machine.store(where, ("bytes", 2), Image(2, {1: 9}), PLACE)
    assert desk.read(where, 3) == [None, 9, 3]


def test_objects_of_a_block() -> None:
    machine = Desk().machine
    frame = machine.frames[-1]
    machine.begin(frame, "a", 4, True, True)
    base = frame.objects["a"]
    machine.objects[base].put(0, [7, 7, 7, 7])
    machine.begin(frame, "a", 4, False, False)
    again = machine.objects[base]
    assert again.alive and again.get(0, 4) == [None] * 4 and not again.writable
    assert frame.objects["a"] == base and machine.address_of(frame, "a") == Address(base, 0)
    frame.values["b"] = 1
    machine.forget(frame, ("a", "b", "c"))
    assert not machine.objects[base].alive and "a" not in frame.objects and "b" not in frame.values
    assert machine.address_of(frame, "main").base < 0
    nowhere = machine.address_of(frame, "nowhere")
    assert machine.address_of(frame, "nowhere") == nowhere and machine.objects[nowhere.base].kind == "function"


def test_an_activation_ends() -> None:
    machine = Desk().machine
    code, caller = machine.codes.code("f"), machine.frames[-1]
    caller.values = {"x": 1, "y": 2, "z": 3}
    machine.enter(code, (4, 5, 6), ("x", None, "z"), 0)
    frame = machine.frames[-1]
    assert frame.values == dict(zip(code.procedure.parameters, (4, 5), strict=True)) and frame.further == (6,)
    machine.begin(frame, "own", 1, False, True)
    frame.owned.append(machine.allocate(1, "local").base)
    frame.results = (7, 8)
    machine.leave()
    assert caller.values == {"x": 7, "y": 2} and caller.location == 0
    assert not any(machine.objects[base].alive for base in (*frame.objects.values(), *frame.owned))


def test_calls_are_not_nested_too_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines, "DEEPEST", 2)
    machine = Desk().machine
    code = machine.codes.code("f")
    machine.enter(code, (1, 2), (), 0)
    with pytest.raises(Unsupported, match="nested"):
        machine.enter(code, (1, 2), (), 0)


def test_ends() -> None:
    machine = Desk().machine
    frame = Frame(machine.codes.code("f"), {})
    machine.frames.append(frame)
    assert not machine.is_at_end
    frame.location = frame.code.procedure.exit
    assert machine.is_at_end
    machine.step()
    assert frame not in machine.frames
    machine.frames.append(frame)
    frame.location = frame.code.procedure.size  # no way leads out
    assert not machine.is_at_end
    with pytest.raises(Over):
        machine.step()


def settled(offset: int, kinds: tuple[str, ...] = ()) -> tuple[int, int]:
    """Return a place that depends on an input as a run uses it, and how much was noted about the input."""
    desk = Desk()
    inputs = SymbolicInputs(Nodes(), {"i0.-20.20": offset}, kinds)
    desk.machine.inputs = inputs
    where = desk.block(1, 2, 3, 4)
    value = inputs.between(-20, 20)
    assert isinstance(value, Open)
    found = desk.machine.settled(Address(where.base, value), 2)  # type: ignore[arg-type]
    return found.offset, len(inputs.trail)


def test_all_places_out_of_bounds_are_alike() -> None:
    assert [settled(offset) for offset in (0, 2, 3, -1 % 64)] == [(0, 3), (2, 3), (3, 2), (-1, 1)]
    assert settled(3, ("alignment",)) == (3, 1)
    desk = Desk()
    desk.machine.inputs = SymbolicInputs(Nodes(), {}, ())
    value: Any = desk.machine.inputs.between(-20, 20)
    assert desk.machine.settled(Address(0, value), 2) == NULL


def test_a_number_that_is_open_is_one_of_the_type_that_is_read() -> None:
    desk = Desk([(1 << 32) - 1])
    where = desk.block(*[None] * 4)
    desk.machine.store(where, ("int", 32, False), desk.machine.inputs.choose(("int", 32, False)), PLACE)
    assert desk.machine.load(where, ("int", 32, False), PLACE).value == (1 << 32) - 1
    assert desk.machine.load(where, INT, PLACE).value == -1
