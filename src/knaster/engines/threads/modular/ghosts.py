"""Adds ghosts to a program: globals in which its threads remember what the others saw last.

The edges are those of the program, in the same order.  A thread statement becomes an assignment to two kinds of new
globals: whether a section is open, and what the shared variables were at the last moment at which another thread could
run.  Without sections, and without a variable that keeps others from running, there are none.
"""

from __future__ import annotations

from knaster.base.records import replace
from knaster.evidence.proofs.threads.interference import Ghosts
from knaster.program.expression import FALSE, TRUE, Binary, Choice, Conditional, Expr, Not, Operator, Var, postorder
from knaster.program.model import Action, Assign, Assume, Concurrent, Edge, Procedure, Program, ThreadOperation


def ghosts_of(program: Program) -> Ghosts | None:
    """Return the new globals; None where other threads may run at any time."""
    edges = [edge for procedure in program.procedures for edge in procedure.edges]
    begins = any(isinstance(e.action, Concurrent) and e.action.operation is ThreadOperation.ATOMIC_BEGIN for e in edges)
    if not begins and program.atomic is None:
        return None
    return Ghosts("@inside", {name: f"@seen {name}" for name in program.globals})


def add_ghosts(program: Program, ghosts: Ghosts | None) -> Program:
    """Return the program with its thread statements replaced; threads that end do not go on."""
    procedures = tuple(_add_ghosts_to(program, procedure, ghosts) for procedure in program.procedures)
    shared, groups = program.globals, program.together
    if ghosts is not None:
        shared = (ghosts.inside, *(name for x in program.globals for name in (x, ghosts.seen[x])))
        groups = ((ghosts.inside,), *((x, ghosts.seen[x]) for x in program.globals))
    return replace(program, globals=shared, procedures=procedures, together=groups, atomic=None)


def _add_ghosts_to(program: Program, procedure: Procedure, ghosts: Ghosts | None) -> Procedure:
    edges = [replace(edge, action=_action(program, edge, ghosts)) for edge in procedure.edges]
    return replace(procedure, edges=tuple(edges))


def _action(program: Program, edge: Edge, ghosts: Ghosts | None) -> Action:
    match edge.action:
        case Assign(targets, values, constraint) if ghosts is not None and program.atomic in targets:
            lock = values[targets.index(program.atomic)]
            kept = {name: value for name, value in _last_views(program, ghosts)}
            if not any(isinstance(node, Choice) for node in postorder(lock)):
                shut = Binary(Operator.OR, lock, Var(ghosts.inside))  # a section goes on, whatever becomes of the lock
                kept = {name: Binary(Operator.AND, value, shut) for name, value in kept.items()}
            return Assign((*targets, *kept), (*values, *kept.values()), constraint)
        case Concurrent(ThreadOperation.END):
            return Assume(FALSE)
        case Concurrent(ThreadOperation.ATOMIC_BEGIN) if ghosts is not None:
            kept = dict(_last_views(program, ghosts))
            return Assign((ghosts.inside, *kept), (TRUE, *kept.values()))
        case Concurrent(ThreadOperation.ATOMIC_END) if ghosts is not None:
            names = tuple(ghosts.seen.values())
            lock = FALSE if program.atomic is None else Var(program.atomic)
            values = tuple(FALSE if lock is FALSE else Binary(Operator.AND, Var(name), lock) for name in names)
            return Assign((ghosts.inside, *names), (FALSE, *values))
        case Concurrent():
            return Assume(TRUE)
        case action:
            return action


def _last_views(program: Program, ghosts: Ghosts) -> list[tuple[str, Expr]]:
    """Return for each shared variable what was seen last: its value now, where another thread may run now."""
    open_: Expr = Not(Var(ghosts.inside))
    if program.atomic is not None:
        open_ = Binary(Operator.AND, open_, Not(Var(program.atomic)))
    return [(seen, Conditional(open_, Var(x), Var(seen))) for x, seen in ghosts.seen.items()]
