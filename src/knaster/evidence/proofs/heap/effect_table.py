"""A table of effects: why a program with references and one thread never fails in some way, as all of its calls.

For each call that can happen it has what the call begins with (its *entry*), what it can have made of that wherever it
stands, and what it can leave behind.  Values are those of the interpreter; a cell of an entry keeps its name in all
rows of its root.  What a call never reads may be anything, and is `UNREAD` in its entry.  `checkers.heap.effect_table`
checks it.

Qadeer and Rajamani, Deciding Assertions in Programs with References (MSR-TR-2005-08, 2005), section 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.heap.values import (
    Cells,
    Slots,
    cells_of_json,
    cells_to_json,
    expect_type,
    parts_of,
    refuse,
    value_to_json,
    values_of_json,
)
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.program.model import Kind, Location, Program
from knaster.program.types import Reference

if TYPE_CHECKING:
    from knaster.base.limits import Budget

_ROOT = {"procedure", "base", "formals", "statics", "cells", "held", "paths", "effects"}


@dataclass(frozen=True, slots=True)
class PathRow:
    """Where a call can stand, and what it can have made of its entry: `changed` has new cells and changed ones.

    `callee` is the number of the root that stands for the call that it is about to make; -1 where it makes none.
    """

    location: Location
    inside: bool  # an atomic region
    values: Slots
    statics: Slots
    changed: Cells
    callee: int = -1


@dataclass(frozen=True, slots=True)
class EffectRow:
    """What a call can leave behind: its results, or an exception."""

    results: Slots
    exception: str | None
    statics: Slots
    changed: Cells


@dataclass(frozen=True, slots=True)
class RootRow:
    """A call; `held` are the cells of its entry that somebody outside may use later, None where that may be any."""

    procedure: str
    base: bool
    formals: Slots
    statics: Slots
    cells: Cells
    held: tuple[Reference, ...] | None
    paths: tuple[PathRow, ...]
    effects: tuple[EffectRow, ...]


@dataclass(frozen=True, slots=True, eq=False)
class EffectTable:
    """All calls of a program with one thread."""

    program: Program
    roots: tuple[RootRow, ...]

    @property
    def size(self) -> int:
        """The number of rows."""
        return sum(1 + len(root.paths) + len(root.effects) for root in self.roots)

    def unreached_places(self) -> None:
        """Only some locations have rows, so it is not known which are never reached."""

    def __repr__(self) -> str:
        return f"<EffectTable of {self.program.file}: {len(self.roots)} calls, {self.size} rows>"


def to_fields(proof: EffectTable, program: Program) -> dict[str, Any]:
    """Return a table as fields of a document."""
    return {"table": {"roots": [_root(root) for root in proof.roots]}}


def _root(root: RootRow) -> dict[str, Any]:
    return {
        "procedure": root.procedure,
        "base": root.base,
        "formals": value_to_json(root.formals),
        "statics": value_to_json(root.statics),
        "cells": cells_to_json(root.cells),
        "held": None if root.held is None else value_to_json(root.held),
        "paths": [_path(path) for path in root.paths],
        "effects": [_effect(effect) for effect in root.effects],
    }


def _path(path: PathRow) -> list[Any]:
    values, statics = value_to_json(path.values), value_to_json(path.statics)
    return [path.location, path.inside, values, statics, cells_to_json(path.changed), path.callee]


def _effect(effect: EffectRow) -> list[Any]:
    results, statics = value_to_json(effect.results), value_to_json(effect.statics)
    return [results, effect.exception, statics, cells_to_json(effect.changed)]


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> EffectTable:
    """Return the table of a document."""
    expect(program.kind is Kind.REFERENCES, "it has a table, and the program has no references")
    has_keys(document["table"], {"roots"}, "'table'")
    return EffectTable(program, tuple(_read_root(root) for root in list_of(document["table"]["roots"], "roots")))


def _read_root(data: object) -> RootRow:
    if not isinstance(data, dict) or data.keys() != _ROOT:
        refuse("a root does not have the fields that it should have")
    held = None if data["held"] is None else values_of_json(data["held"])
    if not all(type(cell) is Reference for cell in held or ()):
        refuse("what is held is no cell")
    return RootRow(
        expect_type(data["procedure"], str),
        expect_type(data["base"], bool),
        values_of_json(data["formals"]),
        values_of_json(data["statics"]),
        cells_of_json(data["cells"]),
        held,
        tuple(_read_path(path) for path in expect_type(data["paths"], list)),
        tuple(_read_effect(effect) for effect in expect_type(data["effects"], list)),
    )


def _read_path(data: object) -> PathRow:
    location, inside, values, statics, changed, callee = parts_of(data, 6)
    return PathRow(
        expect_type(location, int),
        expect_type(inside, bool),
        values_of_json(values),
        values_of_json(statics),
        cells_of_json(changed),
        expect_type(callee, int),
    )


def _read_effect(data: object) -> EffectRow:
    results, exception, statics, changed = parts_of(data, 4)
    if exception is not None:
        expect_type(exception, str)
    return EffectRow(values_of_json(results), exception, values_of_json(statics), cells_of_json(changed))
