"""Takes away inputs that nobody reads: what an object holds before it is written, where it is always written first."""

from __future__ import annotations

from typing import Any

from knaster.base.records import replace
from knaster.program.expression import TRUE, Const, Expr, Updated, Var, has_choice, variables
from knaster.program.memory import Begin
from knaster.program.model import Assign, Assume, Call, Edge, Procedure, Return, expressions
from knaster.program.types import Array, Type, default


def remove_dead_choices(procedure: Procedure, shared: dict[str, Type], alone: bool = True) -> Procedure:
    """Return a procedure without assignments of inputs to variables that are set again before they are read.

    What is `shared` with other procedures may be read by every call, and after the end; where it is not `alone`, at
    any time.
    """
    types = shared | dict(procedure.types)
    kept = frozenset[str]() if alone else frozenset(shared)
    edges = tuple(_without_dead(edge, procedure, shared, types, kept) for edge in procedure.edges)
    return replace(procedure, edges=edges)


def _without_dead(
    edge: Edge, procedure: Procedure, shared: dict[str, Type], types: dict[str, Type], noticed: frozenset[str]
) -> Edge:
    action = edge.action
    if not isinstance(action, Assign) or not any(map(has_choice, action.values)):
        return edge
    if edge.origin is not None and not isinstance(edge.origin.action, Begin):
        return edge  # the program reads an input here
    kept: list[tuple[str, Expr]] = []
    for target, value in zip(action.targets, action.values, strict=True):
        type = types.get(target)
        if target in noticed:
            kept.append((target, value))
            continue
        if has_choice(value) and not _may_be_read(target, edge, procedure, target in shared):
            continue
        if has_choice(value) and isinstance(type, Array) and _is_filled(target, edge, procedure, type.length):
            value = Const(default(type))
        kept.append((target, value))
    if not kept:
        return replace(edge, action=Assume(TRUE))
    return replace(edge, action=Assign(tuple(name for name, _ in kept), tuple(value for _, value in kept)))


def _may_be_read(name: str, edge: Edge, procedure: Procedure, shared: bool) -> bool:
    seen = {edge.target}
    todo = [edge.target]
    while todo:
        for following in procedure.leaving.get(todo.pop(), ()):
            action: Any = following.action
            if any(name in variables(expr) for expr in expressions(action)):
                return True
            if shared and isinstance(action, Call | Return):
                return True
            if isinstance(action, Assign | Call) and name in action.targets:
                continue
            if following.target not in seen:
                seen.add(following.target)
                todo.append(following.target)
    return False


def _is_filled(name: str, edge: Edge, procedure: Procedure, length: int) -> bool:
    """Tell whether all elements of an array are written one after the other before anything else looks at it."""
    missing = set(range(length))
    here, passed = edge.target, 0
    while missing and passed < procedure.size:
        passed += 1
        leaving = procedure.leaving.get(here, ())
        if len(leaving) != 1:
            return False
        action: Any = leaving[0].action
        here = leaving[0].target
        if isinstance(action, Assign) and name in action.targets:
            written = _elements_written(name, action.values[action.targets.index(name)])
            others = [value for target, value in zip(action.targets, action.values, strict=True) if target != name]
            if written is None or any(name in variables(value) for value in others):
                return False
            missing -= written
        elif isinstance(action, Call | Return) or any(name in variables(expr) for expr in expressions(action)):
            return False
    return not missing


def _elements_written(name: str, value: Expr) -> set[int] | None:
    """Return which elements of an array an expression replaces; None where it reads it otherwise."""
    found: set[int] = set()
    while isinstance(value, Updated):
        if not isinstance(value.index, Const) or name in variables(value.value):
            return None
        assert isinstance(value.index.value, int)
        found.add(value.index.value)
        value = value.array
    return found if value == Var(name) else None
