"""Which variables of a procedure may be read before they are set, and which objects live where: two flows forwards.

A variable that nobody has set is an input where it is read.  An object lives from its `Begin` until an edge forgets it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import Var, postorder
from knaster.program.memory import AddressOf, Begin, Invoke, Library, memory_expressions
from knaster.program.model import Assign, Call, Edge, Location, Procedure, expressions


class Scopes(NamedTuple):
    """What the flows say of one procedure."""

    unset: frozenset[str]  # variables that may be read before they are set
    alive: Mapping[Location, frozenset[str]]  # objects that may live there
    passed_over: frozenset[str]  # objects that may be named where they do not live


def find_scopes(procedure: Procedure) -> Scopes:
    """Return which variables may be unset where they are read, and which objects may live where."""
    objects = frozenset(edge.action.name for edge in procedure.edges if isinstance(edge.action, Begin))
    own = frozenset(procedure.locals)
    start = (own, frozenset[str](), objects)
    states = {procedure.entry: start}
    todo = [procedure.entry]
    while todo:
        here = todo.pop()
        for edge in procedure.leaving.get(here, ()):
            after = _pass_edge(edge, states[here], own, objects)
            before = states.get(edge.target)
            joined = after if before is None else tuple(a | b for a, b in zip(after, before, strict=True))
            if joined != before:
                states[edge.target] = joined  # type: ignore[assignment]
                todo.append(edge.target)
    unset: set[str] = set()
    passed: set[str] = set()
    for here, (missing, _, dead) in states.items():
        for edge in procedure.leaving.get(here, ()):
            for expr in expressions_of(edge.action):
                for node in postorder(expr):
                    if isinstance(node, Var) and node.name in missing:
                        unset.add(node.name)
                    elif isinstance(node, AddressOf) and node.name in dead:
                        passed.add(node.name)
    return Scopes(frozenset(unset), {at: state[1] for at, state in states.items()}, frozenset(passed))


_Flow = tuple[frozenset[str], frozenset[str], frozenset[str]]  # unset variables, objects that may live, may be dead


def _pass_edge(edge: Edge, state: _Flow, own: frozenset[str], objects: frozenset[str]) -> _Flow:
    missing, alive, dead = state
    missing = missing.difference(set_by(edge.action))
    if isinstance(edge.action, Begin):
        alive, dead = alive | {edge.action.name}, dead - {edge.action.name}
    gone = frozenset(edge.forgets)
    return missing | (gone & own), alive - gone, dead | (gone & objects)


def set_by(action: Any) -> tuple[str, ...]:
    """Return the variables that an action sets."""
    match action:
        case Assign(targets):
            return targets
        case Call(_, _, targets) | Invoke(_, _, targets):
            return tuple(target for target in targets if target is not None)
        case Library(_, _, str(target)):
            return (target,)
    return ()


def expressions_of(action: Any) -> tuple[Any, ...]:
    """Return what an action evaluates."""
    return (*expressions(action), *memory_expressions(action))
