"""Shortest traces for tests, by explicit search: the smallest number of steps with every call expanded."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.model import Call, Edge, Location, Procedure, Program
from knaster.program.state import State
from knaster.semantics.sequential import entry_states, initial_states, state_after_return, successors

Frozen = tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class _Activation:
    """A procedure in the middle of its run."""

    procedure: Procedure
    start: Frozen
    state: Frozen
    location: Location
    steps: tuple[Step, ...] = ()
    call: Edge | None = None  # the call that is being executed


def trace_to(program: Program, label: str | None, entry: str = "main", limit: int = 100_000) -> Trace:
    """Return a trace to a label of any procedure, or to a failing assertion; small programs only."""
    procedures = {procedure.name: procedure for procedure in program.procedures}
    main = procedures[entry]
    queue: deque[tuple[_Activation, ...]] = deque()
    for state in initial_states(program, main):
        queue.append((_Activation(main, _freeze(state), _freeze(state), main.entry),))
    seen: set[tuple[tuple[str, Frozen, Location], ...]] = set()
    while queue and len(seen) < limit:
        stack = queue.popleft()
        key = tuple((one.procedure.name, one.state, one.location) for one in stack)
        if key in seen:
            continue
        seen.add(key)
        if _is_goal(stack[-1], label):
            return _finish(stack)
        queue.extend(_next(program, procedures, stack))
    raise AssertionError(f"{label} was not reached")


def _is_goal(top: _Activation, label: str | None) -> bool:
    if label is None:
        return top.location in top.procedure.failures
    return (label, top.location) in top.procedure.labels


def _finish(stack: tuple[_Activation, ...]) -> Trace:
    paths = []
    for one in stack:
        entered = (Step(one.call, dict(one.state)),) if one.call is not None else ()
        paths.append(Path(one.procedure.name, dict(one.start), one.steps + entered))
    return Trace.sequential(tuple(paths), stack[-1].location)


def _next(
    program: Program, procedures: dict[str, Procedure], stack: tuple[_Activation, ...]
) -> list[tuple[_Activation, ...]]:
    *below, top = stack
    found: list[tuple[_Activation, ...]] = []
    if top.location == top.procedure.exit and below:
        caller = below[-1]
        assert caller.call is not None and isinstance(caller.call.action, Call)
        after = state_after_return(
            program, caller.procedure, top.procedure, caller.call.action, dict(caller.state), dict(top.state)
        )
        run = Path(top.procedure.name, dict(top.start), top.steps)
        return [] if after is None else [(*below[:-1], _go(caller, caller.call, after, run))]
    for edge in top.procedure.edges:
        if edge.source != top.location:
            continue
        if isinstance(edge.action, Call):
            callee = procedures[edge.action.procedure]
            waiting = _Activation(top.procedure, top.start, top.state, top.location, top.steps, edge)
            for state in entry_states(program, callee, edge.action, dict(top.state)):
                found.append((*below, waiting, _Activation(callee, _freeze(state), _freeze(state), callee.entry)))
        else:
            for state in successors(top.procedure, edge, dict(top.state)):
                found.append((*below, _go(top, edge, state, None)))
    return found


def _go(one: _Activation, edge: Edge, after: State, inside: Path | None) -> _Activation:
    steps = (*one.steps, Step(edge, dict(after), inside))
    return _Activation(one.procedure, one.start, _freeze(after), edge.target, steps)


def _freeze(state: State) -> Frozen:
    return tuple((name, bool(value)) for name, value in state.items())
