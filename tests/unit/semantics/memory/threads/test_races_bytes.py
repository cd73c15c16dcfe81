"""Races byte by byte: which uses meet, who they are, and what a call of the library uses."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.program.expression import NOWHERE
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.threads.library_uses import library_uses
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.races import find_race, meet
from knaster.semantics.memory.threads.turns import Branching, start_machines
from knaster.semantics.memory.threads.visible import ANYWHERE, MEMORY, Access, Looks

pytest.importorskip("clang.cindex")

HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int x, y; char s[8], d[4], *h; pthread_t t; pthread_mutex_t m; void *f(void *), *g(void *);
"""


def use(base: int, offset: int, size: int, writes: bool) -> Access:
    return Access(base, offset, size, writes, MEMORY, NOWHERE)


@pytest.mark.parametrize(
    ("one", "other", "met"),
    [
        ((1, 0, 4, True), (1, 0, 4, True), True),
        ((1, 0, 4, True), (1, 0, 4, False), True),
        ((1, 0, 4, False), (1, 0, 4, False), False),
        ((1, 0, 4, True), (2, 0, 4, True), False),
        ((1, 0, 4, True), (1, 4, 4, True), False),
        ((1, 0, 4, True), (1, 3, 1, False), True),
        ((1, 2, 8, True), (1, 4, 1, False), True),
        ((1, 0, 1, True), (1, 2, 8, True), False),
    ],
)
def test_which_uses_meet(one: tuple[int, int, int, bool], other: tuple[int, int, int, bool], met: bool) -> None:
    assert meet(use(*one), use(*other)) is meet(use(*other), use(*one)) is met


def start(one: str, other: str, before: str = "") -> tuple[ThreadedMachine, Looks]:
    """Return a machine in which main and two threads stand before their first step that others can notice."""
    text = f"{HEAD}void *f(void *a) {{ {one} return 0; }}\nvoid *g(void *a) {{ {other} return 0; }}\n"
    text += f"int main() {{ {before} pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0);\n"
    text += " pthread_mutex_lock(&m); return 0; }\n"
    program = load(text, file="p.c")
    assert isinstance(program, Program)
    (machine, _), *_ = start_machines(Codes(program), Branching(Numbers(program)), frozenset())
    while len(machine.threads) < 3:
        machine.step()
    looks = Looks()
    for thread in (2, 3):
        machine.switch(thread)
        while machine.frames and looks.next_access(machine) is None:
            machine.step()
    machine.switch(1)
    return machine, looks


def test_who_races_with_whom() -> None:
    machine, looks = start("x = 1;", "y = x;")
    race = find_race(machine, looks)
    assert race is not None and (race.first, race.second) == (2, 3)
    assert race.one.writes and not race.other.writes
    assert find_race(*start("x = 1;", "y = 1;")) is None
    assert find_race(*start("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);")) is None


def test_a_thread_is_in_no_race_with_itself() -> None:
    """A copy uses bytes for reading and for writing, all of them in one step of one thread."""
    assert find_race(*start("memset(s, 0, 8);", "y = 1;")) is None
    race = find_race(*start("memset(s, 0, 8);", "memcpy(d, s + 2, 4);"))
    assert race is not None and (race.first, race.second) == (2, 3) and race.one.writes and not race.other.writes
    assert find_race(*start("memset(s, 0, 2);", "memcpy(d, s + 2, 4);")) is None


def uses(call: str, before: str = "") -> set[tuple[str, int, bool]]:
    """Return the bytes that the next step of the second thread uses, a call of the library."""
    machine, looks = start(call, "y = 1;", before)
    access = looks.peek(machine, 2)
    assert access is not None and access.base == ANYWHERE and not machine.inputs.frozen
    before_uses = machine.copy()
    found = library_uses(machine, 2, access)
    assert machine.objects == before_uses.objects and machine.current.number == 1
    return {
        (machine.objects[each.base].name, at, each.writes)
        for each in found
        for at in range(each.offset, each.offset + each.size)
    }


def test_what_calls_of_the_library_use() -> None:
    assert uses("memset(d, 1, 2);") >= {("d", 0, True), ("d", 1, True)}
    assert {each for each in uses("memset(d, 1, 2);") if each[1] > 1} == set()
    copied = uses("memcpy(d, s + 1, 2);")
    assert {("d", 0, True), ("d", 1, True), ("s", 1, False), ("s", 2, False)} <= copied
    assert not {each for each in copied if each[0] == "s" and (each[2] or each[1] not in (1, 2))}
    assert {name for name, _, _ in uses('memcpy(d, "ab", 2);')} == {"d"}  # nobody writes a text
    assert {name for name, _, _ in uses("char l[4]; memcpy(l, s, 2);")} == {"s"}  # nobody else knows a local


def test_what_is_given_back_is_written() -> None:
    machine, looks = start("char *l = h; free(l);", "y = 1;", "h = malloc(3); h[0] = 1;")
    machine.switch(2)
    while (access := looks.next_access(machine)) is None or access.base != ANYWHERE:
        machine.step()
    found = [each for each in library_uses(machine, 2, access) if each.writes]
    assert [(each.offset, each.size) for each in found] == [(0, 3)]


def test_a_call_that_fails_uses_what_it_uses_up_to_there() -> None:
    assert uses("memcpy(d, s + 9, 1);") == set()


def test_what_depends_on_an_input_is_not_known() -> None:
    machine, looks = start("char *l = h; y = strlen(l);", "y = 1;", "h = malloc(2); h[1] = 0;")
    machine.switch(2)
    while (access := looks.next_access(machine)) is None or access.base != ANYWHERE:
        machine.step()
    machine.switch(1)
    with pytest.raises(Unclear):
        library_uses(machine, 2, access)
    assert not machine.inputs.frozen
