"""Which threads a program with memory starts: a start that is taken at most once, at which the count is known.

Threads have the numbers that the machine gives them (`semantics.memory.threads`): 1 is that of main, and the others
count in the order in which they are started.  So only main may start some, and never in a loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.named_tuples import NamedTuple
from knaster.program.memory import AddressOf, Library
from knaster.program.model import Call, Edge, Place, Procedure, Program, Return
from knaster.transform.regions.refusal import Refused

START, EXIT = "pthread_create", "pthread_exit"
OTHER_STARTS = ("thrd_create", "fork_here")
MOST = 16  # threads
_COUNTS = 64  # at one place, before it is said that a loop starts threads


class StartedThread(NamedTuple):
    """A thread: its number, the procedure that it runs, and where it is started (None: it runs from the start)."""

    number: int
    function: str
    site: Place | None
    takes_argument: bool = False
    gives_result: bool = False  # always


def find_threads(program: Program) -> tuple[list[StartedThread], dict[Place, frozenset[int]]]:
    """Return all threads of a program, main first, and how many may have been started at places of main.

    Raises `Refused` where the numbers of threads depend on the run.
    """
    main = program.threads[0]
    walk = _Walk(program)
    walk.enter(main, frozenset((1,)), ())
    found = [StartedThread(1, main, None)]
    for site, counts in sorted(walk.sites.items(), key=lambda item: sorted(item[1])):
        edge = walk.edges[site]
        if len(counts) != 1:
            raise Refused("how many threads there are before one is started depends on the run", edge.span)
        (before,) = counts
        function = started_function(program, edge)
        takes = bool(program.procedure(function).parameters)
        found.append(StartedThread(before + 1, function, site, takes, _gives_result(program.procedure(function))))
    numbers = [thread.number for thread in found]
    if len(set(numbers)) != len(numbers):
        raise Refused("either of two threads is started, and they have the same number")
    if len(found) > MOST:
        raise Refused(f"there are more than {MOST} threads")
    for thread in found[1:]:
        for procedure in called_from(program, thread.function):
            for edge in procedure.edges:
                if is_start(edge):
                    raise Refused("a thread other than main starts one", edge.span)
    return found, walk.counts


def is_start(edge: Edge) -> bool:
    """Tell whether an edge starts a thread."""
    return isinstance(edge.action, Library) and edge.action.name in (START, *OTHER_STARTS)


def started_function(program: Program, edge: Edge) -> str:
    """Return the procedure that a started thread runs."""
    assert isinstance(edge.action, Library)
    if edge.action.name != START:
        raise Refused(f"'{edge.action.name}' starts a thread", edge.span)
    function = edge.action.arguments[2]
    if not isinstance(function, AddressOf) or function.name not in {each.name for each in program.procedures}:
        raise Refused("it is not plain which function a thread runs", edge.span)
    if len(program.procedure(function.name).parameters) > 1:
        raise Refused("a thread runs a function with several parameters", edge.span)
    return function.name


def _gives_result(procedure: Procedure) -> bool:
    """Tell whether a thread that runs a procedure has a result wherever it ends."""
    actions = [edge.action for edge in procedure.edges]
    returned = [action.values for action in actions if isinstance(action, Return)]
    returned += [action.arguments for action in actions if isinstance(action, Library) and action.name == EXIT]
    return all(returned)


def called_from(program: Program, name: str) -> list[Procedure]:
    """Return the procedures that a thread may be in which begins in one of them, in the order of the text."""
    own = {procedure.name: procedure for procedure in program.procedures}
    found, todo = {name}, [name]
    while todo:
        for edge in own[todo.pop()].edges:
            if isinstance(edge.action, Call) and edge.action.procedure not in found:
                found.add(edge.action.procedure)
                todo.append(edge.action.procedure)
    return [procedure for procedure in program.procedures if procedure.name in found]


class _Walk:
    """How many threads there may be at the places of main and of what it calls."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sites: dict[Place, frozenset[int]] = {}
        self.edges: dict[Place, Edge] = {}
        self.counts: dict[Place, frozenset[int]] = {}
        self.starting = {
            procedure.name
            for procedure in program.procedures
            if any(is_start(edge) for each in called_from(program, procedure.name) for edge in each.edges)
        }

    def enter(self, name: str, before: frozenset[int], calling: tuple[str, ...]) -> frozenset[int]:
        """Return how many threads there may be at the end of a procedure."""
        if name in calling:
            raise Refused(f"'{name}' starts threads and calls itself")
        procedure = self.program.procedure(name)
        counts = {procedure.entry: before}
        todo = [procedure.entry]
        while todo:
            here = todo.pop()
            for edge, after in self._leave(procedure, here, counts[here], (*calling, name)):
                joined = counts.get(edge.target, frozenset()) | after
                if len(joined) > _COUNTS:
                    raise Refused("a loop starts threads", edge.span)
                if joined != counts.get(edge.target):
                    counts[edge.target] = joined
                    todo.append(edge.target)
        for location, found in counts.items():
            self.counts[name, location] = self.counts.get((name, location), frozenset()) | found
        return counts.get(procedure.exit, frozenset())

    def _leave(
        self, procedure: Procedure, here: int, before: frozenset[int], calling: tuple[str, ...]
    ) -> Iterator[tuple[Edge, frozenset[int]]]:
        for edge in procedure.leaving.get(here, ()):
            after = before
            if is_start(edge):
                site = procedure.name, here
                self.edges[site] = edge
                self.sites[site] = self.sites.get(site, frozenset()) | before
                after = frozenset(count + 1 for count in before)
            elif isinstance(edge.action, Call) and edge.action.procedure in self.starting:
                after = self.enter(edge.action.procedure, before, calling)
            yield edge, after
