"""Mentions: from an edge of a program with references, the variables that its statement mentions or stores to."""

from __future__ import annotations

from knaster.program.expression import Expr, Part, Var, postorder
from knaster.program.model import Assume, Call, Concurrent, Edge, Procedure, Return
from knaster.program.objects import Choose, Join, Print, Send, Store, Update


def mentioned_variables(edge: Edge) -> list[str]:
    """Return the variables of an edge, each once, in the order of the text."""
    nodes = (node for expr in expressions(edge) for node in postorder(expr))
    return list(dict.fromkeys(node.name for node in nodes if isinstance(node, Var)))


def used_parameters(procedure: Procedure) -> list[int]:
    """Return the parameters that a procedure mentions at all, by number."""
    names = {name for edge in procedure.edges for name in mentioned_variables(edge)}
    return [slot for slot, name in enumerate(procedure.parameters) if name in names]


def expressions(edge: Edge) -> list[Expr]:
    """Return the places and values of an edge."""
    match edge.action:
        case Assume(condition):
            return [condition]
        case Store(places, value):
            return [*places, value]
        case Choose(place, _, collection):
            return [place] if collection is None else [place, collection]
        case Send(channel, value):
            return [channel, value]
        case Update(target, _, operand):
            return [target, operand]
        case Join(waits, receives):
            return [*waits, *(each for pair in receives for each in pair)]
        case Return(values) | Print(_, values):
            return list(values)
        case Call(_, arguments, _, places):
            return [*arguments, *(place for place in places if place is not None)]
        case Concurrent(_, _, _, arguments):
            return list(arguments)
        case _:
            return []


def stored_variables(edge: Edge) -> list[str]:
    """Return the variables to which an edge stores, or to parts of which it does."""
    places: list[Expr] = []
    match edge.action:
        case Store(given):
            places = list(given)
        case Choose(place):
            places = [place]
        case Join(_, receives):
            places = [place for _, place in receives]
        case Call(_, _, _, given):
            places = [place for place in given if place is not None]
    found = []
    for place in places:
        while isinstance(place, Part):
            place = place.struct
        found += [place.name] if isinstance(place, Var) else []
    return found
