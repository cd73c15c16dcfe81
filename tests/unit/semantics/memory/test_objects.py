"""Bytes of objects: cells as they were written, put together from bytes where they must be."""

from __future__ import annotations

import pytest

from knaster.program.memory import Address
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.objects import HEAP, Object


def test_what_was_written_is_read() -> None:
    found = Object("o", 16, HEAP)
    found.write(0, 4, 0x01020304)
    assert found.read(0, 4) == 0x01020304 and found.read(4, 4) is None and found.is_unwritten(4, 4)


def test_other_reads_are_put_together_from_bytes() -> None:
    found = Object("o", 16, HEAP)
    found.write(0, 4, 0x01020304)
    assert [found.read(at, 1) for at in range(4)] == [4, 3, 2, 1] and found.read(1, 2) == 0x0203
    found.write(1, 1, 0xFF)
    assert found.read(0, 4) == 0x0102FF04 and found.read(2, 4) is None


def test_zeroed_bytes_are_zero() -> None:
    found = Object("o", 16, HEAP, zeroed=True)
    found.write(2, 1, 7)
    assert found.read(0, 4) == 0x00070000 and found.read(8, 8) == 0


def test_pointers_are_copied_as_a_whole() -> None:
    found, other = Object("o", 24, HEAP), Object("p", 24, HEAP)
    found.write(8, 8, Address(5, 4))
    for at in range(8):
        other.write(3 + at, 1, found.read(8 + at, 1))
    assert other.read(3, 8) == Address(5, 4)
    with pytest.raises(Unclear):
        found.read(8, 4)


def test_snapshots_keep_what_is_unwritten() -> None:
    found, other = Object("o", 12, HEAP), Object("p", 12, HEAP, zeroed=True)
    found.write(4, 4, 9)
    seen = found.snapshot(0, 12)
    other.restore(0, seen)
    assert other.read(4, 4) == 9 and other.read(0, 4) is None and other.read(8, 4) is None
    zeros = Object("z", 12, HEAP, zeroed=True)
    found.restore(0, zeros.snapshot(2, 8))
    assert found.read(0, 8) == 0 and found.read(8, 4) is None


def test_many_zeros_are_not_copied_one_by_one() -> None:
    """A copy of 10^9 bytes of `calloc` is refused by name before it takes all memory."""
    with pytest.raises(Unclear, match="more than 4,194,304 bytes that nobody wrote are copied"):
        Object("o", 10**9, HEAP, zeroed=True).snapshot(0, 10**9)
    assert Object("o", 10**9, HEAP).snapshot(0, 10**9).cells == ()
