"""Words of threads one by one: what each says of threads, numbers and keys, and what it leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.frontends.languages import load
from knaster.program.expression import NOWHERE
from knaster.program.memory import NULL, Address, Addresses
from knaster.program.types import Int
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import CALL, LOCK, Fault, Unclear
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.threads import operations
from knaster.semantics.memory.threads.locks import DEADLOCKED
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting
from knaster.semantics.memory.threads.operations import INVALID, NO_SUCH, THREADS

pytest.importorskip("clang.cindex")

TEXT = """#include <pthread.h>
int x, y; void *v, *w; pthread_once_t once; pthread_key_t k;
void far(void);
void *two(void *a, void *b) { return 0; }
void none(void) { }
void *f(void *a) { return a; }
int main(void) { pthread_t t; void (*l)(void) = far;
  pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, 0); return 0; }
"""
WORD, POINTER, NUMBER = Int(32), Addresses(8), Int(64, False)


class Desk:
    """A machine with main and three threads that stand at their starts."""

    def __init__(self, *inputs: Any) -> None:
        self.machine = ThreadedMachine(Codes(load(TEXT, file="p.c")), Given(inputs))
        while len(self.machine.threads) < 4:
            self.machine.step()

    def place(self, name: str) -> Address:
        return self.machine.globals[name]

    def function(self, name: str) -> Address:
        return self.machine.codes.functions[name]

    def do(self, name: str, *given: Any, thread: int = 1) -> Any:
        """Let a thread say a word; return what it says, "waits" where it has to wait."""
        self.machine.switch(thread)
        try:
            return THREADS[name](self.machine, self.machine.frames[-1], given, NOWHERE)
        except Waiting:
            return "waits"

    def load(self, name: str, type: Any) -> Any:
        return self.machine.load(self.place(name), type, NOWHERE)

    def end(self, number: int, result: Any = NULL) -> None:
        self.machine.switch(number)
        self.machine.end_thread(result)

    @property
    def lapses(self) -> int:
        """How many kinds of undefined steps there were since somebody asked last."""
        assert all(kind == LOCK for kind, _ in self.machine.lapses)
        count = len(self.machine.lapses)
        self.machine.lapses.clear()
        return count


@pytest.fixture
def desk() -> Desk:
    return Desk()


# Beginnings


def test_a_thread_is_made_and_its_number_stored(desk: Desk) -> None:
    assert desk.do("pthread_create", desk.place("v"), NULL, desk.function("f"), desk.place("x")) == 0
    assert desk.load("v", NUMBER) == 5 and desk.machine.threads[4].frames[0].registers == {"a": desk.place("x")}
    assert desk.machine.objects[desk.place("v").base].cells == {0: (8, 5)}
    assert desk.do("thrd_create", desk.place("v"), desk.function("none"), NULL) == 0
    assert desk.load("v", NUMBER) == 6 and desk.machine.threads[5].frames[0].code.procedure.name == "none"


@pytest.mark.parametrize(("name", "offset"), [("f", 1), ("two", 0)])
def test_what_no_thread_can_run(desk: Desk, name: str, offset: int) -> None:
    with pytest.raises(Fault) as fault:
        desk.do("pthread_create", desk.place("v"), NULL, desk.function(name)._replace(offset=offset), NULL)
    assert fault.value.kind == CALL and len(desk.machine.threads) == 4


def test_what_is_no_function(desk: Desk) -> None:
    for what in (desk.place("x"), NULL):
        with pytest.raises(Fault) as fault:
            desk.do("pthread_create", desk.place("v"), NULL, what, NULL)
        assert fault.value.kind == CALL
    elsewhere = desk.machine.address_of(desk.machine.threads[0].frames[0], "far")
    with pytest.raises(Unclear, match="runs 'far'"):
        desk.do("pthread_create", desk.place("v"), NULL, elsewhere, NULL)


def test_a_fork_says_in_which_thread_it_is(desk: Desk) -> None:
    assert desk.do("fork_here", thread=2) is False
    assert len(desk.machine.threads) == 5 and desk.machine.threads[4].newborn
    assert desk.do("fork_here", thread=5) is True
    assert len(desk.machine.threads) == 5 and not desk.machine.threads[4].newborn
    assert desk.do("fork_here", thread=5) is False and len(desk.machine.threads) == 6


def test_who_runs(desk: Desk) -> None:
    assert [desk.do("pthread_self", thread=number) for number in (1, 3)] == [1, 3]
    assert desk.do("pthread_equal", 2, 2) == 1 and desk.do("pthread_equal", 2, 3) == 0


# Ends


def test_a_thread_leaves_with_what_it_says(desk: Desk) -> None:
    desk.do("pthread_exit", desk.place("x"), thread=2)
    desk.do("end_here", thread=3)
    two, three = desk.machine.threads[1:3]
    assert two.ended and two.result == desk.place("x") and three.ended and three.result is None


@pytest.mark.parametrize("word", ["pthread_join", "thrd_join"])
def test_who_waits_for_whom(desk: Desk, word: str) -> None:
    refused = (lambda code: 2) if word == "thrd_join" else (lambda code: code)
    assert desk.do(word, 2, NULL) == "waits" and desk.lapses == 0
    desk.end(2)
    assert desk.do(word, 2, 0) == 0 and desk.machine.threads[1].joined and desk.lapses == 0
    assert desk.do(word, 2, NULL) == refused(NO_SUCH) and desk.lapses == 1
    for number in (0, 5, -1):
        assert desk.do(word, number, NULL) == refused(NO_SUCH) and desk.lapses == 1
    assert desk.do(word, 1, NULL) == refused(DEADLOCKED) and desk.lapses == 1
    assert desk.do(word, 4, NULL, thread=3) == "waits" and desk.do(word, 1, NULL, thread=4) == "waits"
    desk.machine.threads[2].detached = True
    assert desk.do(word, 3, NULL) == refused(INVALID) and desk.lapses == 1
    desk.end(3)
    assert desk.do(word, 3, NULL) == refused(INVALID) and desk.lapses == 1
    desk.end(4)
    assert desk.do(word, 4, NULL) == 0 and desk.lapses == 0


def test_the_number_of_a_thread_is_a_number(desk: Desk) -> None:
    with pytest.raises(Unclear, match="made from a pointer"):
        desk.do("pthread_join", desk.place("x"), NULL)


def test_what_a_thread_has_returned_is_stored_where_it_is_wanted(desk: Desk) -> None:
    desk.end(2, desk.place("x"))
    desk.end(3, 7)
    assert desk.do("pthread_join", 2, desk.place("v")) == 0 and desk.load("v", POINTER) == desk.place("x")
    assert desk.do("pthread_join", 3, desk.place("v")) == 0 and desk.load("v", POINTER) == Address(0, 7)
    desk.end(4, 9)
    assert desk.do("thrd_join", 4, desk.place("x")) == 0 and desk.load("x", WORD) == 9


def test_who_has_returned_nothing_returns_an_input() -> None:
    desk = Desk(5, 8)
    desk.end(2, None)
    desk.end(3, None)
    assert desk.do("thrd_join", 2, desk.place("x")) == 0 and desk.load("x", WORD) == 5
    assert desk.do("pthread_join", 3, desk.place("v")) == 0 and desk.load("v", POINTER) == Address(0, 8)
    given = desk.machine.inputs
    assert isinstance(given, Given) and [reading.type for reading in given.read] == [WORD, POINTER]


def test_a_result_that_nobody_wants_is_no_input(desk: Desk) -> None:
    desk.end(2, None)
    desk.end(3, None)
    assert desk.do("pthread_join", 2, NULL) == desk.do("pthread_join", 3, 0) == 0
    desk = Desk()
    desk.end(2, None)
    desk.end(3, None)
    assert desk.do("thrd_join", 2, NULL) == desk.do("thrd_join", 3, 0) == 0


@pytest.mark.parametrize("word", ["pthread_detach", "thrd_detach"])
def test_a_thread_on_its_own(desk: Desk, word: str) -> None:
    assert desk.do(word, 2) == 0 and desk.machine.threads[1].detached and desk.lapses == 0
    assert desk.do(word, 2) == INVALID and desk.lapses == 1
    assert desk.do(word, 9) == NO_SUCH and desk.lapses == 1
    desk.end(3)
    desk.do("pthread_join", 3, NULL)
    assert desk.do(word, 3) == INVALID and desk.lapses == 1 and not desk.machine.threads[2].detached
    assert desk.do(word, 1) == 0 and desk.lapses == 0


# Sections


def test_sections_inside_each_other(desk: Desk) -> None:
    machine = desk.machine
    machine.switch(3)
    seen = []
    for word in ("begin", "begin", "end", "end", "end"):
        operations.SECTIONS[f"section_{word}"](machine, machine.frames[-1], (), NOWHERE)
        seen.append((machine.section, machine.depth))
    assert seen == [(3, 1), (3, 2), (3, 1), (0, 0), (0, 0)]


def test_a_program_of_one_thread_has_no_sections() -> None:
    class Nothing:
        pass

    for does in operations.SECTIONS.values():
        alone: Any = Nothing()
        assert does(alone, None, (), NOWHERE) is None and vars(alone) == {}  # type: ignore[arg-type]


# What is done once, and keys


def test_what_is_done_once(desk: Desk) -> None:
    once = desk.place("once")
    assert desk.do("once_begin", once) is True and desk.load("once", WORD) == 1
    assert desk.do("once_begin", once, thread=2) == "waits"
    assert desk.do("once_end", once) is None and desk.load("once", WORD) == 2
    assert desk.do("once_begin", once, thread=2) is False and desk.load("once", WORD) == 2


def test_keys_and_their_values(desk: Desk) -> None:
    assert desk.do("pthread_setspecific", 0, desk.place("x")) == INVALID
    assert desk.do("pthread_key_create", desk.place("k"), NULL) == 0 and desk.load("k", WORD) == 0
    assert desk.do("pthread_key_create", desk.place("k"), desk.function("f")) == 0 and desk.load("k", WORD) == 1
    assert desk.do("tss_create", desk.place("k"), 0) == 0 and desk.do("tss_create", desk.place("k")) == 0
    assert desk.load("k", WORD) == 3
    called = [code and code.procedure.name for code in desk.machine.keys]
    assert called == [None, "f", None, None]
    for key in (4, -1, NULL):
        assert desk.do("pthread_setspecific", key, desk.place("x")) == INVALID
    assert desk.do("pthread_getspecific", 0) == NULL == desk.do("pthread_getspecific", 9)
    for key in (0, 3):
        assert desk.do("pthread_setspecific", key, desk.place("x"), thread=2) == 0
        assert desk.do("pthread_getspecific", key, thread=2) == desk.place("x")
        assert desk.do("pthread_getspecific", key, thread=3) == NULL


def test_a_key_with_a_function_that_nobody_defines(desk: Desk) -> None:
    elsewhere = desk.machine.address_of(desk.machine.threads[0].frames[0], "far")
    with pytest.raises(Unclear, match="nobody defines"):
        desk.do("pthread_key_create", desk.place("k"), elsewhere)
    assert desk.machine.keys == []


# Cancellation


def test_who_can_be_cancelled(desk: Desk) -> None:
    assert desk.do("pthread_testcancel", thread=2) is None and not desk.machine.threads[1].ended
    assert desk.do("pthread_cancel", 2) == 0 and desk.machine.threads[1].cancelled
    assert desk.do("pthread_cancel", 9) == NO_SUCH
    desk.end(4)
    assert desk.do("pthread_cancel", 4) == 0
    desk.do("pthread_join", 4, NULL)
    assert desk.do("pthread_cancel", 4) == NO_SUCH
    assert desk.do("pthread_setcancelstate", 1, NULL, thread=2) == 0
    desk.do("pthread_testcancel", thread=2)
    assert not desk.machine.threads[1].ended
    assert desk.do("pthread_setcancelstate", 0, 0, thread=2) == 0
    desk.do("pthread_testcancel", thread=2)
    assert desk.machine.threads[1].ended and desk.machine.threads[1].result == Address(0, 2**64 - 1)


def test_what_was_said_of_cancelling_is_stored(desk: Desk) -> None:
    for said, before in ((1, 0), (1, 1), (0, 1), (0, 0)):
        assert desk.do("pthread_setcancelstate", said, desk.place("x")) == 0 and desk.load("x", WORD) == before
        assert desk.machine.threads[0].obeys is (said == 0)


def test_a_thread_that_is_cancelled_where_it_waits_is_not_known(desk: Desk) -> None:
    desk.do("pthread_cancel", 2)
    with pytest.raises(Unclear, match="cancelled where it waits"):
        desk.do("pthread_join", 3, NULL, thread=2)
    with pytest.raises(Unclear, match="cancelled where it waits"):
        desk.do("sleep", 1, thread=2)
    desk.do("pthread_setcancelstate", 1, NULL, thread=2)
    assert desk.do("sleep", 1, thread=2) == 0 and desk.do("sleep", 1, thread=3) == 0
