"""Watches a run of the interpreter without choices for a cycle: whether it comes back to where it was, and never ends.

It does where the running frame of its thread, the statics and the cells that these lead to are the same again up to
names, and the thread did not leave the frames below meanwhile (repeating heads: Bouajjani, Esparza and Maler, CONCUR
1997).
"""

from __future__ import annotations

from collections.abc import Hashable

from knaster.program.types import Reference
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.configuration import Configuration, Frame

_FIRST = 32  # steps before anyone looks


class CycleWatch:
    """Watches one thread from step to step."""

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self._depth = 0  # of the mark; 0 where there is none
        self._plain: Hashable = None
        self._form: Hashable = None

    def is_back(self, count: int, configuration: Configuration) -> bool:
        """Tell whether the thread is, before its step of this number, where it was before."""
        frames = configuration.threads[self.thread - 1]
        if count < _FIRST or not frames:
            return False
        if len(frames) < self._depth:
            self._depth = 0
        if count & (count - 1) == 0:
            self._depth, self._plain, self._form = len(frames), _plain(frames[-1]), _form(configuration, frames[-1])
            return False
        if not self._depth or _plain(frames[-1]) != self._plain:
            return False
        return _form(configuration, frames[-1]) == self._form


def _plain(frame: Frame) -> Hashable:
    """Return what a frame has besides references."""
    values = [None if isinstance(value, Reference | tuple) else value for value in frame.values.values()]
    return frame.procedure, frame.location, frame.base, tuple(values)


def _form(configuration: Configuration, frame: Frame) -> Hashable:
    """Return what a frame and the statics lead to, up to names."""
    return canonical(Configuration(configuration.statics, configuration.heap, [[frame]]))
