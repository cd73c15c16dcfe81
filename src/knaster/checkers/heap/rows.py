"""The check of rows of a table: every value has its type, every cell is there, every place exists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import InternalError
from knaster.evidence.proofs.heap.effect_table import RootRow
from knaster.evidence.proofs.heap.state_table import StateRow
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.model import Call, Program
from knaster.program.objects import ArrayCell, Cell, ChannelCell, ClassCell, SetCell
from knaster.program.types import BOOL, Bool, Enumeration, Int, Pointer, Reference, Struct, Type
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.interpreter import Machine


def check_state(machine: Machine, row: StateRow) -> None:
    """Raise `InternalError` where a row is no state of the program."""
    rows = Rows(machine, row.cells, False)
    rows.memory(row.statics)
    _expect(0 <= row.choosing <= len(row.threads), "a thread that is none chooses")
    for stack in row.threads:
        for depth, frame in enumerate(stack):
            rows.frame(frame.procedure, frame.location, frame.values)
            if depth + 1 < len(stack):
                _expect(
                    isinstance(machine.procedures[frame.procedure].leaving[frame.location][0].action, Call),
                    "a frame waits for no call",
                )
    _expect(not row.choosing or bool(row.threads[row.choosing - 1]), "a thread that is finished chooses")


def configuration_of(machine: Machine, row: StateRow) -> Configuration:
    """Return a row, which is a state of the program, as the interpreter knows it."""
    threads = []
    for stack in row.threads:
        frames = []
        for number, each in enumerate(stack):
            procedure = machine.procedures[each.procedure]
            values = dict(zip(procedure.parameters + procedure.locals, each.values, strict=True))
            frame = Frame(each.procedure, each.location, each.base, values)
            if number + 1 < len(stack):
                frame.calling = machine.edges_from(frame)[0]
            frames.append(frame)
        threads.append(frames)
    largest = max((cell.number for cell in row.cells), default=0)
    statics = dict(zip(machine.program.globals, row.statics, strict=True))
    return Configuration(statics, dict(row.cells), threads, dict.fromkeys(machine.cells, largest))


def check_root(machine: Machine, root: RootRow, roots: int) -> None:
    """Raise `InternalError` where a root or a row of it is none of the program."""
    partial = root.held is None
    procedure = machine.procedures.get(root.procedure)
    _expect(procedure is not None, f"there is no '{root.procedure}'")
    assert procedure is not None
    entry = Rows(machine, root.cells, partial)
    entry.memory(root.statics)
    types = machine.types[root.procedure]
    entry.values(root.formals, [types[name] for name in procedure.parameters], "a call has other parameters")
    _expect(all(cell in root.cells for cell in root.held or ()), "a cell that is held is none of the entry")
    for path in root.paths:
        rows = Rows(machine, {**root.cells, **path.changed}, partial)
        rows.memory(path.statics)
        rows.frame(root.procedure, path.location, path.values)
        _expect(-1 <= path.callee < roots, "a call has a root that is none")
    for effect in root.effects:
        rows = Rows(machine, {**root.cells, **effect.changed}, partial)
        rows.memory(effect.statics)
        if effect.exception is None:
            rows.values(effect.results, [types[name] for name in procedure.results], "an effect has other results")


class Rows:
    """Checks values over one heap."""

    def __init__(self, machine: Machine, cells: Mapping[Reference, Any], partial: bool) -> None:
        self.machine = machine
        self.cells = cells
        self.partial = partial  # values may be UNREAD

    def memory(self, statics: Sequence[Any]) -> None:
        """Check the statics and all cells."""
        self.values(statics, static_types(self.machine.program), "there are other statics")
        for name, slots in self.cells.items():
            cell = self.machine.cells.get(name.target)
            _expect(cell is not None, f"there is no class '{name.target}'")
            assert cell is not None
            if self.partial and slots is UNREAD and isinstance(cell, ChannelCell | SetCell):
                continue
            self.values(slots, slot_types(cell, slots), "a cell has other slots")

    def frame(self, procedure: str, location: int, values: Sequence[Any]) -> None:
        """Check the variables of a frame, and that it can stand where it does."""
        known = self.machine.procedures.get(procedure)
        _expect(known is not None, f"there is no '{procedure}'")
        assert known is not None
        _expect(location in known.leaving, "a frame stands nowhere")
        types = self.machine.types[procedure]
        self.values(values, [types[name] for name in known.parameters + known.locals], "a frame has other variables")

    def values(self, values: Sequence[Any], types: Sequence[Type], problem: str) -> None:
        """Check values against their types."""
        _expect(len(values) == len(types), problem)
        for value, type_ in zip(values, types, strict=True):
            _expect(self.fits(value, type_), "a value is not of its type")

    def fits(self, value: Any, wanted: Type) -> bool:
        """Tell whether a value is one of a type."""
        if value is UNREAD:
            return self.partial
        match wanted:
            case Bool():
                return type(value) is bool
            case Int() | Enumeration():
                return type(value) is int
            case Pointer():
                return value is None or (type(value) is Reference and value in self.cells)
            case Struct(_, fields):
                inner = type(value) is tuple and len(value) == len(fields)
                return inner and all(self.whole(part, kind) for part, (_, kind) in zip(value, fields, strict=True))
        return False

    def whole(self, value: Any, wanted: Type) -> bool:
        """Tell whether a value, of which no part may be unread, is one of a type."""
        return value is not UNREAD and self.fits(value, wanted)


def static_types(program: Program) -> list[Type]:
    """Return the types of the statics, in their order."""
    types = dict(program.types)
    return [types.get(name, BOOL) for name in program.globals]


def slot_types(cell: Cell, slots: Sequence[Any]) -> list[Type]:
    """Return the types of the slots of a cell."""
    if isinstance(cell, ClassCell):
        return [type_ for _, type_ in cell.fields]
    length = cell.length if isinstance(cell, ArrayCell) and cell.length is not None else len(slots)
    return [cell.element] * length


def _expect(condition: bool, problem: str) -> None:
    if not condition:
        raise InternalError(f"this is no table of the program: {problem}")
