"""Which local variables of a procedure still matter at a location, whatever other threads do.

The plain backward analysis of one procedure: what a step reads is live before it, what it writes is not.  Globals are
not looked at, because other threads may read them at any time; so a local that is copied to a global is always read.
(`liveness` knows more, of sequential programs.)
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.program.expression import Expr, primed_variables, variables
from knaster.program.model import Assign, Assume, Call, Concurrent, Edge, Location, Procedure, Return

Names = frozenset[str]


def live_locals(procedure: Procedure) -> list[Names]:
    """Return the variables of an activation that matter at each location; at the exit those are the results."""
    own = frozenset(procedure.frame)
    enforced = frozenset(variables(procedure.enforce)) & own
    live = [enforced] * procedure.size
    live[procedure.exit] |= frozenset(procedure.results)
    leading: dict[Location, list[Edge]] = {}
    for edge in procedure.edges:
        for target in _targets(edge):
            leading.setdefault(target, []).append(edge)
    effects = {id(edge): _effect(procedure, edge) for edge in procedure.edges}
    todo = list(range(procedure.size))
    for edge in procedure.edges:
        read, _ = effects[id(edge)]
        live[edge.source] |= read & own
    while todo:
        location = todo.pop()
        for edge in leading.get(location, ()):
            _, written = effects[id(edge)]
            kept = live[location] - (written if location == edge.target else frozenset())
            if not kept <= live[edge.source]:
                live[edge.source] |= kept
                todo.append(edge.source)
    return live


def live_across(call: Call, after: Names) -> Names:
    """Return what of a caller matters while it waits, given what matters after the call."""
    return after - {target for target in call.targets if target is not None}


def _targets(edge: Edge) -> tuple[Location, ...]:
    """Return where an edge leads; a thread that is started elsewhere in the procedure has a copy of the variables."""
    if isinstance(edge.action, Concurrent) and edge.action.location is not None:
        return edge.target, edge.action.location
    return (edge.target,)


def _effect(procedure: Procedure, edge: Edge) -> tuple[Names, Names]:
    """Return what an edge reads, and what it writes."""
    match edge.action:
        case Assume(condition):
            return _read([condition]), frozenset()
        case Assign(targets, values, constraint):
            kept = frozenset(primed_variables(constraint)) - frozenset(targets)  # their new values are the old ones
            return _read([*values, constraint]) | kept, frozenset(targets)
        case Return(values):
            return _read(values), frozenset(procedure.results)
        case Call(_, arguments, targets):
            return _read(arguments), frozenset(target for target in targets if target is not None)
        case Concurrent(arguments=arguments):
            return _read(arguments), frozenset()
        case _:
            return frozenset(procedure.frame), frozenset()


def _read(expressions: Sequence[Expr]) -> Names:
    return frozenset().union(*map(variables, expressions))
