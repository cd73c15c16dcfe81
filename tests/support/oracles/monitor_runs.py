"""The errors that a monitor comes to on runs of a small Boolean program, state by state and call by call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knaster.automata.monitor import Monitor
from knaster.program.model import Call, Edge, Procedure, Program
from knaster.semantics.sequential import entry_states, initial_states, state_after_return, successors


def errors_reached(
    program: Program, monitor: Monitor, events: Callable[[Procedure, Edge], Any], limit: int
) -> set[tuple[str, str, int]] | None:
    """Return each error with the procedure and the location before which it happens; None beyond `limit` states."""
    errors: set[tuple[str, str, int]] = set()
    seen: set[Any] = set()
    todo: list[Any] = []
    ends: dict[Any, set[Any]] = {}
    callers: dict[Any, list[Any]] = {}

    def reach(context: Any, location: int, state: dict[str, Any], at: str) -> None:
        item = context, location, tuple(sorted(state.items())), at
        if item not in seen:
            seen.add(item)
            todo.append(item)

    def begin(own: Procedure, state: dict[str, Any], at: str) -> Any:
        context = own.name, tuple(sorted(state.items())), at
        reach(context, own.entry, state, at)
        return context

    main = program.procedure(program.threads[0])
    for start in initial_states(program, main):
        begin(main, dict(start), monitor.start)
    while todo:
        if len(seen) > limit:
            return None
        item = context, location, frozen, at = todo.pop()
        own, state = program.procedure(context[0]), dict(frozen)
        if location == own.exit:
            ends.setdefault(context, set()).add((frozen, at))
            for caller, edge in callers.get(context, ()):
                _come_back(program, caller, edge, own, state, at, reach)
        for edge in own.leaving.get(location, ()):
            then = monitor.step(at, events(own, edge))
            if then in monitor.errors:
                errors.add((then, own.name, location))
            elif isinstance(edge.action, Call):
                callee = program.procedure(edge.action.procedure)
                for entry in entry_states(program, callee, edge.action, state):
                    inner = begin(callee, dict(entry), then)
                    callers.setdefault(inner, []).append((item, edge))
                    for end, after in list(ends.get(inner, ())):
                        _come_back(program, item, edge, callee, dict(end), after, reach)
            else:
                for successor in successors(own, edge, state):
                    reach(context, edge.target, dict(successor), then)
    return errors


def _come_back(program: Program, caller: Any, edge: Edge, callee: Procedure, end: Any, at: str, reach: Any) -> None:
    context, _, frozen, _ = caller
    assert isinstance(edge.action, Call)
    after = state_after_return(program, program.procedure(context[0]), callee, edge.action, dict(frozen), end)
    if after is not None:
        reach(context, edge.target, dict(after), at)
