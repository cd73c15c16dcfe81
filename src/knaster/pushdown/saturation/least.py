"""The growing transition relation of a saturation, and how each of its weights came about.

Transitions are numbered in the order in which they are found; (source[t], symbol[t], target[t]) is transition t and
weight[t] its weight l(t), which only ascends.  A *derivation* says which rule and which earlier transitions a weight
was made of; derivations are kept by a log (`derivations.py`).
"""

from __future__ import annotations

from typing import Generic, TypeVar

from knaster.errors import UsageError
from knaster.pushdown.numbering import NONE
from knaster.pushdown.runs.derivations import Log
from knaster.pushdown.saturation.worklist import Worklist
from knaster.pushdown.semiring import Semiring

W = TypeVar("W")

LIMIT = 100_000  # changes of one weight after which a domain is taken to be unbounded


class Relation(Generic[W]):
    """Transitions with weights; a change of weight puts the transition on the worklist."""

    def __init__(self, domain: Semiring[W], log: Log[W], limit: int = LIMIT) -> None:
        self.source: list[int] = []
        self.symbol: list[int] = []
        self.target: list[int] = []
        self.weight: list[W] = []
        self.changes: list[int] = []
        self._domain = domain
        self._log = log
        self._limit = limit
        self._index: dict[tuple[int, int, int], int] = {}

    def add(
        self,
        todo: Worklist,
        transition: tuple[int, int, int],
        weight: W,
        rule: int = NONE,
        first: int = NONE,
        second: int = NONE,
    ) -> None:
        """Set l(t) to l(t) + weight; if that is a change, note its derivation and put t on the worklist."""
        if weight == self._domain.zero:
            return
        number = self._index.get(transition)
        if number is None:
            number = self._index[transition] = len(self.source)
            source, symbol, target = transition
            self.source.append(source)
            self.symbol.append(symbol)
            self.target.append(target)
            self.weight.append(weight)
            self.changes.append(1)
            self._log.record(number, weight, weight, rule, first, second)
        else:
            total = self._domain.combine(self.weight[number], weight)
            if total == self.weight[number]:
                return
            self.weight[number] = total
            self.changes[number] += 1
            check_bounded(self._domain, self.changes[number], self._limit, total)
            self._log.record(number, total, weight, rule, first, second)
        todo.put(number)


def check_bounded(domain: Semiring[W], changes: int, limit: int, weight: W) -> None:
    """Raise `UsageError` where one weight changed more often than `limit`."""
    if changes > limit:
        raise UsageError(
            f"one weight changed {limit} times and is {weight!r} now: {type(domain).__name__} seems to have an "
            "infinite ascending chain; raise the limit if it has not"
        )
