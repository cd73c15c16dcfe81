"""How a program finds out whether two uses meet: it remembers the places, and asks behind the operator.

What may not be evaluated has a flag, which is false before the operator and true where the place is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from knaster.base.errors import Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.order.clashes import Pair
from knaster.program.checks import ORDER
from knaster.program.expression import FALSE, TRUE, Expr, Var
from knaster.program.types import BOOL


class Evaluation(Protocol):
    """The expressions of one function while they are lowered."""

    span: Span

    @property
    def graph(self) -> Any:
        """The graph to which edges are added."""

    def temporary(self, type: Any, about: str = "") -> str:
        """Return a new variable of the model."""

    def assign(self, variable: str, value: Expr) -> None:
        """Give a variable of the model a value."""

    @property
    def coincidence(self) -> Any:
        """How places are remembered and compared."""


class Watching:
    """The uses of a file that are watched, by their nodes."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        uses = [use for pair in pairs for use in (pair.one, pair.other)]
        self.flagged = {use.node for use in uses if not use.sure}
        self.nodes = {use.node for use in uses}
        self._flags: dict[Any, str] = {}
        self._places: dict[Any, Any] = {}

    def prepare(self, pairs: Iterable[Pair], expressions: Evaluation) -> None:
        """Say before an operator that what may not be evaluated was not."""
        nodes = [use.node for pair in pairs for use in (pair.one, pair.other) if use.node in self.flagged]
        for node in dict.fromkeys(nodes):
            if node not in self._flags:
                self._flags[node] = expressions.temporary(BOOL, "used")
            expressions.assign(self._flags[node], FALSE)

    def watch(self, node: Any, steps: Steps[Any], expressions: Evaluation) -> Steps[Any]:
        """Return how a place is found; it is remembered."""
        place = yield steps
        if place is not None:
            self._places[node] = expressions.coincidence.remember(place)
            if node in self._flags:
                expressions.assign(self._flags[node], TRUE)
        return place

    def ask(self, node: Any, pairs: Iterable[Pair], expressions: Evaluation) -> bool:
        """Let control come to a label where one of some pairs meets; tell whether that is said of all."""
        graph, complete, asked = expressions.graph, True, False
        met, end = graph.new(), graph.new()
        for pair in pairs:
            condition = self._condition(pair, expressions)
            if condition is None:
                complete = False
                continue
            if condition == FALSE:
                continue
            asked = True
            self._branch(pair, condition, met, expressions)
        if asked:
            graph.jump(end)
            graph.place(met)
            graph.mark_undefined(ORDER, *node.at)
            graph.place(end)
        return complete

    def _condition(self, pair: Pair, expressions: Evaluation) -> Expr | None:
        one, other = self._places.get(pair.one.node), self._places.get(pair.other.node)
        return None if one is None or other is None else expressions.coincidence.meet(one, other)

    def _branch(self, pair: Pair, condition: Expr, met: int, expressions: Evaluation) -> None:
        """Go to `met` where both uses of a pair were evaluated and meet, else on."""
        graph: Graph = expressions.graph
        on = graph.new()
        for use in (pair.one, pair.other):
            if use.node in self._flags:
                both = graph.new()
                graph.branch(Var(self._flags[use.node]), both, on, expressions.span)
                graph.place(both)
        graph.branch(condition, met, on, expressions.span)
        graph.place(on)
