"""Functions that allocate, free and copy: called one at a time, at the edges of what they may be given."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.program.expression import NOWHERE
from knaster.program.memory import NULL, Address, Fragment
from knaster.program.types import Int
from knaster.semantics.memory import library
from knaster.semantics.memory.failure import BOUNDS, FREE, OVERLAP, VALUE, Fault, Stopped, Unclear
from knaster.semantics.memory.objects import GLOBAL, HEAP, LOCAL
from support.memory_desk import Desk, symbolic_desk

POINTER = Address(1, 0)  # a number that was made from a pointer


def fails(desk: Desk, kind: str, name: str, *given: Any) -> Fault:
    """Return how a call fails, which it must."""
    with pytest.raises(Fault) as caught:
        desk.call(name, *given)
    assert caught.value.kind == kind
    return caught.value


def test_new_objects() -> None:
    desk = Desk()
    one, zeros, local = desk.call("malloc", 3), desk.call("calloc", 2, 5), desk.call("alloca", 7)
    assert [(desk.object(at).size, desk.object(at).kind, desk.object(at).zeroed) for at in (one, zeros, local)] == [
        (3, HEAP, False),
        (10, HEAP, True),
        (7, LOCAL, False),
    ]
    assert desk.frame.owned == [local.base] and desk.object(desk.call("aligned_alloc", 16, 5)).size == 5
    most = 1 << 63
    assert desk.call("malloc", most) == desk.call("calloc", 2**40, 2**23) == desk.call("realloc", one, most) == NULL
    assert desk.object(one).alive and desk.object(desk.call("malloc", most - 1)).size == most - 1
    for name, given in (("malloc", (POINTER,)), ("alloca", (POINTER,)), ("realloc", (NULL, POINTER))):
        with pytest.raises(Unclear, match="the size of a new object"):
            desk.call(name, *given)


def test_an_object_that_grows_or_shrinks_keeps_its_bytes() -> None:
    desk = Desk()
    before = desk.new(1, 2, None, 4)
    after = desk.call("realloc", before, 6)
    assert desk.bytes(after) == [1, 2, None, 4, None, None] and not desk.object(before).alive
    less = desk.call("realloc", after, 2)
    assert desk.bytes(less) == [1, 2] and desk.object(desk.call("realloc", NULL, 9)).size == 9
    fails(desk, FREE, "realloc", after, 1)


def test_what_may_be_freed() -> None:
    desk = Desk()
    at, own = desk.new(1, 2), desk.new(1, kind=LOCAL)
    assert desk.call("free", NULL) is None
    assert "not of the heap" in fails(desk, FREE, "free", own).message
    assert "not of the heap" in fails(desk, FREE, "free", Address(0, 5)).message
    assert "the middle of" in fails(desk, FREE, "free", Address(at.base, 1)).message
    desk.call("free", at)
    assert "freed twice" in fails(desk, FREE, "free", at).message


@pytest.mark.parametrize("name", ["memcpy", "memmove"])
def test_copies(name: str) -> None:
    desk = Desk()
    source, target = desk.new(1, 2, 3, 4), desk.new(size=4)
    assert desk.call(name, Address(target.base, 1), Address(source.base, 1), 2) == Address(target.base, 1)
    assert desk.bytes(target) == [None, 2, 3, None]
    end = Address(target.base, 4)
    assert desk.call(name, end, source, 0) == desk.call(name, end, end, 0) == end  # nothing is touched
    fails(desk, "null", name, NULL, source, 0)
    fails(desk, "null", name, target, NULL, 0)
    fails(desk, BOUNDS, name, target, source, 5)
    fails(desk, BOUNDS, name, desk.new(size=9), source, 5)
    fails(desk, BOUNDS, name, target, desk.new(*range(9)), 5)
    with pytest.raises(Unclear, match="a number of bytes"):
        desk.call(name, target, source, POINTER)
    read_only = desk.new(size=4, kind=GLOBAL, writable=False)
    fails(desk, "read-only", name, read_only, source, 4)
    assert desk.lapses == []


@pytest.mark.parametrize(
    ("to", "at", "overlaps"), [(0, 2, False), (2, 0, False), (1, 2, True), (2, 1, True), (1, 1, True)]
)
def test_copies_that_overlap(to: int, at: int, overlaps: bool) -> None:
    desk = Desk()
    here = desk.new(1, 2, 3, 4)
    desk.call("memcpy", Address(here.base, to), Address(here.base, at), 2)
    wanted = [1, 2, 3, 4]
    wanted[to : to + 2] = wanted[at : at + 2]
    assert desk.bytes(here) == wanted and desk.lapses == ([OVERLAP] if overlaps else [])
    other = Desk()
    other.call("memcpy", other.new(5, 6), other.new(1, 2), 2)
    assert other.lapses == []


def test_unwritten_bytes_that_are_copied_are_inputs() -> None:
    desk = Desk(7, 0x0A0B0C0D)
    source, target = desk.new(1, None, 3, 4, None, None, None, None), desk.new(size=8)
    desk.call("memmove", target, source, 8)
    assert desk.bytes(target) == desk.bytes(source) == [1, 7, 3, 4, 13, 12, 11, 10]


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 16, 19])
def test_bytes_that_are_set(size: int) -> None:
    desk = Desk()
    at = desk.new(size=20)
    assert desk.call("memset", at, 0x1AB, size) == at
    assert desk.bytes(at) == [0xAB] * size + [None] * (20 - size)


def test_what_cannot_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk()
    at = desk.new(size=4)
    fails(desk, BOUNDS, "memset", at, 0, 5)
    fails(desk, "null", "memset", NULL, 0, 0)
    fails(desk, "null", "memcmp", NULL, at, 0)
    fails(desk, "null", "memcmp", at, NULL, 0)
    for given in ((at, POINTER, 1), (at, 0, POINTER)):
        with pytest.raises(Unclear, match="made from a pointer"):
            desk.call("memset", *given)
    monkeypatch.setattr(library, "MOST_BYTES", 3)
    desk.call("memset", at, 1, 3)
    with pytest.raises(Unclear, match="more than 3 bytes are set"):
        desk.call("memset", at, 1, 4)


@pytest.mark.parametrize(
    ("one", "other", "size", "result"),
    [("abc", "abd", 3, -1), ("abd", "abc", 3, 1), ("abc", "abd", 2, 0), ("\xff", "a", 1, 1), ("a", "b", 0, 0)],
)
def test_comparisons(one: str, other: str, size: int, result: int) -> None:
    desk = Desk()
    assert desk.call("memcmp", desk.text(one), desk.text(other), size) == result
    where, there = desk.text(f"-{one}"), desk.text(f"--{other}")
    assert desk.call("memcmp", Address(where.base, 1), Address(there.base, 2), size) == result


def test_parts_of_pointers_are_equal_or_unclear() -> None:
    desk = Desk()
    one, other = (desk.new(Fragment(POINTER, at, 8)) for at in (0, 1))
    assert desk.call("memcmp", one, one, 1) == 0
    for pair in ((one, other), (one, desk.new(7)), (desk.new(7), one)):
        with pytest.raises(Unclear, match="parts of pointers are compared"):
            desk.call("memcmp", *pair, 1)


def test_lists_of_arguments() -> None:
    desk = Desk()
    desk.frame.extra = (32, 11, 64, 22)  # each behind the number of its type
    here, copy = desk.new(size=8), desk.new(size=8)
    desk.call("va_start", here)
    assert desk.object(desk.object(here).read(0, 8)).size == 4 and len(desk.frame.owned) == 1
    assert desk.call("va_arg", here, 32) == 11
    desk.call("va_copy", copy, here)
    fails(desk, VALUE, "va_arg", here, 32)
    assert desk.call("va_arg", here, 64) == 22 == desk.call("va_arg", copy, 64) and desk.call("va_end", here) is None
    fails(desk, BOUNDS, "va_arg", here, 64)
    dead = desk.object(copy).read(0, 8)
    desk.machine.kill(dead.base)
    fails(desk, BOUNDS, "va_arg", copy, 64)
    fails(desk, VALUE, "va_arg", desk.new(*[0] * 8), 64)


def test_exit_ends_the_run() -> None:
    with pytest.raises(Stopped):
        Desk().call("exit", 0)


def test_a_size_that_is_an_input() -> None:
    for size, fits in ((5, True), (1 << 63, False)):
        desk, inputs = symbolic_desk(size)
        given = inputs.choose(Int(64, False), "", NOWHERE)
        found = desk.call("malloc", given)
        assert (found != NULL) is fits and (not fits or inputs.number(desk.object(found).size) == size)
        assert inputs.number(desk.object(desk.call("alloca", given)).size) == size


def test_bytes_behind_the_first_that_differ_must_be_there() -> None:
    """gcc's sanitizer says the same; it was TRUE."""
    text = "#include <string.h>\nint main(void) { char a[2] = {1, 2}, b[9] = {5}; return memcmp(a, b, 9) > 0; }\n"
    assert knaster.check(text, file="a.c").verdict.value == "FALSE"
