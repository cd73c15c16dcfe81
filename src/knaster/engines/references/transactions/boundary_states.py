"""Boundary states: all threads between two transactions, each state once, up to the names of cells.

A state is (its key in numbers, the locks that each thread holds).  `parents` says how each was first reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.base.limits import OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.engines.references.transactions.derivation import Context, Cut, Effect
from knaster.engines.references.transactions.discipline import Locks
from knaster.views.heap.canonical_states import Frame, State
from knaster.views.heap.interning import Interning, Key
from knaster.views.heap.memory_layout import Layout
from knaster.views.heap.reductions.watched_memory import Shot

Boundary = tuple[Key, tuple[Locks, ...]]


class Origin(NamedTuple):
    """How a state was reached: a thread of another one has run, up to a cut, to its end, or (None) as far as it was."""

    context: Context
    end: Cut | Effect | None


class BoundaryStates:
    """The states that were reached so far."""

    def __init__(self, layout: Layout, most: int) -> None:
        self.layout = layout
        self.most = most
        self.interned = Interning(layout)
        self.numbers: dict[Boundary, int] = {}
        self.states: list[Boundary] = []
        self.origins: list[Origin | None] = []

    def add(
        self, shot: Shot, stacks: Sequence[Sequence[Frame]], held: Sequence[Locks], origin: Origin | None
    ) -> int | None:
        """Add a state; return its number where it is new.  Threads that were started meanwhile come last."""
        interned = self.interned
        stacks = [*stacks, *((frame,) for frame in shot.started)]
        numbers = [interned.stacks.number(tuple(stack)) for stack in stacks]
        cells = [interned.cells.number(cell) for cell in shot.cells]
        key = interned.canonical_key(0, interned.statics.number(shot.statics), cells, numbers)
        boundary = key, (*held, *(frozenset() for _ in shot.started))
        if boundary in self.numbers:
            return None
        if len(self.states) >= self.most:
            raise OutOfBudget(f"the limit of {self.most} states between transactions was reached")
        self.numbers[boundary] = len(self.states)
        self.states.append(boundary)
        self.origins.append(origin)
        return len(self.states) - 1

    def state(self, number: int) -> State:
        """Return a state in full."""
        return self.interned.state(self.states[number][0])

    def others(self, number: int, thread: int) -> tuple[int, ...] | None:
        """Return the cells that the other threads hold; None where there never were any others."""
        key, _ = self.states[number]
        stacks = [stack for each, stack in enumerate(key[2:], start=1) if each != thread and stack]
        if len(key) == 3:
            return None
        mentioned: Any = self.interned.stacks.mentioned
        return tuple(sorted({address for stack in stacks for address in mentioned[stack]}))
