"""Races: two threads whose next steps use the same bytes, one of them writes, and not both are inside sections."""

from __future__ import annotations

from knaster.base.named_tuples import NamedTuple
from knaster.semantics.memory.failure import Fault, Unclear
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.visible import MEMORY, Access, Looks


class Race(NamedTuple):
    """Two threads and what each of them is about to use."""

    first: int
    one: Access
    second: int
    other: Access


def find_race(machine: ThreadedMachine, looks: Looks) -> Race | None:
    """Return two threads whose next steps meet; None where there are none."""
    accesses: list[tuple[int, Access]] = []
    for thread in machine.running:
        try:
            access = looks.peek(machine, thread)
        except (Fault, Unclear):
            continue
        if access is not None and access.kind == MEMORY:
            accesses.append((thread, access))
    for index, (first, one) in enumerate(accesses):
        for second, other in accesses[index + 1 :]:
            if meet(one, other):
                return Race(first, one, second, other)
    return None


def meet(one: Access, other: Access) -> bool:
    """Tell whether two uses of memory have a byte in common and one of them writes."""
    if one.base != other.base or one.base < 0 or not (one.writes or other.writes):
        return False
    return one.offset < other.offset + other.size and other.offset < one.offset + one.size
