"""Cells at offsets that depend on inputs: as an array that is written at numbers."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from knaster.program.expression import NOWHERE
from knaster.program.memory import NULL, Address, Addresses, Floating, Fragment, Snapshot
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.arguments import TEXT
from knaster.semantics.memory.objects import HEAP, Object
from knaster.semantics.memory.symbolic import symbolic_cells
from knaster.semantics.memory.symbolic.symbolic_cells import _ways, is_loggable, load_entry, write_entry
from support.memory_desk import symbolic_desk
from support.symbol_values import Table

INDEX = Int(8, False)


def test_a_log_is_an_array() -> None:
    random = Random(5)
    for _ in range(60):
        inputs = Table(*(random.randrange(4) for _ in range(4)))
        places = [inputs.choose(INDEX, "", None) * 4 for _ in range(4)]  # type: ignore[arg-type]
        found, plain = Object("o", 16, HEAP, zeroed=True), [0] * 4
        for number in range(8):
            place = random.choice([*places, 0, 4, 12])
            at = inputs.number(place) // 4
            if random.random() < 0.6:
                found.write(place, 4, number)
                plain[at] = number
            ways, default = _ways(found, place, 4)
            value = next((raw for test, raw in ways if inputs.number(test)), default)
            assert value == plain[at]
        assert [found.read(4 * at, 4) for at in range(4)] == plain and found.log is None


def test_what_does_not_fit_is_written_down() -> None:
    inputs = Table(1)
    found = Object("o", 8, HEAP)
    place = inputs.choose(INDEX, "", None) * 4  # type: ignore[arg-type]
    write_entry(found, place, 4, 0x01020304)
    assert found.log is not None and not found.cells
    assert not is_loggable(found, 0, 2) and found.read(5, 1) == 3
    assert found.log is None and found.cells == {4: (4, 0x01020304)}


def inputs_at(*values: int) -> tuple[Table, list[Any]]:
    """Return inputs of one byte that stand for values."""
    inputs = Table(*values)
    return inputs, [inputs.choose(INDEX, "", NOWHERE) for _ in values]


def holding(*cells: tuple[int, int, Any], size: int = 16) -> Object:
    """Return an object with these cells: offset, size, and what stands there."""
    found = Object("o", size, HEAP)
    for at, width, raw in cells:
        found.cells[at] = width, raw
    return found


def test_what_can_be_written_without_choosing() -> None:
    _, (x,) = inputs_at(4)
    for raw, fits in ((7, True), (x, True), (None, False), (Address(1, 0), False), (Fragment(NULL, 0, 8), False)):
        assert is_loggable(holding(), x, 4, raw) is fits and is_loggable(holding(), 4, 4, raw) is fits
    for offset, fits in ((0, True), (4, True), (2, False), (5, False)):
        assert is_loggable(holding(), offset, 4) is fits and is_loggable(holding(), offset, 1)
    for cell, fits in [
        ((0, 4, 7), True),
        ((8, 4, x), True),
        ((0, 2, 7), False),
        ((2, 4, 7), False),
        ((0, 4, Address(1, 0)), False),
        ((0, 4, None), False),
    ]:
        assert is_loggable(holding((12, 4, 1), cell), x, 4) is fits


@pytest.mark.parametrize("value", [0, 2, 3, 4, 8])
def test_an_offset_that_does_not_fit_is_chosen(value: int) -> None:
    _, (x,) = inputs_at(value)
    assert is_loggable(holding(), x, 1) and is_loggable(holding(), x, 4) is (value % 4 == 0)
    assert is_loggable(holding(), x, 2) is (value % 2 == 0)


def test_logs_are_not_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symbolic_cells, "MOST", 2)
    _, (x,) = inputs_at(4)
    cells = [(0, 4, 1), (4, 4, 2), (8, 4, 3)]
    assert is_loggable(holding(*cells[:2]), x, 4) and not is_loggable(holding(*cells), x, 4)
    found = holding(cells[0])
    write_entry(found, x, 4, 5)
    assert is_loggable(found, x, 4) and not is_loggable(found, x, 2)
    write_entry(found, x, 4, 6)
    assert not is_loggable(found, x, 4) and len(found.log or ()) == 2
    write_entry(found, x, 4, 7)
    assert found.log is None and found.cells == {0: (4, 1), 4: (4, 7)}


@pytest.mark.parametrize("where", [0, 4, 8])
def test_what_nobody_wrote_is_one_input(where: int) -> None:
    """A read where only some places are written: an input elsewhere, which is the same in the next read."""
    desk, inputs = symbolic_desk(where, where, 77, 99)
    x, y = inputs.choose(INDEX, "", NOWHERE), inputs.choose(INDEX, "", NOWHERE)
    found = desk.object(desk.new(size=12))
    found.write(4, 4, 55)
    wanted = 55 if where == 4 else 77
    for offset in (x, y, x):
        assert inputs.number(load_entry(desk.machine, found, offset, Int(32, False), NOWHERE)) == wanted
    assert [kind for kind, _ in inputs.order] == ["symbol", "symbol", "perhaps", "perhaps"]
    assert inputs.order[2][1][0] == "in2:u32" and found.log is not None and len(found.log) == 2


def test_an_input_where_nothing_is_written() -> None:
    desk, inputs = symbolic_desk(4, 77)
    x = inputs.choose(INDEX, "", NOWHERE)
    found = desk.object(desk.new(size=12))
    assert inputs.number(load_entry(desk.machine, found, x, Int(32, False), NOWHERE)) == 77
    assert [kind for kind, _ in inputs.order] == ["symbol", "symbol"] and found.log is not None


def test_every_place_has_a_cell() -> None:
    """The last one is what stands there where no other does: nothing is chosen, and nothing is written down."""
    for where in (0, 4, 8):
        desk, inputs = symbolic_desk(where)
        x = inputs.choose(INDEX, "", NOWHERE)
        found = desk.object(desk.new(size=12))
        for at in (0, 4, 8):
            found.write(at, 4, 10 + at)
        ways, default = _ways(found, x, 4)
        assert len(ways) == 2 and default == 18
        assert inputs.number(load_entry(desk.machine, found, x, Int(32, False), NOWHERE)) == 10 + where
        assert len(inputs.order) == 1 and found.log is None
        found.size = 16
        assert _ways(found, x, 4)[1] is None and len(_ways(found, x, 4)[0]) == 3
        assert _ways(found, 12, 4) == ([], None) and _ways(found, 4, 4) == ([], 14)


def test_what_is_read_another_way_is_written_down() -> None:
    for type in (Addresses(8), Floating(64), Int(16, False)):
        desk, inputs = symbolic_desk(4)
        x = inputs.choose(INDEX, "", NOWHERE)
        found = desk.object(desk.new(size=16))
        write_entry(found, x, 4, 9)
        assert load_entry(desk.machine, found, x, type, NOWHERE) is None
        assert found.log is None and found.cells == {4: (4, 9)}
    desk, inputs = symbolic_desk(4, 9, 9)
    x = inputs.choose(INDEX, "", NOWHERE)
    text = desk.object(desk.new(size=16, kind=TEXT))
    assert load_entry(desk.machine, text, x, Int(16, False), NOWHERE) is None
    assert inputs.number(load_entry(desk.machine, text, x, Int(8, False), NOWHERE)) == 9
    other = desk.object(desk.new(size=16))
    assert inputs.number(load_entry(desk.machine, other, x, Int(16, False), NOWHERE)) == 9


def test_a_truth_value_that_nobody_wrote() -> None:
    desk, inputs = symbolic_desk(3, 1)
    x = inputs.choose(INDEX, "", NOWHERE)
    assert inputs.number(load_entry(desk.machine, desk.object(desk.new(size=9)), x, BOOL, NOWHERE)) == 1


def test_a_log_is_written_down_before_bytes_are_looked_at() -> None:
    for look in (
        lambda found: found.byte_is_unwritten(4) is False and found.byte_is_unwritten(0),
        lambda found: found.clear(0, 4) is None,
        lambda found: found.snapshot(0, 8) == Snapshot(8, ((4, 4, 9),)),
        lambda found: found.forget(0, 4) is None,
        lambda found: found.byte(4) == 9,
    ):
        _, (x,) = inputs_at(4)
        found = holding()
        write_entry(found, x, 4, 9)
        assert look(found) and found.log is None and found.cells == {4: (4, 9)}
