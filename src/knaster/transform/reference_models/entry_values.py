"""Entry values: from a Boolean program, the variables of each procedure that may be read before they are written.

They begin with any value, which matters to nobody else: whoever calls the procedure chooses it.  The others begin with
false.
"""

from __future__ import annotations

from knaster.program.expression import Expr, variables
from knaster.program.liveness import live_variables
from knaster.program.model import Assign, Call, Concurrent, Edge, Location, Procedure, Program, Return, expressions


def entry_values(procedure: Procedure) -> tuple[str, ...]:
    """Return the locals and results that are live at the entry."""
    own = {*procedure.locals, *procedure.results}
    always = variables(procedure.enforce) & own
    live: dict[Location, set[str]] = {procedure.exit: {*procedure.results, *always}}
    changed = True
    while changed:
        changed = False
        for edge in reversed(procedure.edges):
            found = (_reads(edge) & own) | (live.get(edge.target, always) - _writes(procedure, edge)) | always
            here = live.setdefault(edge.source, set())
            if not found <= here:
                here |= found
                changed = True
    return tuple(name for name in (*procedure.locals, *procedure.results) if name in live.get(procedure.entry, always))


def start_values(program: Program) -> frozenset[str]:
    """Return the globals whose value at the start may matter."""
    if program.is_threaded:
        return frozenset(program.globals)
    (name,) = program.threads
    mask = live_variables(program)[name][program.procedure(name).entry]
    return frozenset(each for bit, each in enumerate(program.globals) if mask >> bit & 1)


def _reads(edge: Edge) -> set[str]:
    action = edge.action
    found: tuple[Expr, ...] = action.arguments if isinstance(action, Concurrent) else expressions(action)
    return {name for expr in found for name in variables(expr)}


def _writes(procedure: Procedure, edge: Edge) -> set[str]:
    match edge.action:
        case Assign(targets):
            return set(targets)
        case Call(_, _, targets):
            return {target for target in targets if target is not None}
        case Return():
            return set(procedure.results)
    return set()
