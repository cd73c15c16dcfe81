"""Chooses which values the invariants and summaries of a procedure speak of, by liveness and effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knaster.base.records import dataclass
from knaster.program.effects import effects, variables_in
from knaster.program.liveness import live_variables
from knaster.program.model import Call, Location, Program


@dataclass(frozen=True, slots=True)
class Columns:
    """What the relations of one procedure speak of: entry values, those of them that never change, values now."""

    entry: tuple[str, ...]
    rigid: frozenset[str]
    now: Mapping[Location, tuple[str, ...]]


def columns(program: Program, kept: Mapping[str, Iterable[Location]]) -> dict[str, Columns]:
    """Return the columns of each procedure; a main that is never called needs no entry values."""
    live, does = live_variables(program), effects(program)
    called = {edge.action.procedure for p in program.procedures for edge in p.edges if isinstance(edge.action, Call)}
    found = {}
    for name, locations in kept.items():
        procedure = program.procedure(name)
        scope, own = program.scope(procedure), does[name]
        touched = own.mod | own.ref | set(procedure.frame)
        given = {*program.globals, *procedure.parameters}
        seen = {
            location: [v for v in variables_in(live[name][location], scope) if v in touched]
            for location in {*locations, procedure.entry}
        }
        entry = [v for v in seen[procedure.entry] if v in given] if name in called else []
        rigid = frozenset(entry) - own.mod - own.modified_locals
        now = {k: tuple(v for v in seen[k] if v not in rigid) for k in sorted(locations)}
        found[name] = Columns(tuple(entry), rigid, now)
    return found
