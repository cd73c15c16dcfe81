"""Words of threads: pthreads and C11 threads that begin and end, mutexes, and sections that nobody interrupts.

The first four bytes of a mutex have the number of the thread that holds it, the next four how often; byte 16 is its
kind (1: it may be taken again, 2: that is an error).  Bytes of it that nobody wrote are 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place, Undefined
from knaster_check.memory.library.texts import number_in
from knaster_check.memory.threads import ThreadedMachine, Waits
from knaster_check.memory.values import NULL, Address
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine

BUSY, DEADLOCKED, NOT_OWNER, NO_SUCH, INVALID = 16, 35, 1, 3, 22


def threaded(machine: Machine) -> ThreadedMachine:
    """Return the machine of a program with threads."""
    if not isinstance(machine, ThreadedMachine):
        raise Unsupported("a word of threads in a program of one thread")
    return machine


def _create(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    where, _, (base, offset), argument = values
    if base > 0 and machine.objects[base].kind == "function":
        raise Unsupported("a thread runs a function that nobody defines")
    name = machine.codes.names.get(base) if offset == 0 else None
    if name is None:
        raise Undefined("call", place)
    if name not in machine.codes.program.procedures:
        raise Unsupported(f"a thread runs '{name}', which is not there")
    if len(machine.codes.program.procedures[name].parameters) > 1:
        raise Undefined("call", place)
    number = threaded(machine).begin_thread(name, argument)
    machine.store(where, ("int", 8 * machine.pointer, False), number, place)
    return 0


def _join(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    own, number = threaded(machine), number_in(values[0])
    if not 1 <= number <= len(own.threads) or own.threads[number - 1].joined:
        machine.note("lock", place)
        return NO_SUCH
    thread = own.threads[number - 1]
    if thread.detached:
        machine.note("lock", place)
        return INVALID
    if number == own.current:
        machine.note("lock", place)
        return DEADLOCKED
    if not thread.ended:
        raise Waits
    thread.joined = True
    if values[1] not in (NULL, 0):
        type = ("address", machine.pointer)
        if thread.result is None:
            thread.result = machine.inputs.choose(type)
        machine.store(values[1], type, thread.result, place)
    return 0


def _detach(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    own, number = threaded(machine), number_in(values[0])
    if not 1 <= number <= len(own.threads):
        machine.note("lock", place)
        return NO_SUCH
    if own.threads[number - 1].joined or own.threads[number - 1].detached:
        machine.note("lock", place)
        return INVALID
    own.threads[number - 1].detached = True
    return 0


def _exit(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    threaded(machine).end_thread(values[0] if values else None)


def _self(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return threaded(machine).current


def _equal(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return int(values[0] == values[1])


def word_of(machine: Machine, mutex: Any, at: int, place: Place) -> int:
    """Return four bytes of a mutex."""
    found = machine.usable(mutex, 1, place)
    if mutex[1] + at + 4 > found.size:
        return 0
    bytes = found.get(mutex[1] + at, 4)
    if all(byte is None for byte in bytes):
        return 0
    if not all(byte.__class__ is int for byte in bytes):
        raise Unsupported("the bytes of a lock are no numbers")
    return int.from_bytes(bytes, "little")


def set_word(machine: Machine, mutex: Any, at: int, value: int, place: Place) -> None:
    """Set four bytes of a mutex."""
    found = machine.usable(mutex, 1, place)
    if mutex[1] + at + 4 > found.size:
        raise Unsupported("a lock has too few bytes")
    found.put(mutex[1] + at, value.to_bytes(4, "little"))


def _init(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    known = len(values) > 1 and isinstance(values[1], Address) and values[1].base != 0
    kind = word_of(machine, values[1], 0, place) if known else 0
    for at, value in ((0, 0), (4, 0), (16, kind)):
        set_word(machine, values[0], at, value, place)
    return 0


def _destroy(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    if word_of(machine, values[0], 0, place) == 0:
        return 0
    machine.note("lock", place)  # somebody holds it
    return BUSY


def lock(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    """Take a mutex; wait while somebody holds it."""
    mutex, me = values[0], threaded(machine).current
    owner, kind = word_of(machine, mutex, 0, place), word_of(machine, mutex, 16, place)
    if owner == me and kind == 1:
        set_word(machine, mutex, 4, word_of(machine, mutex, 4, place) + 1, place)
        return 0
    if owner == me and kind == 2:
        return DEADLOCKED
    if owner:
        raise Waits
    set_word(machine, mutex, 0, me, place)
    set_word(machine, mutex, 4, 0, place)
    return 0


def _try_lock(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    try:
        return BUSY if lock(machine, frame, values, place) else 0
    except Waits:
        return BUSY


def unlock(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    """Give a mutex back."""
    mutex = values[0]
    if word_of(machine, mutex, 0, place) != threaded(machine).current:
        if word_of(machine, mutex, 16, place):
            return NOT_OWNER
        machine.note("lock", place)
    elif depth := word_of(machine, mutex, 4, place):
        set_word(machine, mutex, 4, depth - 1, place)
        return 0
    set_word(machine, mutex, 0, 0, place)
    return 0


def _section_begin(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    if isinstance(machine, ThreadedMachine):
        machine.depth += 1


def _section_end(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    if isinstance(machine, ThreadedMachine):
        machine.depth = max(0, machine.depth - 1)


def _succeed(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return 0


_SILENT = "pthread_attr_init pthread_attr_destroy pthread_yield sched_yield thrd_yield sleep nanosleep thrd_sleep"
WORDS: dict[str, Function] = {
    **{"pthread_create": _create, "pthread_join": _join, "pthread_detach": _detach, "thrd_detach": _detach},
    **dict.fromkeys(("pthread_exit", "thrd_exit"), _exit),
    **dict.fromkeys(("pthread_self", "thrd_current"), _self),
    **dict.fromkeys(("pthread_equal", "thrd_equal"), _equal),
    **{"pthread_mutex_init": _init, "pthread_mutex_destroy": _destroy, "pthread_mutex_trylock": _try_lock},
    **dict.fromkeys(("pthread_mutex_lock", "mtx_lock", "pthread_spin_lock"), lock),
    **dict.fromkeys(("pthread_mutex_unlock", "mtx_unlock", "pthread_spin_unlock"), unlock),
    **{"section_begin": _section_begin, "section_end": _section_end},
    **dict.fromkeys(_SILENT.split(), _succeed),
}
