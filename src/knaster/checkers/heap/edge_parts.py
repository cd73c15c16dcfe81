"""What an edge of a program with references mentions and changes, by its text."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.program.expression import Expr, Part, Var
from knaster.program.model import Assume, Call, Concurrent, Edge, Return
from knaster.program.objects import Choose, Join, Print, Send, Store, Update


def expressions_of(edge: Edge) -> Iterator[Expr]:
    """Yield every expression of an edge."""
    match edge.action:
        case Assume(condition):
            yield condition
        case Store(places, value):
            yield from (*places, value)
        case Choose(place, _, collection):
            yield from _present(place, collection)
        case Send(one, other) | Update(one, _, other):
            yield from (one, other)
        case Join(waits, receives):
            yield from (*waits, *(each for pair in receives for each in pair))
        case Return(values) | Print(_, values) | Concurrent(_, _, _, values):
            yield from values
        case Call(_, arguments, _, places):
            yield from _present(*arguments, *places)


def places_of(edge: Edge) -> list[Expr]:
    """Return the places to which an edge stores: variables, fields and elements, not the parts of them."""
    places: list[Expr] = []
    match edge.action:
        case Store(given):
            places = list(given)
        case Choose(place):
            places = [place]
        case Join(_, receives):
            places = [place for _, place in receives]
        case Call(_, _, _, results):
            places = _present(*results)
    return [_whole(place) for place in places]


def _present(*expressions: Expr | None) -> list[Expr]:
    return [each for each in expressions if each is not None]


def _whole(place: Expr) -> Expr:
    while isinstance(place, Part):
        place = place.struct
    return place


def changed_variables(edge: Edge) -> list[str]:
    """Return the names of variables that an edge changes."""
    return [place.name for place in places_of(edge) if isinstance(place, Var)]
