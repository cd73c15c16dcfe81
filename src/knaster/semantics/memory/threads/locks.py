"""Mutexes, reader-writer locks, conditions, semaphores and barriers; their state is in their own bytes.

The first four bytes of a mutex have the number of the thread that holds it, the next four how often (0 is free, as for
glibc); byte 16 is its kind.  Bytes that nobody wrote are taken for 0.  Conditions wake no thread
without a reason.  Unlocking what one does not hold, and destroying a mutex that is held, is a lapse of kind `lock`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.memory import Address
from knaster.program.types import Int
from knaster.semantics.memory.failure import LOCK, Unclear
from knaster.semantics.memory.threads.machine import Waiting
from knaster.semantics.memory.unknown import Unknown

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame
    from knaster.semantics.memory.threads.machine import Thread, ThreadedMachine

Given = tuple[Any, ...]
BUSY, AGAIN, DEADLOCKED, TIMED_OUT, NOT_OWNER = 16, 11, 35, 110, 1
RECURSIVE, CHECKING = 1, 2
_BYTE = Int(8, False)
SERIAL = 256  # added to the ticket of the thread that comes to a barrier last


def peek(machine: ThreadedMachine, place: Any, at: int, span: Span) -> int:
    """Return four bytes of a lock."""
    found = machine.usable(Address(place[0], place[1]), 1, span)
    raw = found.read(place[1] + at, 4) if place[1] + at + 4 <= found.size else 0
    if raw is None:
        return 0
    if not isinstance(raw, int):
        raise Unclear("the bytes of a lock are no numbers")
    return raw


def poke(machine: ThreadedMachine, place: Any, at: int, value: int, span: Span) -> None:
    """Set four bytes of a lock, where it has them."""
    found = machine.usable(Address(place[0], place[1]), 1, span)
    if place[1] + at + 4 <= found.size:
        found.write(place[1] + at, 4, value)
    elif at == 0:
        raise Unclear("a lock has fewer than four bytes")


# Mutexes


def mutex_init(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Let a mutex be free; its kind is that of its attributes."""
    attributes = given[1] if len(given) > 1 else 0
    kind = peek(machine, attributes, 0, span) if isinstance(attributes, Address) and attributes.base else 0
    for at, value in ((0, 0), (4, 0), (16, kind)):
        poke(machine, given[0], at, value, span)
    return 0


