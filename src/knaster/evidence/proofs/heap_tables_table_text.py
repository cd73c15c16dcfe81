"""Tables of programs with references as plain data for JSON, and back without trust.

A reference is a text such as "Foo#2", a struct a list, and "?" stands for what is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from knaster.base.errors import ProofError
from knaster.evidence.proofs.heap_tables_heap_table import (
    UNREAD,
    Activation,
    EffectRow,
    EffectTable,
    PathRow,
    RootRow,
    StateRow,
    StateTable,
)
from knaster.program.model import Program
from knaster.program.types import Reference

_ROOT = {"procedure", "base", "formals", "statics", "cells", "held", "paths", "effects"}


def table_to_json(table: StateTable | EffectTable) -> dict[str, Any]:
    """Return a table as plain data."""
    if isinstance(table, StateTable):
        return {"reduced": table.reduced, "states": [_state(row) for row in table.rows]}
    return {"roots": [_root(root) for root in table.roots]}


def _state(row: StateRow) -> list[Any]:
    threads = [[[f.procedure, f.location, f.base, _value(f.values)] for f in frames] for frames in row.threads]
    return [row.choosing, _value(row.statics), threads, _cells(row.cells)]


def _root(root: RootRow) -> dict[str, Any]:
    return {
        "procedure": root.procedure,
        "base": root.base,
        "formals": _value(root.formals),
        "statics": _value(root.statics),
        "cells": _cells(root.cells),
        "held": None if root.held is None else _value(root.held),
        "paths": [
            [p.location, p.inside, _value(p.values), _value(p.statics), _cells(p.changed), p.callee] for p in root.paths
        ],
        "effects": [[_value(e.results), e.exception, _value(e.statics), _cells(e.changed)] for e in root.effects],
    }


def _value(value: Any) -> Any:
    if isinstance(value, Reference):
        return f"{value.target}#{value.number}"
    if isinstance(value, tuple):
        return [_value(part) for part in value]
    return UNREAD.value if value is UNREAD else value


def _cells(cells: Mapping[Reference, Any]) -> dict[str, Any]:
    return {_value(cell): _value(slots) for cell, slots in cells.items()}


def table_of_json(data: object, program: Program) -> StateTable | EffectTable:
    """Return the table that plain data stands for; raise `ProofError` where it stands for none."""
    if isinstance(data, dict) and data.keys() == {"reduced", "states"}:
        reduced = _typed(data["reduced"], bool)
        return StateTable(program, tuple(_read_state(row) for row in _typed(data["states"], list)), reduced)
    if isinstance(data, dict) and data.keys() == {"roots"}:
        return EffectTable(program, tuple(_read_root(root) for root in _typed(data["roots"], list)))
    raise ProofError("this is no proof: its table has neither states nor roots")


def _read_state(data: object) -> StateRow:
    choosing, statics, threads, cells = _parts(data, 4)
    stacks = tuple(tuple(_read_frame(frame) for frame in _typed(frames, list)) for frames in _typed(threads, list))
    return StateRow(_typed(choosing, int), _values(statics), stacks, _read_cells(cells))


def _read_frame(data: object) -> Activation:
    procedure, location, base, values = _parts(data, 4)
    return Activation(_typed(procedure, str), _typed(location, int), _typed(base, bool), _values(values))


def _read_root(data: object) -> RootRow:
    if not isinstance(data, dict) or data.keys() != _ROOT:
        _refuse("a root does not have the fields that it should have")
    held = None if data["held"] is None else _values(data["held"])
    if not all(type(cell) is Reference for cell in held or ()):
        _refuse("what is held is no cell")
    return RootRow(
        _typed(data["procedure"], str),
        _typed(data["base"], bool),
        _values(data["formals"]),
        _values(data["statics"]),
        _read_cells(data["cells"]),
        held,
        tuple(_read_path(path) for path in _typed(data["paths"], list)),
        tuple(_read_effect(effect) for effect in _typed(data["effects"], list)),
    )


def _read_path(data: object) -> PathRow:
    location, inside, values, statics, changed, callee = _parts(data, 6)
    return PathRow(
        _typed(location, int),
        _typed(inside, bool),
        _values(values),
        _values(statics),
        _read_cells(changed),
        _typed(callee, int),
    )


def _read_effect(data: object) -> EffectRow:
    results, exception, statics, changed = _parts(data, 4)
    if exception is not None:
        _typed(exception, str)
    return EffectRow(_values(results), exception, _values(statics), _read_cells(changed))


def _read_cells(data: object) -> dict[Reference, Any]:
    found: dict[Reference, Any] = {}
    for name, slots in _typed(data, dict).items():
        cell = _read_value(name)
        if type(cell) is not Reference:
            _refuse("a cell has no name")
        value = _read_value(slots)
        if type(value) is not tuple and value is not UNREAD:
            _refuse("a cell has no slots")
        found[cell] = value
    return found


def _values(data: object) -> tuple[Any, ...]:
    return tuple(_read_value(part) for part in _typed(data, list))


def _read_value(data: object) -> Any:
    if data is None or type(data) in (bool, int):
        return data
    if type(data) is list:
        return tuple(_read_value(part) for part in data)
    if type(data) is str:
        target, hash_, number = data.rpartition("#")
        if data == UNREAD.value:
            return UNREAD
        if hash_ and number.isdecimal() and number.isascii() and len(number) < 10:
            return Reference(target, int(number))
    _refuse("a value is none")


def _parts(data: object, count: int) -> list[Any]:
    found: list[Any] = _typed(data, list)
    if len(found) != count:
        _refuse(f"a row has not {count} parts")
    return found


def _typed(data: Any, kind: type) -> Any:
    if type(data) is not kind:
        _refuse(f"where {kind.__name__} should be there is something else")
    return data


def _refuse(problem: str) -> NoReturn:
    raise ProofError(f"this is no proof: {problem}")
