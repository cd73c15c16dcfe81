"""Values of programs with references as people and programs read them: enum names, cells with their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster.program.model import Procedure, Program
from knaster.program.objects import Cell, ClassCell
from knaster.program.state import State
from knaster.program.types import BOOL, INTEGER, Enumeration, Reference, Struct, Type, Value
from knaster.semantics.heap.configuration import Slots, StateWithHeap

_LONGEST = 8  # elements of a collection that are shown in a line


class Shown:
    """How the values of one program are shown."""

    def __init__(self, program: Program) -> None:
        assert program.objects is not None
        self.program = program
        self.cells: dict[str, Cell] = {cell.name: cell for cell in program.objects.cells}
        self.types = {procedure.name: program.types_in(procedure) for procedure in program.procedures}
        self.statics = {**dict.fromkeys(program.globals, BOOL), **dict(program.types)}
        short = [name.rpartition(".")[2] for name in program.globals]
        self.names = {n: s if short.count(s) == 1 else n for n, s in zip(program.globals, short, strict=True)}

    def name(self, variable: str, procedure: Procedure | None = None) -> str:
        """Return what a variable is called: a static without its class where that is clear."""
        short = self.names.get(variable, variable)
        return variable if procedure is not None and short in procedure.frame else short

    def type(self, variable: str, procedure: str) -> Type:
        """Return the type of a variable."""
        return self.types[procedure].get(variable, INTEGER) if procedure else self.statics[variable]

    def text(self, value: Value, type: Type, heap: Mapping[Reference, Slots] | None = None) -> str:
        """Return a value as text; with a heap, a cell with its contents."""
        match value:
            case None:
                return "null"
            case bool():
                return "true" if value else "false"
            case Reference(target, number):
                name = f"{target}#{number}"
                return name if heap is None else name + self.contents(value, heap)
            case int():
                if isinstance(type, Enumeration) and 0 <= value < len(type.members):
                    return type.members[value]
                return str(value)
            case _:
                fields = type.fields if isinstance(type, Struct) else tuple(("", INTEGER) for _ in value)
                parts = zip(fields, value, strict=False)
                return "{" + " ".join(f"{name}={self.text(part, kind)}" for (name, kind), part in parts) + "}"

    def contents(self, reference: Reference, heap: Mapping[Reference, Slots]) -> str:
        """Return the contents of a cell as text."""
        slots, cell = heap[reference], self.cells[reference.target]
        if isinstance(cell, ClassCell):
            fields = self.fields(reference)
            return "{" + " ".join(f"{name}={self.text(slots[i], kind)}" for i, (name, kind) in enumerate(fields)) + "}"
        shown = [self.text(value, cell.element) for value in slots[:_LONGEST]]
        if len(slots) > _LONGEST:
            shown.append(f"... {len(slots)}")
        return f"[{' '.join(shown)}]"

    def fields(self, reference: Reference) -> tuple[tuple[str, Type], ...]:
        """Return the fields of an instance."""
        cell = self.cells[reference.target]
        return cell.fields if isinstance(cell, ClassCell) else ()

    def json(self, value: Value, type: Type) -> Any:
        """Return a value for JSON: numbers, truth values, names of enum values and cells, null, parts of structs."""
        match value:
            case None | bool():
                return value
            case Reference(target, number):
                return f"{target}#{number}"
            case int():
                known = isinstance(type, Enumeration) and 0 <= value < len(type.members)
                return self.text(value, type) if known else value
            case _:
                fields = type.fields if isinstance(type, Struct) else ()
                return {name: self.json(part, kind) for (name, kind), part in zip(fields, value, strict=False)}

    def heap_json(self, state: StateWithHeap) -> dict[str, Any]:
        """Return the cells that a frame can see."""
        found: dict[str, Any] = {}
        for reference in visible(state.values(), state.heap):
            slots, cell = state.heap[reference], self.cells[reference.target]
            shown: dict[str, Any] = {"class": reference.target}
            if isinstance(cell, ClassCell):
                names = enumerate(cell.fields)
                shown["fields"] = {name: self.json(slots[index], kind) for index, (name, kind) in names}
            else:
                shown["elements"] = [self.json(value, cell.element) for value in slots]
            found[f"{reference.target}#{reference.number}"] = shown
        return found


def cells_of(program: Program, state: State) -> dict[str, Any]:
    """Return the cells that can be seen in a state, by name."""
    return Shown(program).heap_json(state) if isinstance(state, StateWithHeap) else {}


def visible(values: Any, heap: Mapping[Reference, Slots]) -> list[Reference]:
    """Return the cells that can be reached from some values, nearest first."""
    found: dict[Reference, None] = {}
    todo = list(values)
    for value in todo:
        if isinstance(value, Reference):
            if value not in found:
                found[value] = None
                todo += heap[value]
        elif isinstance(value, tuple):
            todo += value
    return list(found)
