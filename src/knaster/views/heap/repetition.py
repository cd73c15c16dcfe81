"""Repetition: from the steps of a thread that chooses nothing, whether it does the same for ever.

It does where its running frame, the statics and all that these lead to are what they were before, up to the names of
cells, and no frame below was left meanwhile: what it did since then it does again.  A call that calls itself with the
same values, for one, never returns (Bouajjani, Esparza and Maler, Reachability Analysis of Pushdown Automata, CONCUR
1997, section 3: repeating heads).
"""

from __future__ import annotations

from typing import Any

from knaster.base.limits import OutOfBudget
from knaster.views.heap.canonical_states import State, canonical_state
from knaster.views.heap.memory_layout import Layout

FIRST = 32  # steps before anyone looks
_RENAMED = 16  # how often cells are renamed to compare with one mark
_LONGEST_QUEUE = 10_000  # messages: each send copies them
_NONE = 1 << 62


class Repetition:
    """Watches one thread from its step number `FIRST` on; it is marked at every power of two."""

    def __init__(self, layout: Layout, most: int) -> None:
        self.layout = layout
        self.most = most
        self.depth = _NONE  # of the mark, as long as nobody went below it
        self.top: Any = None
        self.statics: list[Any] = []
        self.heap: list[Any] = []
        self.form: State | None = None
        self.tries = 0

    def is_endless(self, count: int, frames: list[Any], memory: Any) -> bool:
        """Tell whether the thread is, after so many steps, where it was; raise `OutOfBudget` after too many."""
        depth, top = len(frames), frames[-1]
        if depth < self.depth:
            self.depth = _NONE
        if count & (count - 1) == 0:
            self._limit(memory)
            self.depth, self.top, self.form, self.tries = depth, top, None, _RENAMED
            self.statics, self.heap = memory.statics[:], memory.heap[:]
            return False
        if count >= self.most:
            inside = f"where its stack has {depth:,} frames and there are {len(memory.heap) - 1:,} cells"
            raise OutOfBudget(f"an atomic region takes more than {self.most:,} steps, {inside}")
        if self.depth == _NONE or top[:2] != self.top[:2]:
            return False
        if top == self.top and memory.statics == self.statics and memory.heap == self.heap:
            return True
        if not self.tries or not memory.heap[1:]:
            return False
        self.tries -= 1
        if self.form is None:
            self.form = canonical_state(self.layout, 0, self.statics, self.heap, [[self.top]])
        return canonical_state(self.layout, 0, memory.statics, memory.heap, [[top]]) == self.form

    def _limit(self, memory: Any) -> None:
        """Stop where a channel or a set has grown without end."""
        for cell in memory.heap[1:]:
            if cell[0] in memory.queues and len(cell[1]) > _LONGEST_QUEUE:
                raise OutOfBudget(f"a channel or a set grows beyond {_LONGEST_QUEUE:,} elements in one atomic region")
