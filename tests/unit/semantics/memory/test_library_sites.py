"""What calls of the library may come to; every function that the machine knows has its kinds."""

from __future__ import annotations

from knaster.semantics.memory.actions import FUNCTIONS
from knaster.semantics.memory.failure import BOUNDS, FREE, KINDS, OVERLAP, READ_ONLY, VALUE
from knaster.semantics.memory.library_sites import library_kinds, points_inside


def test_kinds() -> None:
    assert library_kinds("free", 1) == (FREE,)
    assert library_kinds("malloc", 1) == () == library_kinds("isnan", 1)
    assert library_kinds("isalpha", 1) == library_kinds("toupper", 1) == (VALUE,)
    assert {BOUNDS, OVERLAP, READ_ONLY} <= set(library_kinds("__builtin_memcpy", 3, read_only=True))
    assert READ_ONLY not in library_kinds("memcmp", 3, read_only=True)
    assert library_kinds("__builtin_clz", 1) == (VALUE,)
    assert VALUE in library_kinds("sprintf", 3)
    assert READ_ONLY in library_kinds("overflow add s32", 3, True)
    assert points_inside("strchr") and not points_inside("strlen")


def test_every_function_is_answered() -> None:
    assert all(set(library_kinds(name, 1)) <= set(KINDS) for name in FUNCTIONS)
