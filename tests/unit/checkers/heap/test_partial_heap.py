"""Partial memories: what is known can be read, what is not known can be written only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.heap.partial_heap import PartialHeap, PartialSlots, PartialStatics, partial
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.types import Reference

ONE, TWO, QUEUE = Reference("C", 1), Reference("C", 2), Reference("Q", 1)
MEMORY = partial({"s": 1, "t": UNREAD}, {ONE: (1, UNREAD), TWO: (2, 3), QUEUE: UNREAD}, [], {})


def test_what_is_known() -> None:
    assert MEMORY.statics["s"] == 1 and MEMORY.heap[ONE][0] == 1 and MEMORY.heap[TWO] == (2, 3)
    assert type(MEMORY.statics) is PartialStatics and type(MEMORY.heap) is PartialHeap


@pytest.mark.parametrize(
    "look",
    [
        lambda: MEMORY.statics["t"],
        lambda: MEMORY.heap[ONE][1],
        lambda: MEMORY.heap[QUEUE],
        lambda: list(MEMORY.heap[ONE]),
        lambda: 1 in MEMORY.heap[ONE],
    ],
)
def test_what_is_not_known(look: Callable[[], Any]) -> None:
    with pytest.raises(InternalError, match="does not have"):
        look()


def test_what_is_written_is_known() -> None:
    statics = PartialStatics({"t": UNREAD})
    statics["t"] = 5
    assert statics["t"] == 5


def test_a_slice_says_nothing() -> None:
    slots = PartialSlots((1, UNREAD))
    assert tuple.__len__(slots[:1]) == 1 and len(slots) == 2


def test_only_slots_that_are_not_known_are_refused() -> None:
    whole, part = Reference("C", 1), Reference("C", 2)
    heap = PartialHeap({whole: (1, 2), part: (UNREAD, 3)})
    assert list(heap[whole]) == [1, 2] and type(heap[whole]) is tuple
    assert heap[part][1] == 3
    for read in (lambda: heap[part][0], lambda: list(heap[part]), lambda: 3 in heap[part]):
        with pytest.raises(InternalError, match="reads what its pattern does not have"):
            read()
