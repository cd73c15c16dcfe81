"""Words of threads, one call at a time: who holds a mutex, who waits, and what a join says."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.memory.faults import Undefined
from knaster_check.memory.library.thread_words import set_word, word_of
from knaster_check.memory.threads import ThreadedMachine, Waits
from knaster_check.memory.values import NULL, Address
from knaster_check.refused import Unsupported
from support.kernel_desk import PLACE, Desk


class Threads(Desk):
    """A machine with some threads."""

    def __init__(self, count: int = 2, inputs: tuple[int, ...] = ()) -> None:
        super().__init__(inputs, threaded=True)
        assert isinstance(self.machine, ThreadedMachine)
        self.own = self.machine
        for _ in range(count - 1):
            self.own.begin_thread("main", 0)

    def by(self, thread: int, name: str, *values: Any) -> Any:
        """Return what a function says to a thread, "waits" where it has to wait."""
        self.own.switch(thread)
        try:
            return self.call(name, *values)
        except Waits:
            return "waits"

    def mutex(self, kind: int = 0) -> Address:
        where = self.block(*[0] * 40)
        set_word(self.machine, where, 16, kind, PLACE)
        return where


def test_a_plain_mutex() -> None:
    threads = Threads()
    mutex = threads.mutex()
    assert threads.by(1, "pthread_mutex_lock", mutex) == 0 and word_of(threads.machine, mutex, 0, PLACE) == 1
    assert threads.by(2, "pthread_mutex_lock", mutex) == threads.by(1, "pthread_mutex_lock", mutex) == "waits"
    assert threads.by(2, "pthread_mutex_trylock", mutex) == threads.by(1, "pthread_mutex_trylock", mutex) == 16
    assert threads.by(1, "pthread_mutex_destroy", mutex) == 16
    assert threads.lapses == ["lock"]
    assert threads.by(1, "pthread_mutex_unlock", mutex) == 0 and threads.lapses == ["lock"]
    assert threads.by(2, "pthread_mutex_trylock", mutex) == 0 and word_of(threads.machine, mutex, 0, PLACE) == 2
    assert threads.by(1, "pthread_mutex_unlock", mutex) == 0 and threads.lapses == ["lock", "lock"]
    assert threads.by(1, "pthread_mutex_destroy", mutex) == 0 and threads.by(1, "pthread_mutex_lock", mutex) == 0


def test_a_mutex_that_is_taken_again() -> None:
    threads = Threads()
    mutex = threads.mutex(1)
    assert [threads.by(1, "pthread_mutex_lock", mutex) for _ in range(3)] == [0, 0, 0]
    assert word_of(threads.machine, mutex, 4, PLACE) == 2
    assert threads.by(2, "pthread_mutex_lock", mutex) == "waits" and threads.by(2, "pthread_mutex_unlock", mutex) == 1
    for _ in range(2):
        assert (
            threads.by(1, "pthread_mutex_unlock", mutex) == 0 and threads.by(2, "pthread_mutex_lock", mutex) == "waits"
        )
    assert threads.by(1, "pthread_mutex_unlock", mutex) == 0 and threads.by(2, "pthread_mutex_lock", mutex) == 0
    assert not threads.lapses


def test_a_mutex_that_says_errors() -> None:
    threads = Threads()
    mutex = threads.mutex(2)
    assert threads.by(1, "pthread_mutex_lock", mutex) == 0 and threads.by(1, "pthread_mutex_lock", mutex) == 35
    assert threads.by(1, "pthread_mutex_trylock", mutex) == 16 and threads.by(2, "pthread_mutex_lock", mutex) == "waits"
    assert threads.by(2, "pthread_mutex_unlock", mutex) == 1 and threads.by(1, "pthread_mutex_unlock", mutex) == 0


def test_a_mutex_begins() -> None:
    threads = Threads()
    mutex, attribute = threads.block(*[7] * 40), threads.block(1, 0, 0, 0)
    assert threads.call("pthread_mutex_init", mutex, attribute) == 0
    assert [word_of(threads.machine, mutex, at, PLACE) for at in (0, 4, 16)] == [0, 0, 1]
    assert threads.call("pthread_mutex_init", mutex, NULL) == 0 and word_of(threads.machine, mutex, 16, PLACE) == 0
    assert threads.call("pthread_mutex_init", mutex) == 0


def test_bytes_of_a_mutex() -> None:
    threads = Threads()
    assert word_of(threads.machine, threads.block(None, None, None, None), 0, PLACE) == 0
    assert word_of(threads.machine, threads.block(1, 2, 0, 0), 0, PLACE) == 513
    short = threads.block(1, 2, 3)
    assert word_of(threads.machine, short, 0, PLACE) == 0
    with pytest.raises(Unsupported, match="too few"):
        set_word(threads.machine, short, 0, 1, PLACE)
    exact = threads.block(0, 0, 0, 0)
    set_word(threads.machine, exact, 0, 3, PLACE)
    assert word_of(threads.machine, exact, 0, PLACE) == 3
    with pytest.raises(Unsupported, match="no numbers"):
        word_of(threads.machine, threads.block(1, None, 0, 0), 0, PLACE)


def test_threads_begin() -> None:
    threads = Threads(1)
    where, main = threads.block(*[None] * 8), threads.machine.globals["main"]
    assert threads.call("pthread_create", where, NULL, main, NULL) == 0
    assert threads.machine.load(where, ("int", 64, False), PLACE) == 2 and len(threads.own.threads) == 2
    assert threads.fault("pthread_create", where, NULL, Address(main.base, 1), NULL) == "call"
    assert threads.fault("pthread_create", where, NULL, where, NULL) == "call"
    assert threads.fault("pthread_create", where, NULL, threads.machine.globals["f"], NULL) == "call"  # two parameters
    assert "of one thread" in Desk().fault("pthread_create", where, NULL, main, NULL)


def test_joins() -> None:
    threads = Threads(3, (1,))
    where = threads.block(*[None] * 8)
    assert threads.by(1, "pthread_join", 2, NULL) == "waits" and threads.by(1, "pthread_join", 1, NULL) == 35
    assert threads.by(1, "pthread_join", 0, NULL) == threads.by(1, "pthread_join", 4, NULL) == 3
    threads.by(2, "pthread_exit", Address(0, 9))
    assert threads.by(1, "pthread_join", 2, where) == 0 and threads.machine.load(
        where, ("address", 8), PLACE
    ) == Address(0, 9)
    assert threads.by(1, "pthread_join", 2, NULL) == 3
    threads.by(3, "pthread_exit", 5)
    assert threads.by(1, "pthread_join", 3, where) == 0 and threads.machine.load(
        where, ("address", 8), PLACE
    ) == Address(0, 5)
    other = Threads(2, (1,))
    other.by(2, "thrd_exit")
    assert other.by(1, "pthread_join", 2, other.block(*[None] * 8)) == 0 and len(other.machine.inputs.values) == 1
    last = Threads(2)
    last.by(2, "pthread_exit", NULL)
    assert last.by(1, "pthread_join", 2, 0) == 0 and not last.machine.inputs.values


def test_threads_that_nobody_joins() -> None:
    threads = Threads(2)
    assert threads.by(1, "pthread_detach", 0) == threads.by(1, "pthread_detach", 3) == 3
    assert threads.by(1, "pthread_detach", 2) == 0 and threads.by(1, "pthread_detach", 2) == 22
    assert threads.by(1, "pthread_join", 2, NULL) == 22 and threads.by(1, "pthread_detach", 1) == 0
    other = Threads(2)
    other.by(2, "pthread_exit", NULL)
    other.by(1, "pthread_join", 2, NULL)
    assert other.by(1, "pthread_detach", 2) == 22


def test_who_it_is() -> None:
    threads = Threads(2)
    assert threads.by(2, "pthread_self") == 2 and threads.by(1, "pthread_equal", 2, 2) == 1
    assert threads.by(1, "thrd_equal", 1, 2) == 0 and threads.by(1, "sleep", 3) == 0


def test_sections() -> None:
    threads = Threads(2)
    assert threads.own.may_run == [1, 2]
    threads.by(2, "section_begin")
    threads.by(2, "section_begin")
    assert threads.own.may_run == [2] and threads.own.depth == 2
    threads.by(2, "section_end")
    assert threads.own.may_run == [2]
    for _ in range(2):
        threads.by(2, "section_end")
    assert threads.own.depth == 0 and threads.own.may_run == [1, 2]
    assert Desk().call("section_begin") is None and Desk().call("section_end") is None


def test_one_of_three_is_detached() -> None:
    desk = Threads(3)
    assert desk.by(1, "pthread_detach", 2) == 0
    assert [thread.detached for thread in desk.own.threads] == [False, True, False]
    assert desk.by(1, "pthread_detach", 2) == 22 and desk.by(1, "pthread_detach", 3) == 0
    desk = Threads(3)
    desk.own.threads[1].joined = True
    assert desk.by(1, "pthread_detach", 2) == 22 and desk.by(1, "pthread_detach", 3) == 0


@pytest.mark.parametrize("said", [5, Address(3, 4), Address(0, 7)])
def test_what_a_thread_says_is_stored(said: Any) -> None:
    desk = Threads()
    desk.own.threads[1].ended, desk.own.threads[1].result = True, said
    where = desk.block(*[None] * 8)
    assert desk.by(1, "pthread_join", 2, where) == 0
    assert desk.machine.load(where, ("address", 8), PLACE) == (said if isinstance(said, Address) else Address(0, said))


def test_locks_of_few_bytes() -> None:
    desk = Threads()
    short, whole = desk.block(*[0] * 16, 1, 0), desk.block(*[0] * 16, 1, 0, 0, 0)
    assert word_of(desk.machine, short, 16, PLACE) == 0 and word_of(desk.machine, whole, 16, PLACE) == 1
    assert word_of(desk.machine, Address(whole.base, 1), 16, PLACE) == 0
    with pytest.raises(Unsupported, match="too few bytes"):
        set_word(desk.machine, short, 16, 2, PLACE)
    set_word(desk.machine, whole, 16, 2, PLACE)
    assert word_of(desk.machine, whole, 16, PLACE) == 2


def test_a_thread_runs_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Threads()
    monkeypatch.setitem(desk.machine.codes.names, -99, "elsewhere")
    where = desk.block(*[None] * 8)
    assert "'elsewhere', which is not there" in desk.fault("pthread_create", where, NULL, Address(-99, 0), NULL)
    for nobody in (Address(-98, 0), NULL):
        assert desk.fault("pthread_create", where, NULL, nobody, NULL) == "call"


def test_a_thread_of_another_file() -> None:
    """It may be any function: nothing is undefined, and nothing is known."""
    desk = Threads(1)
    far = desk.block(0)
    for kind, error in (("function", Unsupported), ("heap", Undefined)):
        desk.machine.objects[far.base].kind = kind
        with pytest.raises(error):
            desk.call("pthread_create", desk.block(*[0] * 8), NULL, far, NULL)
