"""Footprints: from a state, what the next move of one thread touches, whichever alternatives it takes.

The move is made on a memory that notes every touch (`watched_memory`); what a thread does afterwards because nobody
notices it (`turns`) touches nothing that is shared.  There is no footprint where some alternative fails, is thrown away
by an assume, starts a thread, or takes too long: such a move may concern everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from knaster.base.errors import UnsupportedError
from knaster.semantics.heap.failure import Fails
from knaster.views.heap.canonical_states import Frame
from knaster.views.heap.interning import Interning
from knaster.views.heap.reductions.watched_memory import Shot, Touch, WatchedMemory
from knaster.views.heap.stepper import FailedAssume, Stepper

LONGEST = 200  # steps of a move whose footprint is looked at
MOST = 100  # alternatives of it


class Footprints:
    """The footprints of the moves of one program; remembered."""

    def __init__(self, stepper: Stepper, interned: Interning) -> None:
        self.stepper = stepper
        self.interned = interned
        self._known: dict[tuple[int, int, int], frozenset[Touch] | None] = {}

    def of(self, thread: int, stack: int, shared: int) -> frozenset[Touch] | None:
        """Return what the next move of a thread with a stack touches; None where it may concern everybody."""
        key = thread, stack, shared
        if key not in self._known:
            self._known[key] = self._footprint(*key)
        return self._known[key]

    def _footprint(self, thread: int, stack: int, shared: int) -> frozenset[Touch] | None:
        parts = self.interned.shared[shared]
        cells = tuple([self.interned.cells.parts[cell] for cell in parts.cells])
        shot = Shot(self.interned.statics.parts[parts.statics], cells, ())
        todo: list[tuple[Shot, tuple[Frame, ...], Any, int]] = [(shot, self.interned.stacks.parts[stack], None, 0)]
        touched: set[Touch] = set()
        for count in range(MOST):
            if not todo:
                return frozenset(touched)
            before, frames, chosen, steps = todo.pop()
            memory = WatchedMemory(self.stepper.layout, before)
            try:
                more = self._go(memory, list(frames), thread, chosen, steps)
            except (Fails, FailedAssume, UnsupportedError):
                return None
            if more is None or count + len(more) > MOST:
                return None
            todo += more
            touched.update(memory.touched)
        return None

    def _go(
        self, memory: WatchedMemory, frames: list[Frame], thread: int, chosen: Any, steps: int
    ) -> Sequence[tuple[Shot, tuple[Frame, ...], Any, int]] | None:
        """Go on to the end of a move, or to a choice; return how it goes on from there, None where it has no end."""
        stepper, threads = self.stepper, list[list[Any]]()
        while steps < LONGEST:
            if chosen is None:
                values = stepper.alternatives(memory, frames, thread)  # type: ignore[arg-type]
                if values is not None:
                    if len(values) > 1:
                        shot = memory.shot()
                        return [(shot, tuple(frames), (value,), steps) for value in values]
                    chosen = (values[0],)
            keeps = stepper.step(memory, frames, thread, chosen and chosen[0], threads)  # type: ignore[arg-type]
            chosen, steps = None, steps + 1
            if threads or (frames and frames[-1][1] in stepper.failures[frames[-1][0]]):
                return None
            if not keeps:
                return ()
        return None
