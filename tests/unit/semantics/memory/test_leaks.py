"""What is left in the heap when main has returned: objects of the heap that live, and those that no global leads to."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.program.memory import Address, Fragment
from knaster.semantics.memory.failure import LEAK, LOST
from knaster.semantics.memory.leaks import leak_of
from knaster.semantics.memory.objects import GLOBAL, HEAP, LOCAL
from support.memory_desk import Desk


def ended(*asked: str) -> Desk:
    """Return a machine whose main has returned."""
    desk = Desk(strict=asked)
    desk.machine.frames.clear()
    return desk


def said(desk: Desk) -> str | None:
    """Return which kind of leak there is."""
    found = leak_of(desk.machine)
    return None if found is None else found.kind


@pytest.mark.parametrize("asked", [(), (LEAK,), (LOST,), (LEAK, LOST), ("null",)])
def test_what_is_asked_for(asked: tuple[str, ...]) -> None:
    desk = ended(*asked)
    assert said(desk) is None
    desk.new(1)
    wanted = LOST if LOST in asked else LEAK if LEAK in asked else None
    assert said(desk) == wanted
    desk.machine.frames.append(Desk().frame)
    assert said(desk) is None


@pytest.mark.parametrize("kind", [GLOBAL, LOCAL, HEAP])
@pytest.mark.parametrize("alive", [True, False])
def test_only_living_objects_of_the_heap(kind: str, alive: bool) -> None:
    desk = ended(LEAK, LOST)
    at = desk.new(1, kind=kind)
    if not alive:
        desk.machine.kill(at.base)
    assert (said(desk) is not None) is (kind == HEAP and alive)


def lead(desk: Desk, at: Address, to: Any) -> None:
    desk.object(at).write(0, 1 if isinstance(to, Fragment) else 8, to)


@pytest.mark.parametrize("part", [False, True])
def test_what_globals_lead_to_is_not_lost(part: bool) -> None:
    """By way of other objects, in circles, and by a part of a pointer."""
    desk = ended(LOST)
    first, second, third = (desk.new(size=8) for _ in range(3))
    assert said(desk) == LOST
    lead(desk, desk.machine.globals["g"], Fragment(first, 0, 8) if part else first)
    assert said(desk) == LOST
    lead(desk, first, second)
    lead(desk, second, 77)
    assert said(desk) == LOST
    lead(desk, second, third)
    lead(desk, third, first)
    assert said(desk) is None
    lead(desk, third, Address(-1, 0))
    lead(desk, second, Address(0, 8))
    assert said(desk) == LOST
    assert desk.machine.globals["main"].base < 0  # a function is no object


def test_not_lost_is_a_leak_all_the_same() -> None:
    desk = ended(LOST, LEAK)
    lead(desk, desk.machine.globals["g"], desk.new(1))
    assert said(desk) == LEAK
