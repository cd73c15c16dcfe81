"""The oracle: every reachable state of a small program, one by one.

Path edges and summaries as in Ball and Rajamani, Bebop (SPIN 2000), section 3.1, Figure 3, but over single states, and
shortest hierarchical trajectories as defined in section 3.2, by breadth-first search.  Meant to be obviously right, not
fast: the engines are compared with it.

Notation: a *context* is what a caller passes: the values of the globals and the parameters.  From one context a
procedure starts in many states, since its locals and results are arbitrary.  A *valuation* is a state of a procedure as
a tuple, in the order of `Program.scope`.  A path edge (procedure, context, location, valuation) says: the procedure is
called in this context, and then it can stand at this location in this state.  A summary maps a context to the
valuations at the exit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.program.model import Call, Edge, Location, Place, Procedure, Program
from knaster.program.state import State
from knaster.semantics.sequential import entry_states, initial_states, state_after_return, successors

Valuation = tuple[bool, ...]
Context = tuple[bool, ...]
DEFAULT_LIMIT = 1_000_000


class TooManyStates(Exception):
    """The program is too large for the oracle."""


class PathEdge(NamedTuple):
    """Called in `context`, the procedure can stand at `location` in the state `valuation`."""

    procedure: str
    context: Context
    location: Location
    valuation: Valuation


@dataclass(frozen=True, slots=True)
class Exploration:
    """Everything reachable: the path edges, and for each procedure and context the valuations at the exit."""

    path_edges: frozenset[PathEdge]
    summaries: Mapping[tuple[str, Context], frozenset[Valuation]]


class _Explorer:
    """One program, its states as tuples, and the internal steps computed so far."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self._scopes = {procedure.name: program.scope(procedure) for procedure in program.procedures}
        self._steps: dict[tuple[int, Valuation], list[Valuation]] = {}

    def state(self, procedure: Procedure, valuation: Valuation) -> State:
        return dict(zip(self._scopes[procedure.name], valuation, strict=True))

    def valuation(self, procedure: Procedure, state: State) -> Valuation:
        return tuple(bool(state[name]) for name in self._scopes[procedure.name])

    def context(self, procedure: Procedure, valuation: Valuation) -> Context:
        return valuation[: len(self.program.globals) + len(procedure.parameters)]

    def starts(self, entry: str) -> Iterator[Valuation]:
        procedure = self.procedures[entry]
        for state in initial_states(self.program, procedure):
            yield self.valuation(procedure, state)

    def internal(self, procedure: Procedure, edge: Edge, valuation: Valuation) -> list[Valuation]:
        key = (id(edge), valuation)
        if key not in self._steps:
            after = successors(procedure, edge, self.state(procedure, valuation))
            self._steps[key] = [self.valuation(procedure, state) for state in after]
        return self._steps[key]

    def entries(self, procedure: Procedure, call: Call, valuation: Valuation) -> list[Valuation]:
        key = (id(call), valuation)
        if key not in self._steps:
            callee = self.procedures[call.procedure]
            starts = entry_states(self.program, callee, call, self.state(procedure, valuation))
            self._steps[key] = [self.valuation(callee, state) for state in starts]
        return self._steps[key]

    def after_return(self, procedure: Procedure, call: Call, valuation: Valuation, end: Valuation) -> list[Valuation]:
        callee = self.procedures[call.procedure]
        before = self.state(procedure, valuation)
        after = state_after_return(self.program, procedure, callee, call, before, self.state(callee, end))
        return [] if after is None else [self.valuation(procedure, after)]


