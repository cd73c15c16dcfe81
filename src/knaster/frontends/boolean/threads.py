"""Which procedures run from the start, by the conventions of the dialects.

A program with `main` is sequential.  Two dialects name their threads instead:

- Getafix: procedures `thread1`, `thread2`, ... beside a procedure `init`, or without `main`; a `main` runs beside them.
  `init` runs before all threads; it assigns constants, so it becomes part of the initial state.
- One `main_...` procedure for each thread, and no `main`.

Threads have no parameters; they are listed in the order of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from knaster.errors import Problem
from knaster.program.expression import TRUE, Binary, Choice, Const, Expr, Not, Operator, Var
from knaster.program.model import Assign, Assume, Edge, Procedure, Return

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


def initial_state(init: Procedure, shared: Sequence[str], problems: list[Problem]) -> Expr:
    """Return what holds after `init` as a formula over the globals; report a statement that assigns no constant."""
    values: dict[str, bool] = {}
    for edge in init.edges:
        match edge.action:
            case Assume(condition) if condition == TRUE and edge.target == edge.source + 1:
                pass
            case Return() if edge.source + 1 == init.exit:
                pass
            case Assign(targets, constants, constraint) if constraint == TRUE and edge.target == edge.source + 1:
                for target, constant in zip(targets, constants, strict=True):
                    match constant:
                        case Const(value):
                            values[target] = value
                        case Choice():
                            values.pop(target, None)
                        case _:
                            _refuse(edge, problems)
            case _:
                _refuse(edge, problems)
    state: Expr = TRUE
    for name in shared:
        if name in values:
            literal: Expr = Var(name) if values[name] else Not(Var(name))
            state = conjoin(state, literal)
    return state


def _refuse(edge: Edge, problems: list[Problem]) -> None:
    message = "the procedure 'init' of a program with threads may only assign constants, one statement after the other"
    problems.append(Problem(message, edge.span))


def conjoin(left: Expr, right: Expr) -> Expr:
    """Return the conjunction; true disappears, and so does a conjunct that is there already."""
    if left == TRUE:
        return right
    if right == TRUE:
        return left
    return Binary(Operator.AND, left, right)
