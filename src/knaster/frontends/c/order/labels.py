"""Clashes of operands as a program shows them: labels behind steps that are undefined, and notes for the reader."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from knaster.base.errors import Problem, Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.order.clashes import Clash, Order
from knaster.frontends.c.order.watching import Evaluation, Watching
from knaster.program.checks import ORDER, UNORDERED

_SAID = {
    Order.UNDEFINED: f"'{{}}' {UNORDERED[0]}",
    Order.UNDEFINED_WHERE_SAME: f"'{{}}' {UNORDERED[1]}",
    Order.UNSPECIFIED: "the order of evaluation may matter for '{}', and C leaves it open; here from left to right",
}
_NOT_PLACED = "'{}' may be changed and used in no fixed order (undefined behaviour), for which there is no target here"


class Orders:
    """The operators of a file whose operands clash."""

    def __init__(self, clashes: Iterable[Clash] = ()) -> None:
        self.clashes = list(clashes)
        self.targets = {clash.node: clash for clash in self.clashes if clash.order is not Order.UNSPECIFIED}
        self.watching = Watching(pair for clash in self.clashes for pair in clash.pairs)
        self.begun: set[Any] = set()
        self.placed: set[Any] = set()
        self.open: set[Any] = set()  # of which some uses are not watched

    def mark(self, node: Any, steps: Steps[Any], expressions: Evaluation) -> Steps[Any]:
        """Return how an expression is evaluated; where its operands clash, a label stands behind that."""
        if node not in self.targets or node in self.begun:
            return steps
        return self._mark(node, steps, expressions)

    def _mark(self, node: Any, steps: Steps[Any], expressions: Evaluation) -> Steps[Any]:
        self.begun.add(node)
        self.watching.prepare(self.targets[node].pairs, expressions)
        done = yield steps
        self.close(node, expressions)
        return done

    def mark_place(self, node: Any, steps: Steps[Any], expressions: Evaluation) -> Steps[Any]:
        """Return how a place is found, which is remembered where somebody asks for it later."""
        found = self.mark(node, steps, expressions)
        return self.watching.watch(node, found, expressions) if node in self.watching.nodes else found

    def close(self, node: Any, expressions: Evaluation) -> None:
        """Put the label of an operator here, once: its operands are evaluated, and what it calls may not return."""
        if node not in self.begun or node in self.placed:
            return
        self.placed.add(node)
        pairs = self.targets[node].pairs
        if not pairs:
            expressions.graph.mark_undefined(ORDER, *node.at)
        elif not self.watching.ask(node, pairs, expressions):
            self.open.add(node)

    def asks_inside(self, node: Any) -> bool:
        """Tell whether somebody asks whether a part of an expression was evaluated."""
        flagged = self.watching.flagged
        return bool(flagged) and any(part in flagged for part in memory.walk(node))

    def missed(self, functions: Collection[str]) -> list[Clash]:
        """Return the undefined steps of some functions that have no label."""
        return [
            clash
            for clash in self.clashes
            if clash.order is Order.UNDEFINED and clash.node not in self.placed and clash.function in functions
        ]

    def notes(self, functions: Collection[str], span_of: Callable[[Any], Span]) -> list[Problem]:
        """Return what a reader should know of some functions, one note for a place and what C says of it."""
        lines: dict[str, list[Span]] = {}
        for clash in self.clashes:
            if clash.function in functions:
                lines.setdefault(self._said(clash), []).append(span_of(clash.node))
        return [Problem(said + _likewise(spans), spans[0]) for said, spans in lines.items()]

    def _said(self, clash: Clash) -> str:
        is_open = clash.pairs and (clash.node in self.open or clash.node not in self.placed)
        return (_NOT_PLACED if is_open else _SAID[clash.order]).format(clash.place)


def _likewise(spans: list[Span]) -> str:
    more = sorted({span.line for span in spans} - {spans[0].line})
    return f" (likewise at line{'s' if len(more) > 1 else ''} {', '.join(map(str, more))})" if more else ""
