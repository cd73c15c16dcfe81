"""Semaphores and conditions, one call at a time: who waits, and whom a signal lets go on."""

from __future__ import annotations

import pytest

from knaster_check.memory.library.thread_words import word_of
from knaster_check.memory.threads import ThreadedMachine, Waits
from support.kernel_desk import PLACE, Desk


def test_semaphores() -> None:
    desk = Desk(threaded=True)
    where = desk.block(*[9] * 8)
    assert desk.call("sem_init", where, 0, 1) == 0 and desk.call("sem_wait", where) == 0
    with pytest.raises(Waits):
        desk.call("sem_wait", where)
    assert desk.call("sem_trywait", where) == -1 and desk.call("sem_post", where) == 0
    assert word_of(desk.machine, where, 0, PLACE) == 1 and desk.call("sem_trywait", where) == 0
    desk.call("sem_init", where, 0, 3)
    assert desk.call("sem_wait", where) == 0 and word_of(desk.machine, where, 0, PLACE) == 2
    desk.call("sem_init", where, 0, -1)
    assert word_of(desk.machine, where, 0, PLACE) == (1 << 32) - 1


def waiting(desk: Desk) -> list[int]:
    assert isinstance(desk.machine, ThreadedMachine)
    return [number for number, thread in enumerate(desk.machine.threads, 1) if thread.awaits is not None]


def test_conditions() -> None:
    for chosen in (0, 1):
        desk = Desk([chosen], threaded=True)
        machine = desk.machine
        assert isinstance(machine, ThreadedMachine)
        condition, other, mutex = desk.block(*[9] * 8), desk.block(*[0] * 8), desk.block(*[0] * 40)
        assert desk.call("pthread_cond_init", condition) == 0 and desk.read(condition, 8) == [0] * 8
        for number in (2, 3):
            machine.begin_thread("main", 0)
            machine.switch(number)
            assert desk.call("pthread_mutex_lock", mutex) == 0 and desk.call("wait_begin", condition, mutex) == 0
            assert word_of(machine, mutex, 0, PLACE) == 0
            with pytest.raises(Waits):
                desk.call("wait_end", condition, mutex)
        machine.switch(1)
        desk.call("pthread_cond_signal", other)
        assert waiting(desk) == [2, 3] and not machine.inputs.values
        desk.call("pthread_cond_signal", condition)
        assert waiting(desk) == [3 - chosen] and machine.inputs.last == [1]
        machine.switch(2 + chosen)
        assert desk.call("wait_end", condition, mutex) == 0 and word_of(machine, mutex, 0, PLACE) == 2 + chosen
        machine.switch(1)
        desk.call("pthread_cond_broadcast", condition)
        assert waiting(desk) == [] and not desk.lapses
        assert desk.call("pthread_cond_signal", condition) == 0


def test_a_thread_that_has_ended_waits_for_nothing() -> None:
    desk = Desk(threaded=True)
    machine = desk.machine
    assert isinstance(machine, ThreadedMachine)
    condition, mutex = desk.block(*[0] * 8), desk.block(*[0] * 40)
    machine.begin_thread("main", 0)
    machine.switch(2)
    desk.call("pthread_mutex_lock", mutex)
    desk.call("wait_begin", condition, mutex)
    machine.threads[1].ended = True
    machine.switch(1)
    assert desk.call("pthread_cond_signal", condition) == 0 and waiting(desk) == [2]
    assert desk.fault("pthread_cond_signal", desk.machine.globals["main"]) == "invalid-pointer"