def mtx_init(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Let a mutex of C11 be free."""
    for at, value in ((0, 0), (4, 0), (16, int(given[1]) & 1)):
        poke(machine, given[0], at, value, span)
    return 0


def mutex_destroy(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Give a mutex up, which nobody may hold."""
    if not peek(machine, given[0], 0, span):
        return 0
    machine.lapse(LOCK, span, "a mutex is destroyed that is held")
    return BUSY


def mtx_destroy(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Give a mutex of C11 up; C forbids only that others wait for it."""
    peek(machine, given[0], 0, span)


def _take(machine: ThreadedMachine, mutex: Any, span: Span) -> int:
    owner, me = peek(machine, mutex, 0, span), machine.current.number
    kind = peek(machine, mutex, 16, span)
    if owner == me and kind == RECURSIVE:
        poke(machine, mutex, 4, peek(machine, mutex, 4, span) + 1, span)
        return 0
    if owner == me and kind == CHECKING:
        return DEADLOCKED
    if owner:
        raise Waiting
    poke(machine, mutex, 0, me, span)
    poke(machine, mutex, 4, 0, span)
    return 0


def mutex_lock(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Take a mutex; wait while somebody holds it."""
    return _take(machine, given[0], span)


def mutex_trylock(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Take a mutex where it is free."""
    try:
        return BUSY if _take(machine, given[0], span) else 0
    except Waiting:
        return BUSY


def mtx_trylock(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Take a mutex of C11 where it is free; `thrd_busy` is 1."""
    return 1 if mutex_trylock(machine, frame, given, span) else 0


def mutex_unlock(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Give a mutex back."""
    if peek(machine, given[0], 0, span) != machine.current.number:
        if peek(machine, given[0], 16, span):
            return NOT_OWNER
        machine.lapse(LOCK, span, "a mutex is unlocked that this thread does not hold")
    elif depth := peek(machine, given[0], 4, span):
        poke(machine, given[0], 4, depth - 1, span)
        return 0
    poke(machine, given[0], 0, 0, span)
    return 0


def set_kind(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Note in attributes of which kind a mutex shall be."""
    poke(machine, given[0], 0, int(given[1]), span)
    return 0


def clear(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Let a condition, a reader-writer lock or attributes be as new."""
    for at in (0, 4):
        poke(machine, given[0], at, 0, span)
    return 0


# Reader-writer locks: who writes, and how many read


def read_lock(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Wait until nobody writes, and read."""
    if peek(machine, given[0], 0, span):
        raise Waiting
    poke(machine, given[0], 4, peek(machine, given[0], 4, span) + 1, span)
    return 0


def write_lock(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Wait until nobody reads or writes, and write."""
    if peek(machine, given[0], 0, span) or peek(machine, given[0], 4, span):
        raise Waiting
    poke(machine, given[0], 0, machine.current.number, span)
    return 0


def try_read_lock(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Read where nobody writes."""
    return _without_waiting(read_lock, machine, frame, given, span)


def try_write_lock(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Write where nobody reads or writes."""
    return _without_waiting(write_lock, machine, frame, given, span)


def _without_waiting(lock: Any, machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    try:
        return lock(machine, frame, given, span)
    except Waiting:
        return BUSY


def unlock_either(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Give a reader-writer lock back."""
    readers = peek(machine, given[0], 4, span)
    if peek(machine, given[0], 0, span) == machine.current.number:
        poke(machine, given[0], 0, 0, span)
    elif readers:
        poke(machine, given[0], 4, readers - 1, span)
    else:
        machine.lapse(LOCK, span, "a lock is unlocked that this thread does not hold")
    return 0


# Conditions: a wait is two steps


def wait_begin(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Give the mutex back and wait."""
    mutex_unlock(machine, frame, (given[1],), span)
    machine.usable(given[0], 1, span)
    machine.current.awaits = Address(given[0][0], given[0][1])
    return 0


def wait_end(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Go on after somebody has signalled, and take the mutex again."""
    if machine.current.awaits is not None:
        raise Waiting
    return _take(machine, given[1], span)


def timed_wait_end(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Go on after somebody has signalled, or after some time."""
    late = machine.current.awaits is not None
    _take(machine, given[1], span)
    machine.current.awaits = None
    return TIMED_OUT if late else 0


def _waiting_at(machine: ThreadedMachine, condition: Any) -> list[Thread]:
    return [thread for thread in machine.threads if thread.awaits == condition and not thread.ended]


def signal(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Wake one of those who wait, whichever; nobody where nobody waits."""
    machine.usable(given[0], 1, span)
    waiting = _waiting_at(machine, given[0])
    if waiting:
        waiting[pick(machine, len(waiting), "the thread that is woken", span)].awaits = None
    return 0


def broadcast(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Wake all who wait."""
    machine.usable(given[0], 1, span)
    for thread in _waiting_at(machine, given[0]):
        thread.awaits = None
    return 0


def pick(machine: ThreadedMachine, count: int, origin: str, span: Span) -> int:
    """Choose one of several: an input of the run."""
    if count == 1:
        return 0
    value = machine.choose(_BYTE, origin, span)
    if isinstance(value, Unknown):
        return value.decide([(number, number) for number in range(count - 1)] + [(count - 1, 255)])
    return min(int(value), count - 1)


# Semaphores and barriers


def semaphore_init(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Give a semaphore its first value."""
    poke(machine, given[0], 0, int(given[2]) & 0xFFFFFFFF, span)
    return 0


def semaphore_wait(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Wait until a semaphore is not 0, and take one."""
    value = peek(machine, given[0], 0, span)
    if not value:
        raise Waiting
    poke(machine, given[0], 0, value - 1, span)
    return 0


def semaphore_try(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Take one of a semaphore where it is not 0."""
    try:
        return semaphore_wait(machine, frame, given, span)
    except Waiting:
        return -1


def semaphore_post(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Add one to a semaphore."""
    poke(machine, given[0], 0, peek(machine, given[0], 0, span) + 1, span)
    return 0


def semaphore_value(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Store the value of a semaphore."""
    machine.store(given[1], Int(32), peek(machine, given[0], 0, span), span)
    return 0


def barrier_init(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Let a barrier wait for so many threads."""
    for at, value in ((0, int(given[2])), (4, 0), (8, 0)):
        poke(machine, given[0], at, value, span)
    return 0


def barrier_arrive(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Come to a barrier; return a ticket for it."""
    count, arrived, turn = (peek(machine, given[0], at, span) for at in (0, 4, 8))
    if arrived + 1 < count:
        poke(machine, given[0], 4, arrived + 1, span)
        return turn
    poke(machine, given[0], 4, 0, span)
    poke(machine, given[0], 8, (turn + 1) % SERIAL, span)
    return turn + SERIAL


def barrier_leave(machine: ThreadedMachine, frame: Frame, given: Given, span: Span) -> Any:
    """Go on when all have come; one of them gets -1."""
    if given[1] >= SERIAL:
        return -1
    if peek(machine, given[0], 8, span) == given[1]:
        raise Waiting
    return 0
