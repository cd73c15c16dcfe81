"""Cutting a program: its cut points, its calls, and the ways between them (`abstraction.ways`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from knaster.program.effects import Effects, effects
from knaster.program.expression import (
    has_choice,
    may_be_undefined,
)
from knaster.program.model import Call, Edge, Location, Place, Procedure, Program, old
from knaster.program.types import Type
from knaster.semantics.compiled import loop_heads
from knaster.views.steps.paths import Walk
from knaster.views.steps.step import Map, Site, TooLarge, Way, defined


def cut(program: Program, targets: Iterable[Place], plain: frozenset[str] = frozenset()) -> Map:
    """Cut a program; raise `TooLarge` where it has too many ways.  Calls of `plain` procedures are parts of ways."""
    wanted, changed, shapes = set(targets), effects(program), _Shapes(program)
    rigid = {p.name: _rigid(program, p, changed[p.name]) for p in program.procedures}
    cuts: dict[str, tuple[Location, ...]] = {}
    ways: dict[Place, tuple[Way, ...]] = {}
    sites: dict[Place, Site] = {}
    entries: dict[str, Place] = {}
    procedures = [procedure for procedure in program.procedures if procedure.name not in plain]
    callers: dict[str, list[Site]] = {procedure.name: [] for procedure in procedures}
    for procedure in procedures:
        entry = _entry(procedure)
        own = {at for name, at in wanted if name == procedure.name}
        found = _procedure(program, procedure, entry, own, rigid[procedure.name], plain)
        entries[procedure.name] = (procedure.name, entry)
        cuts[procedure.name] = tuple(sorted(found))
        ways |= {(procedure.name, at): tuple(map(shapes.way, leaving)) for at, leaving in found.items()}
        for edge in procedure.edges:
            if isinstance(edge.action, Call) and edge.action.procedure not in plain:
                site = _site(program, procedure, edge, edge.action, changed[edge.action.procedure].mod)
                site = sites[procedure.name, edge.source] = shapes.site(site)
                callers[site.callee].append(site)
    return Map(
        program,
        cuts,
        ways,
        sites,
        {procedure.name: _types(program, procedure) for procedure in program.procedures},
        entries,
        {procedure.name: (procedure.name, procedure.exit) for procedure in procedures},
        {name: tuple(found) for name, found in callers.items()},
        rigid,
        {name: shapes.numbers.setdefault(types, len(shapes.numbers)) for name, types in shapes.types.items()},
    )


class _Shapes:
    """Numbers for what ways and calls do, so that what is alike is abstracted once."""

    def __init__(self, program: Program) -> None:
        self.types = {p.name: tuple(_types(program, p).items()) for p in program.procedures}
        self.numbers: dict[object, int] = {}

    def way(self, way: Way) -> Way:
        """Return a way with its number."""
        key = (way.guard, tuple(way.update.items()), way.inputs, self.types[way.procedure])
        return replace(way, shape=self.numbers.setdefault(key, len(self.numbers)))

    def site(self, site: Site) -> Site:
        """Return a call with its number."""
        passed = (site.guard, tuple(site.arguments.items()), tuple(site.results.items()))
        key = (passed, self.types[site.procedure], self.types[site.callee])
        return replace(site, shape=self.numbers.setdefault(key, len(self.numbers)))


def _rigid(program: Program, procedure: Procedure, does: Effects) -> frozenset[str]:
    names = (*program.globals, *procedure.parameters)
    return frozenset(name for name in names if name not in does.mod and name not in does.modified_locals)


def _entry(procedure: Procedure) -> Location:
    """Return the entry, or a location before it where some edge leads to it."""
    again = any(edge.target == procedure.entry for edge in procedure.edges)
    return procedure.size if again else procedure.entry


def _types(program: Program, procedure: Procedure) -> dict[str, Type]:
    types = program.types_in(procedure)
    ghosts = {old(name): types[name] for name in (*program.globals, *procedure.parameters)}
    return {**types, **ghosts}


def _site(program: Program, caller: Procedure, edge: Edge, call: Call, written: Iterable[str]) -> Site:
    callee = program.procedure(call.procedure)
    if sum(other.source == edge.source for other in caller.edges) > 1:
        raise TooLarge(f"line {edge.span.line} calls and does something else")
    results = {name: name for name in program.globals if name in written}
    results |= dict(call.results(callee))
    guard = tuple(defined(argument) for argument in call.arguments if may_be_undefined(argument))
    if any(map(has_choice, call.arguments)):
        raise TooLarge(f"line {edge.span.line} chooses an argument")
    arguments = dict(call.bindings(callee))
    return Site(caller.name, edge.source, edge.target, call.procedure, arguments, results, guard, edge)


def _procedure(
    program: Program,
    procedure: Procedure,
    entry: Location,
    wanted: set[Location],
    rigid: frozenset[str],
    plain: frozenset[str],
) -> dict[Location, list[Way]]:
    """Return the ways that leave each cut point of a procedure."""
    leaving = {name: program.procedure(name).leaving for name in (procedure.name, *sorted(plain))}
    entering: dict[Location, int] = {}
    for edge in procedure.edges:
        entering[edge.target] = entering.get(edge.target, 0) + 1
    cuts = {procedure.entry, procedure.exit, *loop_heads(procedure), *wanted}
    for edge in procedure.edges:
        if isinstance(edge.action, Call) and edge.action.procedure not in plain:
            cuts |= {edge.source, edge.target}
    joins = {location for location, count in entering.items() if count > 1}
    for more in ((), joins, leaving[procedure.name]):
        cuts |= set(more)
        try:
            return Walk(program, procedure, entry, cuts, leaving, rigid, plain).all()
        except TooLarge:
            if more is leaving[procedure.name]:
                raise
    raise AssertionError
