"""The form of a memory up to the names of cells: they are numbered as they are met; garbage is never met.

R. Iosif, Symmetry Reduction Criteria for Software Model Checking (SPIN 2002).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping

from knaster_check.heap.memory import UNREAD, Frame, Memory
from knaster_check.program import Reference, Value


class Form:
    """Spells values without the names of cells; those that are `kept` keep theirs."""

    def __init__(self, heap: Mapping[Reference, Value], kept: Collection[Reference] = ()) -> None:
        self.heap = heap
        self.kept = kept
        self.numbers: dict[Reference, int] = {}
        self.met: list[Reference] = []

    def spell(self, value: Value) -> Hashable:
        """Return a value with numbers for references; true is not 1."""
        if isinstance(value, Reference):
            if value not in self.numbers:
                self.numbers[value] = len(self.met)
                self.met.append(value)
            return ("cell", value if value in self.kept else self.numbers[value])
        if isinstance(value, tuple):
            return tuple(self.spell(part) for part in value)
        return (value.__class__.__name__, None if value is UNREAD else value)

    def frame(self, frame: Frame) -> Hashable:
        """Return an activation."""
        values = tuple(self.spell(value) for value in frame.values.values())
        # mutant(is): one truth value or the other
        return frame.procedure.name, frame.location, frame.base, frame.calling is None, values

    def cells(self) -> Hashable:
        """Return the cells that were met, and those that are met meanwhile."""
        found: list[Hashable] = []
        for cell in self.met:  # grows meanwhile
            found.append((cell if cell in self.kept else cell.target, self.spell(self.heap[cell])))
        return tuple(found)


def form_of(memory: Memory, extra: Iterable[Value] = ()) -> Hashable:
    """Return the same for memories that differ in the names of cells and in garbage only."""
    form = Form(memory.heap)
    more = tuple(form.spell(value) for value in extra)
    statics = tuple(form.spell(value) for value in memory.statics.values())
    threads = tuple(tuple(form.frame(frame) for frame in frames) for frames in memory.threads)
    return more, statics, threads, form.cells()
