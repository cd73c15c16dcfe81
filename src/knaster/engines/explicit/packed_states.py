"""Packed states: a queue of states as bytes, compressed in blocks: the frontier of a search that keeps no states."""

from __future__ import annotations

import marshal
from collections import deque
from zlib import compress, decompress

from knaster.views.heap.canonical_states import State

_BLOCK = 256  # states; neighbours are alike, so a block is much smaller than they are
_BY_VALUE = 2  # the format of `marshal` in which equal values have equal bytes


def state_to_bytes(state: State) -> bytes:
    """Return a state as bytes: the same for equal states."""
    return marshal.dumps(state, _BY_VALUE)


def state_from_bytes(data: bytes) -> State:
    """Return the state that some bytes are."""
    state: State = marshal.loads(data)
    return state


class PackedStates:
    """First in, first out."""

    def __init__(self) -> None:
        self._blocks: deque[bytes] = deque()
        self._first: deque[bytes] = deque()
        self._last: list[bytes] = []
        self.size_in_bytes = self.largest = 0

    def put(self, data: bytes) -> None:
        """Add a state."""
        self._last.append(data)
        if len(self._last) == _BLOCK:
            self._blocks.append(compress(marshal.dumps(self._last, _BY_VALUE), 1))
            self._last = []
            self.size_in_bytes += len(self._blocks[-1])
            self.largest = max(self.largest, self.size_in_bytes)

    def take(self) -> bytes | None:
        """Return the state that has waited longest; None where there is none."""
        if not self._first:
            if self._blocks:
                block = self._blocks.popleft()
                self.size_in_bytes -= len(block)
                self._first.extend(marshal.loads(decompress(block)))
            else:
                self._first.extend(self._last)
                self._last = []
        return self._first.popleft() if self._first else None
