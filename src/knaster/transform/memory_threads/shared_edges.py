"""Edges of threads over integers: what they use, and what they are made of."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.records import replace
from knaster.program.algebra import substitute
from knaster.program.expression import Expr, variables
from knaster.program.memory import Library
from knaster.program.model import Action, Assign, Assume, Call, Edge, Return, expressions


def with_values(action: Action, values: Mapping[str, Expr]) -> Action:
    """Return an action in which variables are replaced where they are read."""
    match action:
        case Assume(condition):
            return Assume(substitute(condition, values))
        case Assign(targets, given):
            return Assign(targets, tuple(substitute(value, values) for value in given))
        case Return(given):
            return Return(tuple(substitute(value, values) for value in given))
        case Call():
            return replace(action, arguments=tuple(substitute(value, values) for value in action.arguments))
    raise AssertionError(action)


def writes(action: Action) -> tuple[str, ...]:
    """Return the variables that an action changes."""
    match action:
        case Assign(targets):
            return targets
        case Call(_, _, targets):
            return tuple(target for target in targets if target is not None)
    return ()


def reads(action: Action) -> set[str]:
    """Return the variables that an action reads."""
    return {name for expr in expressions(action) for name in variables(expr)}


def word_of(edge: Edge) -> str:
    """Return the word of threads of which an edge is a part; empty where there is none."""
    stands_for = original_edge(edge)
    return stands_for.action.name if stands_for is not None and isinstance(stands_for.action, Library) else ""


def original_edge(edge: Edge) -> Edge | None:
    """Return the edge of the program with memory to which an edge over integers belongs."""
    return edge.origin.origin if edge.origin is not None else None


def is_step(edge: Edge) -> bool:
    """Tell whether with an edge a step of the program with memory is over."""
    return original_edge(edge) is not None and edge.origin is not None and not edge.origin.keeps
