"""A program without loops and recursion from one that has them: loops and calls as often as a depth says, then a place.

In each activation edges that lead back, whichever loop they belong to, are taken at most `depth` times in all; a
procedure that calls itself, directly or not, is called at most so often inside itself.  A run that needs more comes to
a place of its own, a failure of the unrolled program.  Copies of a location are told apart by the number of edges back
that were taken before; copies of a procedure by how often it was called inside itself.  Every edge has the one that it
is a copy of as its origin.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.graphs import components
from knaster.base.records import dataclass, replace
from knaster.program.expression import TRUE
from knaster.program.model import Action, Assume, Call, Edge, Location, Place, Procedure, Program

LARGEST = 60_000  # edges of an unrolled program


class TooLarge(Exception):
    """There would be too many edges."""


@dataclass(frozen=True, slots=True)
class Unrolled:
    """An unrolled program; the place that each of its places is a copy of; where runs come that need more, and why."""

    program: Program
    origins: Mapping[Place, Place]
    more: Mapping[Place, Place]  # the loop or the call that is to be repeated once more


def unroll(program: Program, depth: int) -> Unrolled:
    """Return a program unrolled to a depth; raise `TooLarge` where that is too much."""
    return _Unrolling(program, depth).run()


def edges_back(procedure: Procedure) -> frozenset[int]:
    """Return which edges, by their number, lead back in a depth-first search: without them there is no cycle."""
    leaving: dict[Location, list[tuple[int, Edge]]] = {}
    for number, edge in enumerate(procedure.edges):
        leaving.setdefault(edge.source, []).append((number, edge))
    back: set[int] = set()
    inside = {procedure.entry: True}  # False where the search has left
    stack = [(procedure.entry, iter(leaving.get(procedure.entry, ())))]
    while stack:
        location, ways = stack[-1]
        for number, edge in ways:
            if inside.get(edge.target):
                back.add(number)
            elif edge.target not in inside:
                inside[edge.target] = True
                stack.append((edge.target, iter(leaving.get(edge.target, ()))))
                break
        else:
            inside[location] = False
            stack.pop()
    return frozenset(back)


def find_rings(program: Program) -> dict[str, int]:
    """Return the procedures that call themselves, directly or not, with a number for those that call each other."""
    calls = {
        procedure.name: [edge.action.procedure for edge in procedure.edges if isinstance(edge.action, Call)]
        for procedure in program.procedures
    }
    found: dict[str, int] = {}
    for number, ring in enumerate(components(list(calls), calls.__getitem__)):
        if len(ring) > 1 or ring[0] in calls[ring[0]]:
            found |= dict.fromkeys(ring, number)
    return found


class _Unrolling:
    def __init__(self, program: Program, depth: int) -> None:
        self.program = program
        self.depth = depth
        self.rings = find_rings(program)
        self.names: dict[tuple[str, int], str] = {}
        self.todo: list[tuple[str, int]] = []
        self.size = 0
        self.origins: dict[Place, Place] = {}
        self.more: dict[Place, Place] = {}

    def run(self) -> Unrolled:
        """Return the unrolled program."""
        first = self.copy_of(self.program.threads[0], 0)
        made = []
        while self.todo:
            made.append(_Copy(self, *self.todo.pop()).procedure())
        program = replace(self.program, procedures=tuple(made), threads=(first,), initializer=None)
        return Unrolled(program, self.origins, self.more)

    def copy_of(self, name: str, inside: int) -> str:
        """Return the name of a copy of a procedure, which is made if it is new."""
        key = name, inside
        if key not in self.names:
            self.names[key] = f"{name}#{inside}" if inside else name
            self.todo.append(key)
        return self.names[key]

    def callee(self, caller: str, inside: int, name: str) -> str | None:
        """Return the copy that a copy of a procedure calls; None where that is one too many."""
        ring = self.rings.get(name)
        if ring is None or self.rings.get(caller) != ring:
            return self.copy_of(name, 0)
        return self.copy_of(name, inside + 1) if inside < self.depth else None


class _Copy:
    """A copy of a procedure in the making."""

    def __init__(self, whole: _Unrolling, name: str, inside: int) -> None:
        self.whole = whole
        self.inside = inside
        self.origin = whole.program.procedure(name)
        self.name = whole.names[name, inside]
        self.back = edges_back(self.origin)
        self.locations: dict[tuple[Location, int], Location] = {}
        self.ends: dict[Location, Location] = {}  # of runs that need more, by the location that they would come to
        self.failures: list[Location] = []
        self.todo: list[tuple[Location, int]] = []
        self.count = 0

    def procedure(self) -> Procedure:
        """Return the copy."""
        leaving: dict[Location, list[tuple[int, Edge]]] = {}
        for number, edge in enumerate(self.origin.edges):
            leaving.setdefault(edge.source, []).append((number, edge))
        entry, exit = self.at(self.origin.entry, 0), self.at(self.origin.exit, 0)
        edges: list[Edge] = []
        while self.todo:
            location, times = self.todo.pop()
            for number, edge in leaving.get(location, ()):
                edges.append(self.edge(edge, times, number in self.back))
            self.whole.size += len(leaving.get(location, ()))
            if self.whole.size > LARGEST:
                raise TooLarge(f"unrolled {self.whole.depth} times it would have more than {LARGEST:,} edges")
        return replace(
            self.origin,
            name=self.name,
            entry=entry,
            exit=exit,
            edges=tuple(sorted(edges, key=lambda edge: edge.source)),
            labels=(),
            failures=tuple(self.failures),
        )

    def at(self, location: Location, times: int) -> Location:
        """Return a copy of a location; the exit has one."""
        key = location, 0 if location == self.origin.exit else times
        if key not in self.locations:
            self.locations[key] = self._new((self.origin.name, location))
            self.todo.append(key)
            if location in self.origin.failures:
                self.failures.append(self.locations[key])
        return self.locations[key]

    def _new(self, origin: Place) -> Location:
        self.count += 1
        self.whole.origins[self.name, self.count - 1] = origin
        return self.count - 1

    def end(self, location: Location) -> Location:
        """Return where a run comes that needs more."""
        if location not in self.ends:
            self.ends[location] = self._new((self.origin.name, location))
            self.whole.more[self.name, self.ends[location]] = self.origin.name, location
            self.failures.append(self.ends[location])
        return self.ends[location]

    def edge(self, edge: Edge, times: int, back: bool) -> Edge:
        """Return a copy of an edge from a location where so many edges back were taken before."""
        source, action = self.at(edge.source, times), self.action(edge)
        if action is None:
            return replace(edge, source=source, action=Assume(TRUE), target=self.end(edge.source), origin=edge)
        far = back and times >= self.whole.depth
        target = self.end(edge.target) if far else self.at(edge.target, times + back)
        return replace(edge, source=source, action=action, target=target, origin=edge)

    def action(self, edge: Edge) -> Action | None:
        """Return what a copy of an edge does; None where it would be a call too many."""
        if not isinstance(edge.action, Call):
            return edge.action
        callee = self.whole.callee(self.origin.name, self.inside, edge.action.procedure)
        return None if callee is None else replace(edge.action, procedure=callee)
