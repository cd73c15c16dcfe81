"""Room: from what searches over heaps remember, the count of numbers in it; where that is spent, the search ends.

A limit of states alone does not bound memory: a channel, a list or a stack may grow from each state to the next, so
that n states hold n * n / 2 numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from knaster.base.limits import OutOfBudget

MOST = 50_000_000  # numbers, eight bytes each and what Python adds


class Room:
    """What is left of the numbers that a search may remember."""

    def __init__(self, most: int | None = None) -> None:
        self.most = MOST if most is None else most
        self.left = self.most

    def take(self, size: int) -> None:
        """Count numbers that are remembered from now on."""
        self.left -= size
        if self.left < 0:
            raise OutOfBudget(f"the states hold more than {self.most:,} numbers, messages, cells and frames in all")


def measure(values: Iterable[Any]) -> int:
    """Return how many numbers there are in slots, those of channels, sets and structures counted one by one."""
    return sum([len(value) + 1 if isinstance(value, tuple) else 1 for value in values])
