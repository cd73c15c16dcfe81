"""Which threads may move alone in a state: what each is about to do, and what the others may still do."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.threads.footprints import POINTER_READ, POINTER_WRITE, THREAD
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.persistent import PersistentThreads
from knaster.semantics.memory.threads.turns import Branching, start_machines
from knaster.semantics.memory.threads.visible import Looks

pytest.importorskip("clang.cindex")

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
int x, y, z, *p = &z; char text[8]; void *v; pthread_mutex_t m; pthread_cond_t c; pthread_key_t k; sem_t s;
pthread_t t, u; int any(void); int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
int last;
void *w(void *a) { return 0; }
void writes(void) { x = 2; }
void both(void) { x = 1; z = 1; }
"""


class Meeting:
    """Main waits for two threads, which stand before their first step that others can notice."""

    def __init__(self, one: str, other: str, begin: str = "", main: str = "pthread_join(t, 0);") -> None:
        text = f"{HEAD}void *f(void *a) {{ {one} return 0; }}\nvoid *g(void *a) {{ {other} return 0; }}\n"
        text += f"int main() {{ {begin} pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); {main} return 0; }}\n"
        program = load(text, file="p.c")
        assert isinstance(program, Program)
        self.looks = Looks()
        self.persistent = PersistentThreads(program, self.looks)
        (self.machine, _), *_ = start_machines(Codes(program), Branching(Numbers(program)), frozenset())
        while len(self.machine.threads) < 3:
            self.machine.step()
        for thread in (1, 2, 3):
            self.advance(thread)

    def advance(self, thread: int, steps: int = 0) -> Meeting:
        """Let a thread take some steps, and then those that nobody notices."""
        machine: ThreadedMachine = self.machine
        machine.switch(thread)
        while machine.frames and (steps > 0 or self.looks.next_access(machine) is None):
            machine.step()
            steps -= 1
        return self

    def alone(self, last: int = 2) -> list[int]:
        return self.persistent.threads(self.machine, last)


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ("x = 1;", "y = 1;", {2, 3}),
        ("x = 1;", "x = 1;", set()),
        ("x = 1;", "int l = x;", set()),
        ("int l = x;", "int l = x;", {2, 3}),
        ("x = 1;", "y = 1; x = 2;", {3}),  # the second one will write x later
        ("x = 1;", "y = 1; writes();", {3}),
        ("y = 1; x = 2;", "x = 1;", {2}),
        ("*p = 1;", "z = 1;", {2}),  # it reads `p` first, which nobody writes
        ("*p = 1;", "x = 1;", {2, 3}),
        ("z = 1;", "z = 2;", set()),
        ("text[1] = 1;", "text[2] = 1;", set()),  # of one object: nobody looks at bytes
        ("memset(text, 0, 8);", "x = 1;", {3}),  # which bytes a call of the library uses is not asked
        # words of threads
        ("pthread_mutex_lock(&m);", "x = 1;", {2, 3}),
        ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);", set()),
        ("sched_yield();", "x = 1;", {2, 3}),
        ("pthread_exit(0);", "x = 1;", {2, 3}),
        ("pthread_join(u, 0);", "x = 1;", {2, 3}),  # it reads `u` first
        ("pthread_create(&v, 0, w, 0);", "x = 1;", {3}),  # main waits for a thread
        ("pthread_mutex_init(&m, 0);", "x = 1;", {3}),  # it uses two objects
        ("pthread_cond_wait(&c, &m);", "x = 1;", {3}),
        ("__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();", "y = 1;", {3}),
        ("pthread_create(&v, 0, w, 0);", "pthread_exit(0);", {3}),
        ("sem_getvalue(&s, &x);", "y = 1;", {3}),
        ("sem_post(&s);", "y = 1;", {2, 3}),
    ],
)
def test_who_may_move_alone(one: str, other: str, may: set[int]) -> None:
    """Main reads `t` first, which nobody writes."""
    assert set(Meeting(one, other).alone()) == may | {1}


def test_the_one_that_moved_last_comes_first() -> None:
    meeting = Meeting("x = 1;", "y = 1;")
    assert meeting.alone(2) == [2, 1, 3] and meeting.alone(3) == [3, 1, 2] and meeting.alone(1) == [1, 2, 3]


