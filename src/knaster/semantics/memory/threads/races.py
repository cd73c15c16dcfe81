"""Races: two threads whose next steps use the same bytes, one of them writes, and not both are inside sections."""

from __future__ import annotations

from knaster.base.named_tuples import NamedTuple
from knaster.semantics.memory.failure import Fault, Unclear
from knaster.semantics.memory.threads.library_uses import library_uses
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.visible import ANYWHERE, MEMORY, Access, Looks


class Race(NamedTuple):
    """Two threads and what each of them is about to use."""

    first: int
    one: Access
    second: int
    other: Access


def find_race(machine: ThreadedMachine, looks: Looks) -> Race | None:
    """Return two threads whose next steps meet; None where there are none.

    Raises `Unclear` where that depends on what a function of the library reads and nobody has chosen.
    """
    accesses = [(thread, access) for thread in machine.running for access in _uses(machine, thread, looks)]
    for index, (first, one) in enumerate(accesses):
        for second, other in accesses[index + 1 :]:
            if first != second and meet(one, other):
                return Race(first, one, second, other)
    return None


def _uses(machine: ThreadedMachine, thread: int, looks: Looks) -> list[Access]:
    """Return the bytes that the next step of a thread uses."""
    try:
        access = looks.peek(machine, thread)
    except (Fault, Unclear):
        return []
    if access is None or access.kind != MEMORY:
        return []
    return library_uses(machine, thread, access) if access.base == ANYWHERE else [access]


def meet(one: Access, other: Access) -> bool:
    """Tell whether two uses of known objects have a byte in common and one of them writes."""
    if one.base != other.base or not (one.writes or other.writes):
        return False
    return one.offset < other.offset + other.size and other.offset < one.offset + one.size
