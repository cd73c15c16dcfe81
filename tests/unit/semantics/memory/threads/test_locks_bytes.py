"""The bytes of locks: what each operation says, what it leaves behind, and who has to wait."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.frontends.languages import load
from knaster.program.expression import NOWHERE
from knaster.program.memory import NULL, Address, Addresses
from knaster.program.types import Int
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import LOCK, Unclear
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.objects import HEAP
from knaster.semantics.memory.threads import locks
from knaster.semantics.memory.threads.locks import AGAIN, BUSY, DEADLOCKED, NOT_OWNER, SERIAL, TIMED_OUT
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting
from support.late_inputs import Ways

pytest.importorskip("clang.cindex")

TEXT = """#include <pthread.h>
char lock[40], other[40], kind[8], four[4], three[3], twenty[20], nineteen[19];
void *f(void *a) { return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); return 0; }
"""
RECURSIVE, CHECKING = locks.RECURSIVE, locks.CHECKING


class Desk:
    """A machine with main and three threads, whose locks are tried word by word."""

    def __init__(self, inputs: Any = None) -> None:
        self.machine = ThreadedMachine(Codes(load(TEXT, file="p.c")), inputs or Given(()))
        while len(self.machine.threads) < 4:
            self.machine.step()

    def place(self, name: str = "lock", offset: int = 0) -> Address:
        return Address(self.machine.globals[name].base, offset)

    def do(self, does: Any, thread: int, *given: Any) -> Any:
        """Let a thread do something; return what it says, "waits" where it has to wait."""
        self.machine.switch(thread)
        try:
            return does(self.machine, self.machine.frames[-1], given or (self.place(),), NOWHERE)
        except Waiting:
            return "waits"

    def words(self, *at: int, name: str = "lock") -> list[int]:
        return [locks.peek(self.machine, self.place(name), each, NOWHERE) for each in at]

    @property
    def lapses(self) -> int:
        """How many undefined steps there were since somebody asked last."""
        count = len(self.machine.lapses)
        assert all(kind == LOCK for kind, _ in self.machine.lapses)
        self.machine.lapses.clear()
        return count


@pytest.fixture
def desk() -> Desk:
    return Desk()


# Bytes


@pytest.mark.parametrize(
    ("name", "offset", "at", "there"),
    [
        ("twenty", 0, 16, True),
        ("nineteen", 0, 16, False),
        ("twenty", 4, 12, True),
        ("twenty", 4, 16, False),
        ("twenty", 16, 0, True),
        ("four", 0, 0, True),
        ("four", 0, 4, False),
    ],
)
def test_a_lock_has_the_words_for_which_it_has_bytes(desk: Desk, name: str, offset: int, at: int, there: bool) -> None:
    place = desk.place(name, offset)
    locks.poke(desk.machine, place, at, 7, NOWHERE)
    assert locks.peek(desk.machine, place, at, NOWHERE) == (7 if there else 0)
    written = {start: cell for start, cell in desk.machine.objects[place.base].cells.items() if cell[1]}
    assert written == ({offset + at: (4, 7)} if there else {})


def test_a_lock_has_a_first_word(desk: Desk) -> None:
    with pytest.raises(Unclear, match="fewer than four"):
        locks.poke(desk.machine, desk.place("three"), 0, 1, NOWHERE)
    with pytest.raises(Unclear, match="fewer than four"):
        locks.poke(desk.machine, desk.place("twenty", 17), 0, 1, NOWHERE)
    assert locks.peek(desk.machine, desk.place("three"), 0, NOWHERE) == 0


def test_bytes_that_nobody_wrote_are_zero_and_pointers_are_no_numbers(desk: Desk) -> None:
    fresh = desk.machine.allocate("fresh", 40, HEAP)
    assert locks.peek(desk.machine, fresh, 0, NOWHERE) == 0
    assert desk.do(locks.mutex_lock, 1, fresh) == 0 and locks.peek(desk.machine, fresh, 0, NOWHERE) == 1
    desk.machine.write(desk.place(), Addresses(4), desk.place("other"))
    with pytest.raises(Unclear, match="no numbers"):
        locks.peek(desk.machine, desk.place(), 0, NOWHERE)


# Mutexes


@pytest.mark.parametrize(
    ("given", "kind"),
    [((), 0), ((NULL,), 0), ((0,), 0), (("kind",), RECURSIVE)],
)
def test_a_mutex_is_made_with_the_kind_of_its_attributes(desk: Desk, given: tuple[Any, ...], kind: int) -> None:
    for at in (0, 4, 16):
        locks.poke(desk.machine, desk.place(), at, 9, NOWHERE)
    assert desk.do(locks.set_kind, 1, desk.place("kind"), RECURSIVE) == 0
    attributes = [desk.place("kind") if each == "kind" else each for each in given]
    assert desk.do(locks.mutex_init, 1, desk.place(), *attributes) == 0
    assert desk.words(0, 4, 16) == [0, 0, kind]


@pytest.mark.parametrize(("given", "kind"), [(0, 0), (1, 1), (2, 0), (3, 1)])
def test_kinds_of_c11(desk: Desk, given: int, kind: int) -> None:
    for at in (0, 4, 16):
        locks.poke(desk.machine, desk.place(), at, 9, NOWHERE)
    assert desk.do(locks.mtx_init, 1, desk.place(), given) == 0 and desk.words(0, 4, 16) == [0, 0, kind]


def test_a_plain_mutex(desk: Desk) -> None:
    assert desk.do(locks.mutex_lock, 2) == 0 and desk.words(0, 4) == [2, 0]
    assert desk.do(locks.mutex_lock, 1) == "waits" == desk.do(locks.mutex_lock, 2)
    assert desk.do(locks.mutex_trylock, 1) == desk.do(locks.mutex_trylock, 2) == BUSY
    assert desk.do(locks.mtx_trylock, 1) == 1
    assert desk.do(locks.mutex_destroy, 2) == BUSY and desk.lapses == 1
    assert desk.do(locks.mutex_unlock, 2) == 0 and desk.words(0, 4) == [0, 0] and desk.lapses == 0
    assert desk.do(locks.mutex_destroy, 2) == 0 and desk.lapses == 0
    assert desk.do(locks.mtx_trylock, 1) == 0 and desk.words(0) == [1]
    assert desk.do(locks.mtx_destroy, 2) is None and desk.lapses == 0


def test_a_plain_mutex_that_another_thread_gives_back(desk: Desk) -> None:
    assert desk.do(locks.mutex_unlock, 1) == 0 and desk.lapses == 1
    desk.do(locks.mutex_lock, 2)
    assert desk.do(locks.mutex_unlock, 1) == 0 and desk.lapses == 1 and desk.words(0) == [0]


def test_a_recursive_mutex_is_free_after_its_last_unlock(desk: Desk) -> None:
    desk.do(locks.mtx_init, 1, desk.place(), RECURSIVE)
    assert [desk.do(locks.mutex_lock, 1) for _ in range(3)] == [0, 0, 0] and desk.words(0, 4) == [1, 2]
    assert desk.do(locks.mutex_lock, 2) == "waits" and desk.do(locks.mutex_unlock, 2) == NOT_OWNER
    for left in ([1, 1], [1, 0], [0, 0]):
        assert desk.do(locks.mutex_unlock, 1) == 0 and desk.words(0, 4) == left
    assert desk.do(locks.mutex_unlock, 1) == NOT_OWNER and desk.lapses == 0
    assert desk.do(locks.mutex_lock, 2) == 0 and desk.words(0, 4) == [2, 0]


def test_a_mutex_that_checks(desk: Desk) -> None:
    desk.do(locks.set_kind, 1, desk.place("kind"), CHECKING)
    desk.do(locks.mutex_init, 1, desk.place(), desk.place("kind"))
    assert desk.do(locks.mutex_lock, 1) == 0 and desk.do(locks.mutex_lock, 1) == DEADLOCKED
    assert desk.do(locks.mutex_trylock, 1) == BUSY and desk.do(locks.mutex_lock, 2) == "waits"
    assert desk.do(locks.mutex_unlock, 2) == NOT_OWNER and desk.do(locks.mutex_unlock, 1) == 0
    assert desk.lapses == 0 and desk.words(0, 4) == [0, 0]


def test_what_is_made_new(desk: Desk) -> None:
    for at in (0, 4):
        locks.poke(desk.machine, desk.place(), at, 9, NOWHERE)
    assert desk.do(locks.clear, 1) == 0 and desk.words(0, 4) == [0, 0]


# Reader-writer locks


def test_many_read_and_one_writes(desk: Desk) -> None:
    assert desk.do(locks.read_lock, 1) == desk.do(locks.try_read_lock, 2) == 0 and desk.words(0, 4) == [0, 2]
    assert desk.do(locks.write_lock, 3) == "waits" and desk.do(locks.try_write_lock, 3) == BUSY
    assert desk.do(locks.unlock_either, 1) == 0 and desk.words(0, 4) == [0, 1]
    assert desk.do(locks.write_lock, 3) == "waits"
    assert desk.do(locks.unlock_either, 2) == 0 and desk.words(0, 4) == [0, 0] and desk.lapses == 0
    assert desk.do(locks.unlock_either, 2) == 0 and desk.lapses == 1 and desk.words(0, 4) == [0, 0]
    assert desk.do(locks.try_write_lock, 3) == 0 and desk.words(0, 4) == [3, 0]
    assert desk.do(locks.read_lock, 1) == desk.do(locks.write_lock, 1) == "waits"
    assert desk.do(locks.try_read_lock, 1) == desk.do(locks.try_write_lock, 1) == BUSY
    assert desk.do(locks.unlock_either, 1) == 0 and desk.lapses == 1 and desk.words(0, 4) == [3, 0]
    assert desk.do(locks.unlock_either, 3) == 0 and desk.lapses == 0 and desk.words(0, 4) == [0, 0]
    assert desk.do(locks.write_lock, 2) == 0 and desk.words(0, 4) == [2, 0]


# Conditions


def test_a_wait_gives_the_mutex_back_and_takes_it_again(desk: Desk) -> None:
    pair = desk.place("other"), desk.place()
    desk.do(locks.mutex_lock, 2)
    assert desk.do(locks.wait_begin, 2, *pair) == 0
    assert desk.words(0) == [0] and desk.machine.threads[1].awaits == pair[0]
    assert desk.do(locks.wait_end, 2, *pair) == "waits"
    desk.do(locks.mutex_lock, 1)
    assert desk.do(locks.signal, 1, desk.place("lock")) == 0  # another condition
    assert desk.do(locks.wait_end, 2, *pair) == "waits" and desk.machine.threads[1].awaits == pair[0]
    assert desk.do(locks.signal, 1, pair[0]) == 0 and desk.machine.threads[1].awaits is None
    assert desk.do(locks.wait_end, 2, *pair) == "waits"
    desk.do(locks.mutex_unlock, 1)
    assert desk.do(locks.wait_end, 2, *pair) == 0 and desk.words(0) == [2]


def test_a_wait_with_a_time_limit(desk: Desk) -> None:
    pair = desk.place("other"), desk.place()
    for signalled, said in ((False, TIMED_OUT), (True, 0)):
        desk.do(locks.mutex_lock, 2)
        desk.do(locks.wait_begin, 2, *pair)
        desk.do(locks.mutex_lock, 1)
        if signalled:
            desk.do(locks.signal, 1, pair[0])
        assert desk.do(locks.timed_wait_end, 2, *pair) == "waits"
        desk.do(locks.mutex_unlock, 1)
        assert desk.do(locks.timed_wait_end, 2, *pair) == said
        assert desk.words(0) == [2] and desk.machine.threads[1].awaits is None
        desk.do(locks.mutex_unlock, 2)


def waiting(desk: Desk, *threads: int) -> list[int]:
    for number in threads:
        desk.machine.threads[number - 1].awaits = desk.place("other")
    return woken(desk)


def woken(desk: Desk) -> list[int]:
    """Return who still waits."""
    return [thread.number for thread in desk.machine.threads if thread.awaits is not None]


def test_a_broadcast_wakes_all_at_this_condition(desk: Desk) -> None:
    assert waiting(desk, 2, 3) == [2, 3]
    desk.machine.threads[3].awaits = desk.place()
    assert desk.do(locks.broadcast, 1, desk.place("other")) == 0 and woken(desk) == [4]


def test_a_signal_wakes_one_of_those_who_live() -> None:
    desk = Desk(Ways([]))
    waiting(desk, 2, 3)
    desk.machine.threads[1].ended = True
    desk.do(locks.signal, 1, desk.place("other"))
    assert woken(desk) == [2]


@pytest.mark.parametrize(("way", "left"), [(0, [3, 4]), (1, [2, 4]), (2, [2, 3])])
def test_a_signal_wakes_whichever(way: int, left: list[int]) -> None:
    desk = Desk(Ways([(way, 3)]))
    waiting(desk, 2, 3, 4)
    desk.do(locks.signal, 1, desk.place("other"))
    assert woken(desk) == left


def test_which_of_several_may_be_given() -> None:
    for number, chosen in ((0, 0), (1, 1), (2, 2), (200, 2)):
        assert locks.pick(Desk(Given((number,))).machine, 3, "who", NOWHERE) == chosen
    assert locks.pick(Desk(Given(())).machine, 1, "who", NOWHERE) == 0


@pytest.mark.parametrize(("way", "left"), [(0, (0, 0)), (1, (1, 1)), (2, (2, 255))])
def test_which_of_several_is_an_input_that_is_narrowed(way: int, left: tuple[int, int]) -> None:
    inputs = Ways([(way, 3)])
    assert locks.pick(Desk(inputs).machine, 3, "who", NOWHERE) == way
    assert inputs.ranges == [left] and inputs.digits == [(way, 3)]


# Semaphores and barriers


def test_a_semaphore_counts(desk: Desk) -> None:
    assert desk.do(locks.semaphore_init, 1, desk.place(), 0, 1) == 0 and desk.words(0) == [1]
    assert desk.do(locks.semaphore_wait, 1) == 0 and desk.words(0) == [0]
    assert desk.do(locks.semaphore_wait, 1) == "waits" and desk.do(locks.semaphore_try, 1) == -1
    assert [desk.do(locks.semaphore_post, 2) for _ in range(3)] == [0, 0, 0] and desk.words(0) == [3]
    assert desk.do(locks.semaphore_try, 1) == 0 and desk.words(0) == [2]
    assert desk.do(locks.semaphore_value, 1, desk.place(), desk.place("other")) == 0
    assert desk.machine.load(desk.place("other"), Int(32), NOWHERE) == 2
    assert desk.do(locks.semaphore_init, 1, desk.place(), 0, -1) == 0 and desk.words(0) == [0xFFFFFFFF]


def test_a_barrier_lets_all_go_when_the_last_has_come(desk: Desk) -> None:
    for at in (0, 4, 8):
        locks.poke(desk.machine, desk.place(), at, 9, NOWHERE)
    assert desk.do(locks.barrier_init, 1, desk.place(), NULL, 3) == 0 and desk.words(0, 4, 8) == [3, 0, 0]
    for turn in range(3):
        one, other = desk.do(locks.barrier_arrive, 1), desk.do(locks.barrier_arrive, 2)
        assert (one, other) == (turn, turn) and desk.words(0, 4, 8) == [3, 2, turn]
        assert desk.do(locks.barrier_leave, 1, desk.place(), one) == "waits"
        last = desk.do(locks.barrier_arrive, 3)
        assert last == turn + SERIAL and desk.words(0, 4, 8) == [3, 0, turn + 1]
        assert desk.do(locks.barrier_leave, 1, desk.place(), one) == 0
        assert desk.do(locks.barrier_leave, 3, desk.place(), last) == -1


def test_turns_of_a_barrier_begin_again(desk: Desk) -> None:
    desk.do(locks.barrier_init, 1, desk.place(), NULL, 1)
    locks.poke(desk.machine, desk.place(), 8, SERIAL - 1, NOWHERE)
    last = desk.do(locks.barrier_arrive, 1)
    assert last == 2 * SERIAL - 1 and desk.words(8) == [0]
    assert desk.do(locks.barrier_leave, 1, desk.place(), SERIAL) == -1
    assert desk.do(locks.barrier_leave, 1, desk.place(), SERIAL - 1) == 0
    assert AGAIN == 11
