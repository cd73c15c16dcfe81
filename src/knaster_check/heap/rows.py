"""Rows of tables, read without trust: values of the types of the program, cells that are there, places that exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster_check.formula import read_value
from knaster_check.heap.machine import Machine
from knaster_check.heap.memory import UNREAD, Frame, Memory
from knaster_check.program import Call, Program, Reference, Type, Value
from knaster_check.refused import expect, list_of, number_of, text_of, truth_of

Cells = Mapping[Reference, Any]


def read_slots(data: object) -> tuple[Value, ...]:
    """Return values; "?" is one that is not known."""
    return tuple(UNREAD if part == "?" else read_value(part) for part in list_of(data, "values"))


def read_cells(data: object) -> dict[Reference, Any]:
    """Return cells by their names."""
    expect(isinstance(data, dict), "cells are no object")
    assert isinstance(data, dict)
    found = {}
    for name, slots in data.items():
        cell = read_value(name)
        expect(isinstance(cell, Reference), f"'{name[:40]}' is no name of a cell")
        found[cell] = UNREAD if slots == "?" else read_slots(slots)
    return found


def read_state(machine: Machine, data: object) -> tuple[Memory, int]:
    """Return a whole state, and the thread (1, 2, ...) that is inside an atomic region there or 0."""
    choosing, statics, threads, cells = list_of(data, "a state", 4)
    found = read_cells(cells)
    rows = Rows(machine.program, found, False)
    stacks = [[rows.frame(frame) for frame in list_of(frames, "a thread")] for frames in list_of(threads, "threads")]
    for frames in stacks:
        for frame in frames[:-1]:
            frame.calling = machine.edges(frame)[0]
            expect(isinstance(frame.calling.action, Call), "a frame waits for no call")
    largest = max((cell.number for cell in found), default=0)
    memory = Memory(rows.statics(read_slots(statics)), found, stacks, largest)
    expect(number_of(choosing, "who chooses") <= len(stacks), "a thread chooses that is none")
    expect(not choosing or bool(stacks[choosing - 1]), "a thread chooses that is finished")
    return memory, choosing


class Rows:
    """Reads what stands over the cells of one row; where it is `partial` values may be unread."""

    def __init__(self, program: Program, cells: Cells, partial: bool) -> None:
        self.program = program
        self.cells = cells
        self.partial = partial
        for name, slots in cells.items():
            expect(name.target in program.cells, f"there is no class '{name.target}'")
            cell = program.cells[name.target]
            if slots is UNREAD:
                expect(partial and cell.form in ("channel", "set"), "a cell has no slots")
                continue
            types = [type for _, type in cell.fields]
            if cell.element is not None:
                types = [cell.element] * (len(slots) if cell.length is None else cell.length)
            self.expect_types(slots, types, f"a cell of '{name.target}'")

    def statics(self, values: Sequence[Value]) -> dict[str, Value]:
        """Return the statics by their names."""
        self.expect_types(values, list(self.program.types.values()), "the statics")
        return dict(zip(self.program.types, values, strict=True))

    def frame(self, data: object) -> Frame:
        """Return an activation: [procedure, location, base, values]."""
        name, location, base, values = list_of(data, "a frame", 4)
        return self.make_frame(name, location, base, read_slots(values))

    def make_frame(self, name: object, location: object, base: object, values: Sequence[Value]) -> Frame:
        """Return an activation that stands somewhere, with values of its variables."""
        expect(text_of(name, "a frame") in self.program.procedures, f"there is no procedure '{name}'")
        procedure = self.program.procedures[str(name)]
        at = number_of(location, "a frame", procedure.size)
        expect(any(edge.source == at for edge in procedure.edges), "a frame stands where nothing follows", f"'{name}'")
        names = procedure.parameters + procedure.locals
        self.expect_types(values, [procedure.types[each] for each in names], f"a frame of '{name}'")
        return Frame(procedure, at, truth_of(base, "a frame"), dict(zip(names, values, strict=True)))

    def expect_types(self, values: Sequence[Value], types: Sequence[Type], what: str) -> None:
        """Refuse values that are not of some types."""
        expect(len(values) == len(types), f"{what} has another number of values")
        for value, type in zip(values, types, strict=True):
            unread = value is UNREAD and self.partial
            expect(unread or self._fits(value, type), f"{what}: {value!r} is no value of its type")

    def _fits(self, value: Value, wanted: Type) -> bool:
        match wanted:
            case ("bool",):
                return value is True or value is False
            case ("int", _, _) | ("enum", _, _):
                return value.__class__ is int
            case ("pointer", _):
                return value is None or (isinstance(value, Reference) and value in self.cells)
            case ("struct", _, fields):
                parts = value if value.__class__ is tuple else ()
                return len(parts) == len(fields) and all(
                    self._fits(part, kind) for part, (_, kind) in zip(parts, fields, strict=True)
                )
        return False
