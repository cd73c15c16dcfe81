"""Semaphores and conditions of threads; a condition wakes no thread without a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place
from knaster_check.memory.library.texts import number_in
from knaster_check.memory.library.thread_words import lock, set_word, threaded, unlock, word_of
from knaster_check.memory.threads import Thread, Waits
from knaster_check.memory.values import Address

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine


def _semaphore_init(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    set_word(machine, values[0], 0, number_in(values[2]) & 0xFFFFFFFF, place)
    return 0


def _semaphore_wait(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    left = word_of(machine, values[0], 0, place)
    if left == 0:
        raise Waits
    set_word(machine, values[0], 0, left - 1, place)
    return 0


def _semaphore_try(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    try:
        return _semaphore_wait(machine, frame, values, place)
    except Waits:
        return -1


def _semaphore_post(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    set_word(machine, values[0], 0, word_of(machine, values[0], 0, place) + 1, place)
    return 0


def _clear(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    for at in (0, 4):
        set_word(machine, values[0], at, 0, place)
    return 0


def _wait_begin(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    unlock(machine, frame, [values[1]], place)
    machine.usable(values[0], 1, place)
    own = threaded(machine)
    own.threads[own.current - 1].awaits = Address(*values[0])
    return 0


def _wait_end(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    own = threaded(machine)
    if own.threads[own.current - 1].awaits is not None:
        raise Waits
    return lock(machine, frame, [values[1]], place)


def _waiting(machine: Machine, condition: Any, place: Place) -> list[Thread]:
    """Return the threads that wait for a condition."""
    machine.usable(condition, 1, place)
    return [thread for thread in threaded(machine).threads if thread.awaits == condition and not thread.ended]


def _signal(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    waiting = _waiting(machine, values[0], place)
    if waiting:
        waiting[machine.inputs.pinned(machine.inputs.between(0, len(waiting) - 1))].awaits = None
    return 0


def _broadcast(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    for thread in _waiting(machine, values[0], place):
        thread.awaits = None
    return 0


SIGNALS: dict[str, Function] = {
    **{"sem_init": _semaphore_init, "sem_wait": _semaphore_wait, "sem_trywait": _semaphore_try},
    **{"sem_post": _semaphore_post, "wait_begin": _wait_begin, "wait_end": _wait_end},
    **dict.fromkeys(("pthread_cond_init", "cnd_init"), _clear),
    **dict.fromkeys(("pthread_cond_signal", "cnd_signal"), _signal),
    **dict.fromkeys(("pthread_cond_broadcast", "cnd_broadcast"), _broadcast),
}