def explore(
    program: Program, entry: str = "main", limit: int = DEFAULT_LIMIT, tick: Callable[[], None] | None = None
) -> Exploration:
    """Return every path edge and every summary; raise `TooManyStates` at more than `limit` path edges.

    `tick` is called at every path edge and may raise to stop the work.
    """
    explorer = _Explorer(program)
    found: set[PathEdge] = set()
    todo: list[PathEdge] = []
    exits: dict[tuple[str, Context], set[Valuation]] = {}
    callers: dict[tuple[str, Context], list[tuple[PathEdge, Edge]]] = {}

    def reach(procedure: str, context: Context, location: Location, valuation: Valuation) -> None:
        edge = PathEdge(procedure, context, location, valuation)
        if edge not in found:
            found.add(edge)
            todo.append(edge)
            if len(found) > limit:
                raise TooManyStates(f"more than {limit} path edges")

    def come_back(caller: PathEdge, edge: Edge, end: Valuation) -> None:
        procedure = explorer.procedures[caller.procedure]
        assert isinstance(edge.action, Call)
        for after in explorer.after_return(procedure, edge.action, caller.valuation, end):
            reach(caller.procedure, caller.context, edge.target, after)

    for start in explorer.starts(entry):
        main = explorer.procedures[entry]
        reach(entry, explorer.context(main, start), main.entry, start)
    while todo:
        if tick is not None:
            tick()
        here = todo.pop()
        procedure = explorer.procedures[here.procedure]
        if here.location == procedure.exit:
            exits.setdefault((here.procedure, here.context), set()).add(here.valuation)
            for caller, edge in callers.get((here.procedure, here.context), ()):
                come_back(caller, edge, here.valuation)
        for edge in explorer.procedures[here.procedure].leaving.get(here.location, ()):
            if not isinstance(edge.action, Call):
                for after in explorer.internal(procedure, edge, here.valuation):
                    reach(here.procedure, here.context, edge.target, after)
                continue
            callee = explorer.procedures[edge.action.procedure]
            contexts = set()
            for start in explorer.entries(procedure, edge.action, here.valuation):
                context = explorer.context(callee, start)
                contexts.add(context)
                reach(callee.name, context, callee.entry, start)
            for context in contexts:
                callers.setdefault((callee.name, context), []).append((here, edge))
                for end in exits.get((callee.name, context), ()):
                    come_back(here, edge, end)
    return Exploration(frozenset(found), {key: frozenset(ends) for key, ends in sorted(exits.items())})


def reachable_locations(program: Program, entry: str = "main", limit: int = DEFAULT_LIMIT) -> set[Place]:
    """Return every location where control can stand."""
    return {(edge.procedure, edge.location) for edge in explore(program, entry, limit).path_edges}


def shortest_lengths(program: Program, entry: str = "main", limit: int = DEFAULT_LIMIT) -> dict[Place, int]:
    """Return the length of a shortest hierarchical trajectory to each reachable location.

    A call that returns is one step, a call that is entered and never left is one step, so is every internal edge.
    """
    summaries = explore(program, entry, limit).summaries
    explorer = _Explorer(program)
    lengths: dict[Place, int] = {}
    main = explorer.procedures[entry]
    ring = {(entry, main.entry, start) for start in explorer.starts(entry)}
    seen = set(ring)
    length = 0
    while ring:
        for name, location, _ in ring:
            lengths.setdefault((name, location), length)
        ring = {after for node in ring for after in _hierarchical_steps(explorer, summaries, *node)} - seen
        seen |= ring
        length += 1
    return lengths


def shortest_hierarchical(
    program: Program, targets: Collection[Place], entry: str = "main", limit: int = DEFAULT_LIMIT
) -> int | None:
    """Return the length of a shortest hierarchical trajectory to one of `targets`; None where none is reachable."""
    lengths = shortest_lengths(program, entry, limit)
    return min((lengths[target] for target in targets if target in lengths), default=None)


def _hierarchical_steps(
    explorer: _Explorer,
    summaries: Mapping[tuple[str, Context], frozenset[Valuation]],
    name: str,
    location: Location,
    valuation: Valuation,
) -> Iterator[tuple[str, Location, Valuation]]:
    procedure = explorer.procedures[name]
    for edge in explorer.procedures[name].leaving.get(location, ()):
        if not isinstance(edge.action, Call):
            for after in explorer.internal(procedure, edge, valuation):
                yield name, edge.target, after
            continue
        callee = explorer.procedures[edge.action.procedure]
        for start in explorer.entries(procedure, edge.action, valuation):
            yield callee.name, callee.entry, start
            for end in summaries.get((callee.name, explorer.context(callee, start)), ()):
                for after in explorer.after_return(procedure, edge.action, valuation, end):
                    yield name, edge.target, after
