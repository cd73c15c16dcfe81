"""What leads where in a table of effects: its rows as a graph whose infinite paths are the infinite runs.

A run that never ends has infinitely many moments at which its stack never gets lower again; from one of them to the
next it takes a step inside an activation, passes a call that returns, or enters one that does not.  So the graph has an
arc for each step, for each effect of a call, and from each call to the first row of its root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knaster.base.graphs import components
from knaster.base.named_tuples import NamedTuple
from knaster.checkers.heap.endless_regions import ROW, Outcome

Row = tuple[int, int]  # a root and a row of it


class Arc(NamedTuple):
    """A way on from a row: by an alternative where there are several, by an effect of a call, or (`enters`) into it."""

    target: Row
    alternative: int | None = None
    effect: int | None = None  # of the root that the row calls
    enters: bool = False
    steps: int = 0  # of the interpreter, without those inside a call


class Arcs:
    """The arcs of one table, as its check meets them."""

    def __init__(self) -> None:
        self.firsts: dict[int, int] = {}  # the row in which each root begins
        self.calls: dict[Row, int] = {}
        self.leaving: dict[Row, list[Arc]] = {}
        self.ends: dict[Row, list[Arc]] = {}  # ways to an effect, whose number stands for a row

    def step(self, row: Row, alternative: int | None, outcome: Outcome) -> None:
        """Hear of a step that leads to a row or an effect."""
        self._add(row, Arc((row[0], outcome.number), alternative, steps=outcome.steps), outcome)

    def call(self, row: Row, root: int) -> None:
        """Hear which root a row calls."""
        self.calls[row] = root

    def back(self, row: Row, effect: int, outcome: Outcome) -> None:
        """Hear where an effect of the root that a row calls leads."""
        self._add(row, Arc((row[0], outcome.number), effect=effect, steps=outcome.steps + 1), outcome)

    def _add(self, row: Row, arc: Arc, outcome: Outcome) -> None:
        (self.leaving if outcome.what == ROW else self.ends).setdefault(row, []).append(arc)

    def after(self, row: Row) -> Iterator[Arc]:
        """Yield the arcs that leave a row."""
        yield from self.leaving.get(row, ())
        root = self.calls.get(row)
        if root is not None:
            yield Arc((root, self.firsts[root]), enters=True, steps=1)

    def endless_component(self, accepts: Callable[[Row], bool] | None) -> list[Row] | None:
        """Return rows between which an accepted run goes around; None where there are none.

        An arc accepts where it leads to a row that does, but for those into calls; without `accepts` every arc does.
        """
        rows = [(0, self.firsts[0])]
        for component in components(rows, lambda row: [arc.target for arc in self.after(row)]):
            inside = set(component)
            for row in component:
                for arc in self.after(row):
                    if arc.target in inside and is_accepting(arc, accepts):
                        return component
        return None


def is_accepting(arc: Arc, accepts: Callable[[Row], bool] | None) -> bool:
    """Tell whether an arc accepts."""
    return accepts is None or (not arc.enters and accepts(arc.target))
