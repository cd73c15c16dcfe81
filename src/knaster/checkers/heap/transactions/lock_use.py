"""Lock use: from the text of a program, whether a static is a lock, and what the edges that mention it do with it.

A lock is a truth value that is false at the start.  It is mentioned by edges that wait for its negation, are the only
ones to leave where they begin, and keep on to an edge that nothing else leads to and that sets it; and by edges that
clear it.  By no other edge, no initial value and no field.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from knaster.base.errors import InternalError
from knaster.program.expression import Const, Expr, Not, Var, postorder
from knaster.program.model import Assume, Call, Concurrent, Edge, Location, Procedure, Program, Return
from knaster.program.objects import Choose, ClassCell, Join, Print, Send, Store, Update


class Use(Enum):
    """What an edge does with a lock."""

    TEST = "test"
    TAKE = "take"
    RELEASE = "release"


Place = tuple[str, Location]


def uses_of(program: Program, lock: str) -> dict[Place, Use]:
    """Return what the text does with a lock, by place; raise `InternalError` where the static is no lock."""
    assert program.objects is not None
    types = dict(program.types)
    initial = [value for _, value in program.objects.statics]
    initial += [value for cell in program.objects.cells if isinstance(cell, ClassCell) for _, value in cell.initial]
    if lock not in program.globals or any(name == lock for name, _ in program.objects.statics):
        _refuse(lock)
    if str(types.get(lock, "bool")) != "bool" or any(_mentions(value, lock) for value in initial):
        _refuse(lock)
    found: dict[Place, Use] = {}
    for procedure in program.procedures:
        for edge in procedure.edges:
            if any(_mentions(expr, lock) for expr in expressions_of(edge)):
                found[procedure.name, edge.source] = _use(procedure, edge, lock)
    return found


def _use(procedure: Procedure, edge: Edge, lock: str) -> Use:
    alone = len(procedure.leaving[edge.source]) == 1
    match edge.action:
        case Join(waits=(Not(Var(name)),), receives=()) if name == lock and alone and edge.keeps:
            follows = procedure.leaving.get(edge.target, ())
            entering = [each for each in procedure.edges if each.target == edge.target]
            if len(follows) == 1 and len(entering) == 1 and edge.target != procedure.entry and _sets(follows[0], lock):
                return Use.TEST
        case Store((Var(name),), Const(False)) if name == lock and alone:
            return Use.RELEASE
        case Store((Var(name),), Const(True)) if name == lock and alone and edge.source != procedure.entry:
            entering = [each for each in procedure.edges if each.target == edge.source]
            if len(entering) == 1 and _use(procedure, entering[0], lock) is Use.TEST:
                return Use.TAKE
    _refuse(lock)
    raise AssertionError


def _sets(edge: Edge, lock: str) -> bool:
    return isinstance(edge.action, Store) and edge.action == Store((Var(lock),), Const(True))


def _mentions(expr: Expr, name: str) -> bool:
    return any(isinstance(node, Var) and node.name == name for node in postorder(expr))


def expressions_of(edge: Edge) -> Iterator[Expr]:
    """Yield every expression of an edge."""
    match edge.action:
        case Assume(condition):
            yield condition
        case Store(places, value):
            yield from (*places, value)
        case Choose(place, _, collection):
            yield from (place,) if collection is None else (place, collection)
        case Send(channel, value):
            yield from (channel, value)
        case Update(target, _, operand):
            yield from (target, operand)
        case Join(waits, receives):
            yield from (*waits, *(each for pair in receives for each in pair))
        case Return(values) | Print(_, values):
            yield from values
        case Call(_, arguments, _, places):
            yield from (*arguments, *(place for place in places if place is not None))
        case Concurrent(_, _, _, arguments):
            yield from arguments


def _refuse(lock: str) -> None:
    raise InternalError(f"the table of transactions does not hold: '{lock}' is no lock")
