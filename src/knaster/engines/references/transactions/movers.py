"""Movers: from what a step touches and who can reach it, whether the step commutes with those of other threads.

Lipton, Reduction: A Method of Proving Properties of Parallel Programs (CACM 18(12), 1975).  BOTH: data that no other
thread can reach now, or that are protected.  RIGHT: taking a lock, and receiving from a channel from which nobody else
receives.  LEFT: releasing a lock, and sending to a channel to which nobody else sends.  NONE: everything else.  A
transaction is `clean` while all its steps were BOTH, then `before` its commit while they were RIGHT or BOTH, and
`after` it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Any

from knaster.engines.references.transactions.channel_texts import Use
from knaster.engines.references.transactions.discipline import Discipline, Kind, Locks
from knaster.views.heap.canonical_states import Frame
from knaster.views.heap.memory_layout import Layout, Number
from knaster.views.heap.reductions.watched_memory import Touch, reachable_cells


class Mover(IntEnum):
    """How a step commutes."""

    BOTH = 0
    RIGHT = 1
    LEFT = 2
    NONE = 3


class Phase(IntEnum):
    """How far a transaction is."""

    CLEAN = 0
    BEFORE = 1
    AFTER = 2


def next_phase(phase: Phase, mover: Mover) -> Phase:
    """Return the phase behind a step."""
    if mover is Mover.BOTH:
        return phase
    if mover is Mover.RIGHT:
        return max(phase, Phase.BEFORE)
    return Phase.AFTER


class Movers:
    """Tells how steps commute."""

    def __init__(self, layout: Layout, discipline: Discipline) -> None:
        self.layout = layout
        self.discipline = discipline

    def of(
        self,
        touched: Iterable[Touch],
        before: tuple[Sequence[Number], Sequence[Any], Sequence[Frame]],
        others: tuple[int, ...] | None,
        mine: Locks,
        old: int,
        thread: int,
        use: Use = Use.LOOK,
    ) -> Mover:
        """Return how a step commutes; `before` it were these statics, cells and started threads.

        `use` is what the step of the thread does with channels that it touches.

        `others` are the cells that other threads hold, None where there never were any.  Only a cell that is newer than
        the `old` ones of the transaction has surely never been within reach of others; of all others it is noted who
        touches them, for another thread may be in the midst of a transaction, and hold what it then lets go.
        """
        statics, heap, started = before
        if others is None and not started:
            return Mover.BOTH
        shared: set[int] | None = None
        found = Mover.BOTH
        for address, slot, write in touched:
            if not address:
                if slot in self.discipline.texts.locks:
                    continue  # `walk` knows where locks are taken and released
                kind = 0, slot
            else:
                if shared is None:
                    shared = reachable_cells(self.layout, statics, heap, started, others or ())
                if address > old and address not in shared:
                    continue
                kind = 1, heap[address][0]
            if self.discipline.note(kind, write, mine):
                continue
            mover = self.of_channel(address, statics, kind, use, thread) if address else Mover.NONE
            if not address or (shared is not None and address in shared):
                found = max(found, mover)
        return found

    def of_channel(self, address: int, statics: Sequence[Number], kind: Kind, use: Use, thread: int) -> Mover:
        """Return how a touch of a cell commutes that nothing protects: a channel may have one sender or receiver."""
        texts = self.discipline.channels
        if kind[1] not in texts.classes:
            return Mover.NONE
        named = next((slot for slot in texts.constants if statics[slot] == address), None)
        channel = kind if named is None else (0, named)
        if not self.discipline.note_use(channel, use, thread):
            return Mover.NONE
        return Mover.LEFT if use is Use.SEND else Mover.RIGHT
