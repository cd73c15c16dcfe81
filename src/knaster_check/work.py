"""Work, counted in units, so that a check can end after so much of it, the same on every machine and day.

A unit is about what it takes to look at one literal of a clause; a step of an evaluator is worth `STEP` of them.  What
solvers do is counted in their own conflicts and resources.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster_check.refused import Unsupported

STEP = 20
Tick = Callable[..., None]  # called with units, or for one step


def nothing(units: int = STEP) -> None:
    """Let a check go on."""


class Work:
    """Counts units; says that nothing is known where more than `most` are needed, and asks `tick` whether to go on."""

    def __init__(self, tick: Callable[[], None], most: int | None = None) -> None:
        self.tick, self.most, self.done = tick, most, 0

    def __call__(self, units: int = STEP) -> None:
        """Count some units before they are worked."""
        self.done += units
        if self.most is not None and self.done > self.most:
            raise Unsupported("it would take more work than is allowed here")
        self.tick()
