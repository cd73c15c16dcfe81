"""Clashes of operands as a program shows them: labels behind steps that are undefined, and notes for the reader."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from knaster.base.errors import Problem, Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.order.clashes import Clash, Order
from knaster.program.checks import ORDER

_SAID = {
    Order.UNDEFINED: "'{}' is changed and used in no fixed order, which C leaves undefined; here from left to right",
    Order.UNDEFINED_WHERE_SAME: "'{}' may be changed and used in no fixed order (undefined behaviour), not ruled out",
    Order.UNSPECIFIED: "the order of evaluation may matter for '{}', and C leaves it open; here from left to right",
}


class Orders:
    """The operators of a file whose operands clash."""

    def __init__(self, clashes: Iterable[Clash] = ()) -> None:
        self.clashes = list(clashes)
        self.undefined = {clash.node for clash in self.clashes if clash.order is Order.UNDEFINED}
        self.placed: set[Any] = set()

    def mark(self, node: Any, steps: Steps[Any], graph: Graph) -> Steps[Any]:
        """Return how an expression is evaluated; where its operands clash, a label stands behind that."""
        if node not in self.undefined or node in self.placed:
            return steps
        return self._mark(node, steps, graph)

    def _mark(self, node: Any, steps: Steps[Any], graph: Graph) -> Steps[Any]:
        self.placed.add(node)
        done = yield steps
        graph.mark_undefined(ORDER, *node.at)
        return done

    def missed(self, functions: Collection[str]) -> list[Clash]:
        """Return the undefined steps of some functions that have no label."""
        return [
            clash
            for clash in self.clashes
            if clash.node in self.undefined and clash.node not in self.placed and clash.function in functions
        ]

    def notes(self, functions: Collection[str], span_of: Callable[[Any], Span]) -> list[Problem]:
        """Return what a reader should know of some functions, one note for a place and what C says of it."""
        lines: dict[tuple[Order, str], list[Span]] = {}
        for clash in self.clashes:
            if clash.function in functions:
                lines.setdefault((clash.order, clash.place), []).append(span_of(clash.node))
        return [
            Problem(_SAID[order].format(place) + _likewise(spans), spans[0]) for (order, place), spans in lines.items()
        ]


def _likewise(spans: list[Span]) -> str:
    more = sorted({span.line for span in spans} - {spans[0].line})
    return f" (likewise at line{'s' if len(more) > 1 else ''} {', '.join(map(str, more))})" if more else ""
