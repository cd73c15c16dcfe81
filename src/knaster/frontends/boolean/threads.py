"""Finds the procedures that run from the start, by the conventions of the dialects.

A program with `main` is sequential.  Two dialects name their threads instead:

- Getafix: procedures `thread1`, `thread2`, ... beside a procedure `init`, or without `main`; a `main` runs beside them.
  No thread switches while a global called `atomic` is 1.
- One `main_...` procedure for each thread, and no `main`.

Threads have no parameters; they are listed in the order of the text.  A procedure `init` that no other one calls runs
before all of them; it assigns constants, so it becomes part of the initial state.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from knaster.base.errors import Problem, Span
from knaster.program.expression import TRUE, Binary, Choice, Const, Expr, Not, Operator, Var
from knaster.program.model import Assign, Assume, Call, Concurrent, Procedure, Return

_THREAD = re.compile(r"thread[0-9]+")
_MAIN = re.compile(r"main_[A-Za-z0-9_]+")


def find_threads(procedures: Sequence[Procedure]) -> tuple[str, ...]:
    """Return the procedures that run from the start; `main` where no dialect names others."""
    names = {procedure.name for procedure in procedures}
    starters = [procedure.name for procedure in procedures if not procedure.parameters]
    threads = [name for name in starters if _THREAD.fullmatch(name)]
    if threads and ("init" in starters or "main" not in names):
        return (*threads, *(name for name in starters if name == "main"))
    if "main" not in names:
        return tuple(name for name in starters if _MAIN.fullmatch(name)) or ("main",)
    return ("main",)


def shared_lock(threads: Sequence[str], shared: Collection[str]) -> str | None:
    """Return the global that forbids switches while it is 1, by the convention of Getafix."""
    return "atomic" if "atomic" in shared and any(map(_THREAD.fullmatch, threads)) else None


def find_initializer(procedures: Sequence[Procedure]) -> Procedure | None:
    """Return the procedure `init` where it runs before all threads: no other procedure calls it."""
    found = next((procedure for procedure in procedures if procedure.name == "init" and not procedure.parameters), None)
    if found is None:
        return None
    callers = [procedure for procedure in procedures if procedure is not found]
    actions = (edge.action for procedure in callers for edge in procedure.edges)
    called = any(isinstance(action, Call | Concurrent) and action.procedure == "init" for action in actions)
    return None if called else found


def initial_state(init: Procedure, shared: Sequence[str], problems: list[Problem]) -> Expr:
    """Return what holds after `init` as a formula over the globals; report a statement that assigns no constant."""
    values: dict[str, bool] = {}
    if init.enforce != TRUE:
        _refuse(init.span, problems)
    for edge in init.edges:
        match edge.action:
            case Assume(condition) if condition == TRUE and edge.target == edge.source + 1:
                pass
            case Return() if edge.source + 1 == init.exit:
                pass
            case Assign(targets, constants, constraint) if constraint == TRUE and edge.target == edge.source + 1:
                for target, constant in zip(targets, constants, strict=False):  # unequal numbers are reported already
                    match constant:
                        case Const(value):
                            values[target] = bool(value)
                        case Choice():
                            values.pop(target, None)
                        case _:
                            _refuse(edge.span, problems)
            case _:
                _refuse(edge.span, problems)
    state: Expr = TRUE
    for name in shared:
        if name in values:
            literal: Expr = Var(name) if values[name] else Not(Var(name))
            state = conjoin(state, literal)
    return state


def _refuse(span: Span, problems: list[Problem]) -> None:
    message = "the procedure 'init' of a program with threads may only assign constants, one statement after the other"
    problems.append(Problem(message, span))


def conjoin(left: Expr, right: Expr) -> Expr:
    """Return the conjunction; true disappears, and so does a conjunct that is there already."""
    if left == TRUE:
        return right
    if right == TRUE:
        return left
    return Binary(Operator.AND, left, right)