def test_nobody_moves_alone_where_nobody_else_is_put_off() -> None:
    meeting = Meeting("x = 1;", "y = 1;", main="pthread_exit(0);")
    meeting.machine.section = 2
    assert meeting.alone() == []
    meeting.machine.section = 0
    assert set(meeting.alone()) == {1, 2, 3}
    meeting.advance(1, 1)
    assert meeting.machine.running == [2, 3] and meeting.alone() == [2, 3]
    meeting.advance(3, 1)
    assert meeting.machine.running == [2, 3] or meeting.machine.running == [2]
    while meeting.machine.threads[2].frames:
        meeting.advance(3, 1)
    assert meeting.machine.running == [2] and meeting.alone() == []


def test_nobody_moves_alone_where_a_key_has_a_destructor() -> None:
    """What is called when a thread ends is on no stack before."""
    meeting = Meeting("x = 1;", "y = 1;")
    meeting.machine.keys = [None]
    assert meeting.alone() == [2, 1, 3]
    meeting.machine.keys = [None, meeting.machine.codes.code("w")]
    assert meeting.alone() == []


def test_a_join_waits_for_one_that_may_still_create() -> None:
    meeting = Meeting("x = 1;", "y = 1;", main="t = u = 2; pthread_join(2, 0);")
    for _ in range(4):
        access = meeting.looks.peek(meeting.machine, 1)
        assert access is not None
        if access.text == "pthread_join":
            break
        meeting.advance(1, 1)
    assert meeting.persistent.mask(meeting.machine, 1) == THREAD
    assert 1 in meeting.alone()
    wants = Meeting("x = 1;", "y = 1;", main="pthread_join(2, &v);")
    assert wants.persistent.mask(wants.machine, 1) is None


def test_what_meets_a_step() -> None:
    meeting = Meeting("x = 1;", "int l = 0; l = z;")
    bits = meeting.persistent.footprints
    assert meeting.persistent.mask(meeting.machine, 2) == bits.conflicts("x", True)
    assert meeting.persistent.mask(meeting.machine, 3) == bits.conflicts("z", False)
    last = Meeting("int l = 0; l = last;", "x = 1;")
    assert last.persistent.mask(last.machine, 2) == last.persistent.footprints.conflicts("last", False)
    creates = Meeting("pthread_create(&v, 0, w, 0);", "x = 1;")
    assert creates.persistent.mask(creates.machine, 2) == creates.persistent.footprints.conflicts("v", True) | THREAD


def test_objects_without_a_name_are_met_through_pointers() -> None:
    """Of the heap, and of locals: their numbers are behind those of globals."""
    for begin, body in (("v = malloc(4);", "*(int *)v = 1;"), ("int l; v = &l;", "*(int *)v = 1;")):
        meeting = Meeting(body, "x = 1;", begin=begin, main="pthread_exit(0);")
        meeting.advance(2, 1)  # it has read v
        assert meeting.persistent.mask(meeting.machine, 2) == POINTER_READ | POINTER_WRITE


def test_a_key_is_made_alone_by_nobody() -> None:
    meeting = Meeting("pthread_key_create(&k, 0);", "y = 1;")
    assert meeting.persistent.mask(meeting.machine, 2) is None and 2 not in meeting.alone()


def test_a_step_that_depends_on_an_input_does_not_move_alone() -> None:
    open_ = Meeting("x = 1; int l = __VERIFIER_nondet_int(); text[l & 3] = 1;", "y = 1;")
    open_.machine.switch(2)
    open_.machine.step()
    while True:
        if open_.persistent.mask(open_.machine, 2) is None:
            break
        open_.machine.switch(2)
        open_.machine.step()
    assert set(open_.alone()) == {1, 3}


def test_who_ends_with_a_local_that_others_can_reach_does_not_move_alone() -> None:
    one = Meeting("int l[2]; v = l; pthread_exit(0);", "x = 1;").advance(2, 1)
    assert one.persistent.mask(one.machine, 2) is None
    other = Meeting("int l[2]; l[0] = 1; pthread_exit(0);", "x = 1;")
    assert other.persistent.mask(other.machine, 2) == 0


def test_a_thread_may_still_do_what_is_left_of_all_its_calls() -> None:
    meeting = Meeting("both(); y = 1;", "x = 3;")
    bits = meeting.persistent.footprints

    def may(name: str) -> bool:
        return bool(meeting.persistent.future(meeting.machine.threads[1]) & bits.conflicts(name, False) & ~3)

    assert may("x") and may("y") and not may("text")
    meeting.advance(2, 1)
    assert not may("x") and may("z") and may("y")
    meeting.advance(2, 1)
    assert not may("x") and not may("z") and may("y")
