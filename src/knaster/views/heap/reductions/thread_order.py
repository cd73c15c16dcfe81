"""The order of threads: from a state, the same one with its threads in an order that does not depend on their numbers.

A thread is its stack: whoever has the same stack does the same from there on, unless the text asks for the number of a
thread.  So states whose stacks are permuted can do the same, and one of them stands for all (C. N. Ip and D. L. Dill,
Better Verification Through Symmetry, FMSD 9, 1996).  Stacks are sorted by their *outlines*: cells that the statics lead
to by their names, all others left out; among equal outlines the order of the numbers stays.  Threads that are finished
are left out.
"""

from __future__ import annotations

from knaster.program.expression import Self, postorder
from knaster.program.model import Program
from knaster.views.heap.interning import FINISHED, Interning, Key
from knaster.views.heap.mentions import expressions

Places = tuple[int, ...]  # for each thread of the new order, where it was in the old one, counted from 1


class ThreadOrder:
    """Sorts the threads of the states of one program."""

    def __init__(self, interned: Interning) -> None:
        self.interned = interned
        self._outlines: dict[tuple[int, int], int] = {}

    def sort(self, key: Key) -> tuple[Key, Places]:
        """Return a state with its threads in order, and where each of them was."""
        choosing, shared, stacks = key[0], key[1], key[2:]
        common = self.interned.shared[shared].common
        ranked = sorted(
            (self.outline(stack, common), place != choosing, place)
            for place, stack in enumerate(stacks, start=1)
            if stack != FINISHED
        )
        places = tuple([place for _, _, place in ranked])
        if places == tuple(range(1, len(stacks) + 1)):
            return key, places
        chosen = places.index(choosing) + 1 if choosing else 0
        sorted_stacks = [stacks[place - 1] for place in places]
        if any(address > common for stack in sorted_stacks for address in self.interned.stacks.mentioned[stack]):
            found = self.interned.shared[shared]
            return self.interned.canonical_key(chosen, found.statics, found.cells, sorted_stacks), places
        return (chosen, shared, *sorted_stacks), places

    def outline(self, stack: int, common: int) -> int:
        """Return the number of a stack without the cells that the statics do not lead to."""
        known = self._outlines.get((stack, common))
        if known is None:
            stacks = self.interned.stacks
            names = {address: address if address <= common else 0 for address in stacks.mentioned[stack]}
            known = self._outlines[stack, common] = stacks.rename(stack, names)
        return known


def asks_for_numbers(program: Program) -> bool:
    """Tell whether the text asks for the number of a thread."""
    edges = (edge for procedure in program.procedures for edge in procedure.edges)
    return any(isinstance(node, Self) for edge in edges for expr in expressions(edge) for node in postorder(expr))
