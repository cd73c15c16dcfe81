"""A run is its decisions: which thread goes on, for how many steps, and which alternatives it takes.

States are not part of it; the interpreter recomputes them, so a run that was found from another heap (`heap.patterns`)
means the same from the real one.
"""

from __future__ import annotations

from knaster.base.named_tuples import NamedTuple


class Turn(NamedTuple):
    """What one thread does in one go: so many steps (None: until the goal), one alternative for each choice of many.

    Of the threads that it starts meanwhile each then takes its first steps, `leads` says how many.
    """

    thread: int
    steps: int | None
    alternatives: tuple[int, ...] = ()
    leads: tuple[int, ...] = ()


Run = tuple[Turn, ...]
