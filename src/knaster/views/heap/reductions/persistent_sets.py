"""Persistent sets of one thread: from a state, the threads whose next move concerns no other thread.

Whatever the others do first, the thread can make the same move afterwards, with the same outcome for everybody: what it
touches they cannot reach, or nobody writes it (P. Godefroid, Partial-Order Methods for the Verification of Concurrent
Systems, LNCS 1032, 1996, chapter 4).  Others reach the cells that their stacks lead to, and those that the statics lead
to that their texts mention.  Whoever lets such a thread move alone must see to it that nobody is put off for ever.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.views.heap.interning import FINISHED, Key
from knaster.views.heap.overlay import references, references_in
from knaster.views.heap.reductions.footprints import Footprints
from knaster.views.heap.reductions.texts import Text, join, texts_of
from knaster.views.heap.reductions.watched_memory import Touch
from knaster.views.heap.stepper import Stepper
from knaster.views.heap.turns import Turns


class PersistentSets:
    """Finds threads that may move alone in the states of one program."""

    def __init__(self, turns: Turns) -> None:
        program = turns.stepper.layout.program
        self.layout, self.interned = turns.stepper.layout, turns.interned
        self.footprints = Footprints(Stepper(program, turns.region, tracked=True), turns.interned)
        self.texts = texts_of(self.layout)
        self._texts: dict[int, Text] = {}  # of stacks
        self._cells: dict[tuple[int, int], frozenset[int]] = {}  # within reach of a stack, with what is shared

    def threads(self, key: Key) -> Iterator[int]:
        """Yield the threads of a state that may move alone; none where there is but one."""
        live = [thread for thread, stack in enumerate(key[2:], start=1) if stack != FINISHED]
        if len(live) < 2:
            return
        for thread in live:
            touched = self.footprints.of(thread, key[thread + 1], key[1])
            if touched is None:
                continue
            others = [key[other + 1] for other in live if other != thread]
            if not self.concerns(touched, others, key[1]):
                yield thread

    def concerns(self, touched: frozenset[Touch], stacks: Sequence[int], shared: int) -> bool:
        """Tell whether threads with some stacks may ever notice some touches, or change what they find.

        They may give each other what they can reach, so all of them count together.
        """
        text = join(self.text(stack) for stack in stacks)
        cells = frozenset[int]().union(*(self.cells(stack, shared) for stack in stacks))
        kinds = self.interned.shared[shared].cells
        for address, slot, write in touched:
            if not address:
                if slot in text.writes or (write and slot in text.reads):
                    return True
            elif address in cells:
                number = self.interned.cells.parts[kinds[address - 1]][0]
                if write or number in text.changes:
                    return True
        return False

    def text(self, stack: int) -> Text:
        """Return what a thread with a stack can ever read and write."""
        known = self._texts.get(stack)
        if known is None:
            frames = self.interned.stacks.parts[stack]
            known = self._texts[stack] = join(self.texts[procedure] for procedure in {frame[0] for frame in frames})
        return known

    def cells(self, stack: int, shared: int) -> frozenset[int]:
        """Return the cells that a thread with a stack can reach, as long as others leave them where they are."""
        known = self._cells.get((stack, shared))
        if known is None:
            parts, text = self.interned.shared[shared], self.text(stack)
            statics = self.interned.statics.parts[parts.statics]
            found = set(self.interned.stacks.mentioned[stack])
            for slot, shape in self.layout.static_shapes:
                if slot in text.reads:
                    found.update(references(statics[slot], shape))
            todo = list(found)
            while todo:
                for address in references_in(self.layout, self.interned.cells.parts[parts.cells[todo.pop() - 1]]):
                    if address not in found:
                        found.add(address)
                        todo.append(address)
            known = self._cells[stack, shared] = frozenset(found)
        return known
