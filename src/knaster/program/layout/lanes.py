"""Lanes: from a program with threads whose stacks are bounded, the BDD variables that hold a configuration of it.

Each thread has a *lane*: bits for its control point, and variables for the activations on its stack.  A control point
is the whole stack of places, so the calls of a thread are inlined; the activations of one depth share variables.  The
variables of an activation that does not exist are not constrained.  Threads that are started later have lanes too; a
lane is filled when a thread is started.  Globals and the variables of activations have two copies, NOW and NEXT, side
by side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.program.layout.order import affinity, count_meetings
from knaster.program.model import Call, Concurrent, Location, Place, Program, ThreadOperation
from knaster.program.threads import reachable_procedures

UNBEGUN: Location = -1


class Point(NamedTuple):
    """Where a thread stands: the calls that wait, each a procedure and the number of an edge of it, and the place."""

    calls: tuple[tuple[str, int], ...]
    procedure: str
    location: Location

    @property
    def place(self) -> Place:
        """Where control stands."""
        return self.procedure, self.location

    @property
    def depth(self) -> int:
        """The number of activations below."""
        return len(self.calls)


UNUSED = Point((), "", 0)  # no thread yet
ENDED = Point((), "", 1)  # by `end_thread`


@dataclass(frozen=True, slots=True)
class Lane:
    """The variables of one thread; `entry` is its procedure, None for a thread that is started later."""

    entry: str | None
    points: tuple[Point, ...]
    codes: Mapping[Point, int]
    bits: tuple[int, ...]  # the BDD variables of the control point, the lowest bit first
    depths: tuple[tuple[int, ...], ...]  # the BDD variables (NOW; NEXT follows) of the activation of each depth

    def frame(self, program: Program, procedure: str, depth: int) -> dict[str, int]:
        """Return the variable of each variable of an activation of a procedure."""
        names = program.procedure(procedure).frame
        return dict(zip(names, self.depths[depth], strict=False))

    def existing_variables(self, program: Program, point: Point) -> list[int]:
        """Return the variables of the activations that exist where the thread stands at a point."""
        if point in (UNUSED, ENDED):
            return []
        if point.location == UNBEGUN:
            return list(self.depths[0][: len(program.procedure(point.procedure).parameters)])
        names = [*(name for name, _ in point.calls), point.procedure]
        return [
            variable
            for depth, name in enumerate(names)
            for variable in self.depths[depth][: len(program.procedure(name).frame)]
        ]


@dataclass(frozen=True, slots=True)
class Lanes:
    """The variables of all configurations of a program."""

    program: Program
    shared: Mapping[str, int]  # NOW; NEXT follows
    lanes: tuple[Lane, ...]
    size: int  # the number of BDD variables
    forgets: bool  # whether a started thread may be forgotten, because runs with few switches do not need it

    @property
    def started_lanes(self) -> range:
        """The lanes for threads that are started later."""
        return range(len(self.program.threads), len(self.lanes))


def make_lanes(program: Program, started: int, forgets: bool) -> Lanes:
    """Return the variables for a program with room for so many started threads."""
    firsts = [[Point((), name, UNBEGUN)] for name in program.threads]
    later = _started_points(program) if started else []
    tables = [_points(program, first) for first in firsts]
    if started:
        tables += [_points(program, [UNUSED, *later])] * started
    known = {id(table): table for table in tables}
    depths = {key: _depths(program, table) for key, table in known.items()}
    size = 0
    shared: dict[str, int] = {}
    lanes: list[Lane] = []
    for number, table in enumerate(tables):
        if number == len(tables) // 2:  # the globals stand in the middle: no thread is far from them
            for name in _order(program):
                shared[name] = size
                size += 2
        bits = tuple(range(size, size + max(1, (len(table) - 1).bit_length())))
        size += len(bits)
        own = []
        for count in depths[id(table)]:
            own.append(tuple(range(size, size + 2 * count, 2)))
            size += 2 * count
        entry = program.threads[number] if number < len(program.threads) else None
        codes = {point: code for code, point in enumerate(table)}
        lanes.append(Lane(entry, tuple(table), codes, bits, tuple(own)))
    return Lanes(program, shared, tuple(lanes), size, forgets)


def count_points(program: Program, most: int) -> int:
    """Return the number of control points of all threads, or some number beyond `most`; calls must not be recursive."""
    sizes: dict[str, int] = {}
    procedures = {procedure.name: procedure for procedure in program.procedures}
    total = 0
    for root in [*program.threads, *(point.procedure for point in _started_points(program))]:
        todo = [root]
        while todo:
            name = todo[-1]
            callees = [edge.action.procedure for edge in procedures[name].edges if isinstance(edge.action, Call)]
            missing = [callee for callee in callees if callee not in sizes]
            if missing:
                todo += missing[:1]
                continue
            sizes[name] = min(most + 1, procedures[name].size + sum(sizes[callee] for callee in callees))
            todo.pop()
        total += sizes[root]
    return total


def _started_points(program: Program) -> list[Point]:
    """Return where threads that are started begin, in the order of the text; what no thread can be in starts none."""
    found: dict[Point, None] = {}
    for name in reachable_procedures(program):
        procedure = program.procedure(name)
        for edge in procedure.edges:
            action = edge.action
            if isinstance(action, Concurrent) and action.operation is ThreadOperation.START:
                if action.procedure is not None:
                    found[Point((), action.procedure, UNBEGUN)] = None
                else:
                    assert action.location is not None
                    found[Point((), procedure.name, action.location)] = None
    return list(found)


def _points(program: Program, first: Sequence[Point]) -> list[Point]:
    """Return every control point that can follow, depth first, so that neighbours have close codes."""
    procedures = {procedure.name: procedure for procedure in program.procedures}
    leaving: dict[Place, list[int]] = {}
    for procedure in program.procedures:
        for number, edge in enumerate(procedure.edges):
            leaving.setdefault((procedure.name, edge.source), []).append(number)
    found: dict[Point, None] = {}
    todo = list(reversed(first))
    ends = False
    while todo:
        point = todo.pop()
        if point in found:
            continue
        found[point] = None
        if point == UNUSED:
            continue
        here = procedures[point.procedure]
        if point.location == UNBEGUN:
            todo.append(point._replace(location=here.entry))
            continue
        for number in reversed(leaving.get(point.place, ())):
            edge = here.edges[number]
            action = edge.action
            if isinstance(action, Concurrent) and action.operation is ThreadOperation.END:
                ends = True
                continue
            todo.append(point._replace(location=edge.target))
            if isinstance(action, Call):
                callee = procedures[action.procedure]
                todo.append(Point((*point.calls, (here.name, number)), callee.name, callee.entry))
    return [*found, *([ENDED] if ends else [])]


def _depths(program: Program, points: Sequence[Point]) -> list[int]:
    """Return how many variables the activations of each depth need."""
    sizes: dict[int, int] = {}
    frames = {procedure.name: len(procedure.frame) for procedure in program.procedures}
    for point in points:
        if point.procedure:
            sizes[point.depth] = max(sizes.get(point.depth, 0), frames[point.procedure])
    return [sizes[depth] for depth in sorted(sizes)]


def _order(program: Program) -> list[str]:
    """Return the globals so that those that meet in statements are near each other."""
    together: dict[frozenset[str], int] = {}
    for procedure in program.procedures:
        for names, weight in count_meetings(program, procedure).items():
            together[names] = together.get(names, 0) + weight
    return affinity(program.globals, together)
