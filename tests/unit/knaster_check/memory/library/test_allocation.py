"""Functions that make objects and end them, and lists of arguments without names."""

from __future__ import annotations

import pytest

from knaster_check.memory.faults import Over
from knaster_check.memory.values import NULL, Address
from support.kernel_desk import Desk, at


def test_requests() -> None:
    desk = Desk()
    objects = desk.machine.objects
    for name, values, size, blank in (
        ("malloc", (3,), 3, None),
        ("aligned_alloc", (16, 5), 5, None),
        ("calloc", (2, 3), 6, 0),
        ("realloc", (NULL, 4), 4, None),
    ):
        found = objects[desk.call(name, *values).base]
        assert (found.size, found.unwritten, found.kind, found.alive) == (size, blank, "heap", True)
    assert desk.call("malloc", 1 << 63) == desk.call("calloc", 1 << 32, 1 << 31) == NULL
    assert desk.call("malloc", (1 << 63) - 1) != NULL and Desk(pointer=4).call("malloc", 1 << 31) == NULL
    assert desk.call("malloc", 0) != NULL
    assert "made from a pointer" in desk.fault("malloc", Address(1, 0))


def test_objects_end_once() -> None:
    desk = Desk()
    where = desk.call("malloc", 3)
    assert desk.call("free", NULL) is None
    assert desk.fault("free", at(where, 1)) == desk.fault("realloc", at(where, 1), 3) == "invalid-free"
    desk.call("free", where)
    assert not desk.machine.objects[where.base].alive
    local = desk.block(1)
    for wrong in (where, local, Address(0, 5), Address(-1, 0)):
        assert desk.fault("free", wrong) == desk.fault("realloc", wrong, 8) == "invalid-free"


@pytest.mark.parametrize(("size", "bytes"), [(2, [1, 2]), (3, [1, 2, 3]), (5, [1, 2, 3, None, None])])
def test_objects_grow(size: int, bytes: list[int | None]) -> None:
    desk = Desk()
    where = desk.call("malloc", 3)
    desk.machine.objects[where.base].put(0, [1, 2, 3])
    after = desk.call("realloc", where, size)
    assert desk.read(after, size) == bytes and not desk.machine.objects[where.base].alive
    assert desk.machine.objects[after.base].size == size


def test_a_request_that_fails_ends_nothing() -> None:
    desk = Desk()
    where = desk.call("malloc", 3)
    assert desk.call("realloc", where, 1 << 63) == NULL and desk.machine.objects[where.base].alive


def test_objects_of_an_activation() -> None:
    desk = Desk()
    where = desk.call("alloca", 2)
    assert desk.machine.frames[-1].owned == [where.base] and desk.machine.objects[where.base].kind == "local"
    assert "made from a pointer" in desk.fault("alloca", Address(1, 0))
    with pytest.raises(Over):
        desk.call("exit", 0)


def test_lists_of_arguments() -> None:
    desk = Desk()
    desk.machine.frames[-1].further = (32, 7, 64, 8)  # each behind the number of its type
    first, second = desk.block(*[None] * 8), desk.block(*[None] * 8)
    desk.call("va_start", first)
    assert desk.call("va_arg", first, 32) == 7
    desk.call("va_copy", second, first)
    assert desk.fault("va_arg", first, 32) == "value"
    assert desk.call("va_arg", first, 64) == 8 and desk.fault("va_arg", first, 64) == "bounds"
    assert desk.call("va_arg", second, 64) == 8 and desk.call("va_end", first) is None
    listed = desk.machine.load(first, ("address", 8), (0, 0)).base
    desk.machine.objects[listed].alive = False
    assert desk.fault("va_arg", second, 64) == "bounds"
    desk.machine.store(first, ("address", 8), desk.block(1), (0, 0))
    assert "list of arguments" in desk.fault("va_arg", first, 64)
    desk.machine.store(first, ("address", 8), NULL, (0, 0))
    assert desk.fault("va_arg", first, 64) == "value"
