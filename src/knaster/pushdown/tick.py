"""Ticks: how work that may take long is stopped from outside.

A `Tick` is called again and again while something is computed: for every step of a worklist in Python, after every
slice of the compiled kernel.  What it raises ends the computation, and nothing is left half done: whatever was asked
can be asked again.  It should cost little, since it is called often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

Tick = Callable[[], None]

EACH = 1024  # steps of a fast loop between two ticks


def with_ticks(items: Iterable[T], tick: Tick | None) -> Iterable[T]:
    """Return the items of a fast loop, with a tick now and then."""
    return items if tick is None else _with_ticks(items, tick)


def _with_ticks(items: Iterable[T], tick: Tick) -> Iterator[T]:
    left = 0
    for item in items:
        if not left:
            tick()
            left = EACH
        left -= 1
        yield item
