"""Worklists of transitions: first in first out, or by a priority that the user gives.

A transition waits at most once: putting it in again while it waits changes nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any, Protocol


class Worklist(Protocol):
    """Transitions, by number, whose weight changed and was not looked at since."""

    def put(self, transition: int, /) -> None:
        """Let `transition` wait, unless it does already."""
        ...

    def take(self) -> int:
        """Remove and return the next transition."""
        ...

    def __bool__(self) -> bool: ...


class Queue:
    """First in, first out."""

    def __init__(self) -> None:
        self._waiting: deque[int] = deque()
        self._present: set[int] = set()

    def put(self, transition: int) -> None:
        """Let `transition` wait, unless it does already."""
        if transition not in self._present:
            self._present.add(transition)
            self._waiting.append(transition)

    def take(self) -> int:
        """Remove and return the transition that waits longest."""
        transition = self._waiting.popleft()
        self._present.remove(transition)
        return transition

    def __bool__(self) -> bool:
        return bool(self._waiting)


class PriorityQueue:
    """Smallest priority first; of equal ones the transition that was found first."""

    def __init__(self, priority: Callable[[int], Any]) -> None:
        self._priority = priority
        self._heap: list[tuple[Any, int]] = []
        self._present: set[int] = set()

    def put(self, transition: int) -> None:
        """Let `transition` wait, unless it does already."""
        if transition not in self._present:
            self._present.add(transition)
            heappush(self._heap, (self._priority(transition), transition))

    def take(self) -> int:
        """Remove and return the transition of smallest priority."""
        transition = heappop(self._heap)[1]
        self._present.remove(transition)
        return transition

    def __bool__(self) -> bool:
        return bool(self._heap)
