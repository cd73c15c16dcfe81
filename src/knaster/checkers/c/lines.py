"""Straight lines through a program: one way after the other, where somebody has to show that one can be taken."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from knaster.base.limits import OutOfBudget
from knaster.checkers.c.obligations import Step
from knaster.checkers.c.walk import Arc, CallNode, Node, Walk
from knaster.program.expression import TRUE, Choice, postorder
from knaster.program.model import Call, Edge, Location, expressions
from knaster.program.types import Value, belongs

MOST_LINES = 256  # from one place to the next ones
Values = Mapping[int, Value] | None  # of the inputs of edges, by identity
Line = Node | CallNode  # where it ends: at a place, or where a call has been entered


def lines_from(
    walk: Walk, start: Node, stops: Collection[Location], given: Mapping[int, Value] | None
) -> Iterator[Line]:
    """Yield every straight line from a node to one of some locations, or into a call; no location comes twice.

    `given` are the values of inputs, by the positions of the edges that read them; without the values of its inputs an
    edge is not taken.  None: inputs may have any values.
    """
    edges = walk.program.procedure(start.place[0]).edges
    values: Values = None
    if given is not None:
        values = {id(edge): given[at] for edge in edges if given and (at := edges.index(edge)) in given}
    for number, found in enumerate(_lines(walk, start, frozenset(stops), values)):
        if number >= MOST_LINES:
            raise OutOfBudget("there are too many ways between the places of the proof")
        yield found


def _lines(walk: Walk, start: Node, stops: frozenset[Location], values: Values) -> Iterator[Line]:
    name = start.place[0]
    todo = [(start, frozenset({start.place[1]}))]
    while todo:
        node, seen = todo.pop()
        walk.budget.check()
        for edge in walk.leaving[name].get(node.place[1], ()):
            for after in _over(walk, node, edge, values):
                if isinstance(after, CallNode) or edge.target in stops:
                    yield after
                elif edge.target not in seen:
                    todo.append((after, seen | {edge.target}))


def _over(walk: Walk, node: Node, edge: Edge, values: Values) -> Iterator[Line]:
    """Yield what follows a node over an edge; of a call that is walked through, every line through it."""
    steps: list[Step] = []
    walk.names.given = None if values is None else values.get(id(edge))
    if values is not None and any(not _has_value(walk.names.given, choice) for choice in _choices(edge)):
        return
    if not isinstance(edge.action, Call):
        state = walk.after(node, edge, TRUE, steps)
        yield Node((node.place[0], edge.target), TRUE, state, (Arc(node, tuple(steps)),))
        return
    call = walk.enter(node, edge, TRUE, steps)
    yield call
    if call.callee.name not in walk.inside:
        return
    entry, end = walk.entry(call), call.callee.exit
    ways = iter([entry]) if call.callee.entry == end else _lines(walk, entry, frozenset({end}), values)
    for last in ways:
        yield last if isinstance(last, CallNode) else walk.leave(node, call, last, last.state, [])


def _choices(edge: Edge) -> list[Choice]:
    nodes = (node for expr in expressions(edge.action) for node in postorder(expr))
    return [node for node in nodes if isinstance(node, Choice)]


def _has_value(value: Value | None, choice: Choice) -> bool:
    return value is not None and belongs(value, choice.type)
