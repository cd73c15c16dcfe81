"""Functions on blocks of bytes: what they say and write, and which bytes they must not use."""

from __future__ import annotations

import pytest

from knaster_check.memory.library import blocks
from knaster_check.memory.values import NULL
from support.kernel_desk import Desk, at


def test_blocks_are_copied() -> None:
    for name in ("memcpy", "memmove", "__builtin_memcpy"):
        desk = Desk()
        target, source = desk.block(9, 9, 9, 9), desk.block(1, 2, 3)
        assert desk.call(name, at(target, 1), at(source, 1), 2) == at(target, 1)
        assert desk.read(target, 4) == [9, 2, 3, 9]
        assert desk.fault(name, target, source, 4) == desk.fault(name, at(target, 2), source, 3) == "bounds"
        assert desk.fault(name, NULL, source, 0) == desk.fault(name, target, NULL, 0) == "null"  # C17, not C2y
        assert desk.fault(name, NULL, source, 1) == desk.fault(name, target, NULL, 1) == "null"
    moved = desk.block(1, 2, 3, 4)
    desk.call("memmove", at(moved, 1), moved, 3)
    assert desk.read(moved, 4) == [1, 1, 2, 3]


def test_blocks_are_set() -> None:
    desk = Desk()
    where = desk.block(1, 2, 3, 4)
    assert desk.call("memset", at(where, 1), 256 + 7, 2) == at(where, 1) and desk.read(where, 4) == [1, 7, 7, 4]
    assert desk.fault("memset", NULL, 1, 0) == "null"
    assert desk.fault("memset", where, 1, 5) == "bounds"


def test_blocks_are_compared() -> None:
    desk = Desk()
    one, other = desk.block(1, 0, 200), desk.block(1, 0, 100)
    assert [desk.call("memcmp", one, other, size) for size in (0, 2, 3)] == [0, 0, 1]
    assert desk.call("memcmp", other, one, 3) == -1
    assert desk.fault("memcmp", one, one, 4) == "bounds"
    assert desk.fault("memcmp", other, one, 4) == "bounds"  # though they differ before


def test_a_byte_is_found() -> None:
    desk = Desk()
    where = desk.block(5, 0, 7, 7)
    assert desk.call("memchr", where, 256 + 7, 4) == at(where, 2) and desk.call("memchr", where, 0, 4) == at(where, 1)
    assert desk.call("memchr", where, 7, 2) == desk.call("memchr", where, 9, 4) == NULL
    assert desk.fault("memchr", where, 9, 5) == "bounds"


def test_large_blocks_are_not_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST", 3)
    desk = Desk()
    where = desk.block(1, 2, 3, 4)
    assert desk.fault("memset", where, 1, 3).startswith("returns") and "at once" in desk.fault("memset", where, 1, 4)
