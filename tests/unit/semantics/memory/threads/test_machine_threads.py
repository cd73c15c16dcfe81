"""Machines with threads: who begins and ends, who may run, what others can reach, and what a copy shares."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.frontends.languages import load
from knaster.program.memory import Address, Addresses, Chunk, Fragment, Snapshot
from knaster.program.types import Int
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.machine import Frame
from knaster.semantics.memory.objects import GLOBAL, HEAP, LITERAL
from knaster.semantics.memory.threads import machine as module
from knaster.semantics.memory.threads.machine import NULL, ThreadedMachine

pytest.importorskip("clang.cindex")

TEXT = """#include <pthread.h>
int x, *p, a[4]; _Thread_local int h = 7; const char *s = "text";
void d(void *v) { x = x + 1; }
void *f(void *v) { return v; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, f, &a[1]); return 0; }
"""
WORD, POINTER = Int(32), Addresses(8)


@pytest.fixture
def machine() -> ThreadedMachine:
    """Main and two threads that stand at their starts."""
    found = ThreadedMachine(Codes(load(TEXT, file="p.c")), Given(()))
    while len(found.threads) < 3:
        found.step()
    return found


def finish(machine: ThreadedMachine, number: int) -> None:
    machine.switch(number)
    while machine.frames:
        machine.step()


def frame(machine: ThreadedMachine, **registers: Any) -> Frame:
    code = machine.codes.code("f")
    return Frame(code, code.procedure.entry, registers)


# Beginnings


def test_each_thread_has_objects_of_its_own(machine: ThreadedMachine) -> None:
    bases = [thread.own["h"].base for thread in machine.threads]
    assert len(set(bases)) == 3 and [thread.number for thread in machine.threads] == [1, 2, 3]
    for base in bases:
        assert machine.objects[base].read(0, 4) == 7 and machine.objects[base].kind == GLOBAL
    for thread in (2, 1, 3):
        machine.switch(thread)
        assert machine.globals["h"].base == bases[thread - 1] and machine.frames is machine.threads[thread - 1].frames


def test_there_are_not_too_many_threads(machine: ThreadedMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_THREADS", 4)
    assert machine.begin_thread(machine.codes.code("f"), (NULL,)).number == 4
    with pytest.raises(Unclear, match="more than 4"):
        machine.begin_thread(machine.codes.code("f"), (NULL,))


def test_a_fork_has_the_values_of_the_first_and_shares_its_objects(machine: ThreadedMachine) -> None:
    one, other = machine.allocate("one", 4, HEAP), machine.allocate("other", 4, HEAP)
    first = frame(machine, v=one)
    first.objects["l"] = other.base
    assert not {one.base, other.base} & machine.shared
    thread = machine.fork(first)
    assert thread.newborn and thread.forked and {one.base, other.base} <= machine.shared
    assert thread.frames[0].registers == {"v": one} and thread.frames[0].registers is not first.registers


# Ends


def test_what_ends_with_a_thread(machine: ThreadedMachine) -> None:
    """Its activations with their objects, but for those of the first one where these belong to another thread."""
    for forked in (False, True):
        machine.switch(3 if forked else 2)
        below, above = (machine.allocate("l", 4, HEAP).base for _ in range(2))
        owned = machine.allocate("o", 4, HEAP).base
        machine.frames.append(frame(machine))
        machine.frames[0].objects["l"], machine.frames[1].objects["l"] = below, above
        machine.frames[1].owned.append(owned)
        machine.current.forked = forked
        machine.end_thread(NULL)
        assert machine.current.ended and not machine.frames
        assert [machine.objects[base].alive for base in (below, above, owned)] == [forked, False, False]


def test_a_section_ends_with_its_thread_alone(machine: ThreadedMachine) -> None:
    machine.section, machine.depth = 3, 2
    finish(machine, 2)
    assert (machine.section, machine.depth) == (3, 2)
    machine.section = 3
    finish(machine, 3)
    assert (machine.section, machine.depth) == (0, 0)


def test_what_is_called_with_the_values_of_keys(machine: ThreadedMachine) -> None:
    """Each once, in the order of the keys; nothing for null, and nothing where nobody is to be called."""
    called = machine.codes.code("d")
    machine.keys = [called, None, called, called, called]
    values = {4: Address(3, 0), 0: Address(2, 0), 1: Address(2, 0), 2: NULL, 3: 0}
    machine.switch(2)
    machine.current.values = dict(values)
    machine.end_thread(Address(2, 4))
    seen = []
    while not machine.current.ended:
        assert machine.current.leaves and len(machine.frames) == 1
        seen.append(machine.frames[0].registers["v"])
        while machine.frames and machine.frames[0].registers.get("v") == seen[-1] and not machine.current.ended:
            machine.step()
    assert seen == [Address(2, 0), Address(3, 0)]
    assert machine.current.result == Address(2, 4)
    assert machine.current.values == {**values, 0: NULL, 4: NULL}
    assert machine.objects[machine.globals["x"].base].read(0, 4) == 2


def test_what_a_thread_returns_is_known_to_others(machine: ThreadedMachine) -> None:
    new = machine.allocate("new", 4, HEAP)
    machine.switch(2)
    machine.frames[0].registers["v"] = new
    finish(machine, 2)
    assert machine.threads[1].result == new and new.base in machine.shared


def test_all_is_over_where_main_has_returned(machine: ThreadedMachine) -> None:
    assert machine.running == machine.may_run == [1, 2, 3] and not machine.is_alone
    finish(machine, 2)
    assert machine.running == [1, 3] and not machine.over
    finish(machine, 1)
    assert machine.over and machine.running == machine.may_run == []


def test_main_may_leave_without_the_end_of_all(machine: ThreadedMachine) -> None:
    machine.keys = [machine.codes.code("d")]
    machine.switch(1)
    machine.current.values = {0: Address(2, 0)}
    machine.end_thread(NULL)
    assert machine.current.leaves and not machine.current.ended
    finish(machine, 1)
    assert machine.current.ended and not machine.over and machine.running == [2, 3]


def test_a_return_from_an_inner_call_ends_no_thread(machine: ThreadedMachine) -> None:
    machine.switch(2)
    machine.enter(machine.codes.code("f"), (NULL,), (), machine.frames[0].location, ())
    while len(machine.frames) > 1:
        machine.step()
    assert not machine.current.ended and not machine.current.leaves


# Who may run


def test_who_is_alone(machine: ThreadedMachine) -> None:
    finish(machine, 2)
    machine.switch(1)
    assert not machine.is_alone
    finish(machine, 3)
    machine.switch(1)
    assert machine.is_alone


def test_who_may_run_inside_a_section(machine: ThreadedMachine) -> None:
    machine.section = 2
    assert machine.may_run == [2] and machine.running == [1, 2, 3]
    finish(machine, 2)
    machine.section = 2
    assert machine.may_run == [1, 3]


# What others can reach


def test_what_is_stored_where_others_can_read_is_shared_with_all_it_leads_to(machine: ThreadedMachine) -> None:
    first, second, third = (machine.allocate("new", 16, HEAP) for _ in range(3))
    machine.write(first, POINTER, second)
    machine.write(second, POINTER, third)
    machine.write(second._replace(offset=8), WORD, 5)
    machine.write(third, POINTER, first)
    bases = {first.base, second.base, third.base}
    assert not bases & machine.shared
    machine.write(machine.globals["p"], POINTER, first)
    assert bases <= machine.shared
    fresh = machine.allocate("new", 8, HEAP)
    machine.write(third._replace(offset=8), POINTER, fresh)
    assert fresh.base in machine.shared


def test_numbers_null_and_functions_are_nobody_s(machine: ThreadedMachine) -> None:
    before = set(machine.shared)
    for value in (5, NULL, Address(-1, 0), Address(0, 77), None):
        machine.share(value)
    assert machine.shared == before and 0 not in before


def test_parts_of_pointers_and_structs_lead_somewhere_too(machine: ThreadedMachine) -> None:
    one, two, three = (machine.allocate("new", 16, HEAP) for _ in range(3))
    machine.share(Fragment(one, 3, 8))
    assert one.base in machine.shared
    machine.write(
        machine.globals["a"], Chunk(16), Snapshot(16, ((0, 8, two), (8, 4, 5), (12, 1, Fragment(three, 0, 8))))
    )
    assert {two.base, three.base} <= machine.shared


# Copies


def test_a_copy_has_the_same_thread_running(machine: ThreadedMachine) -> None:
    for number in (1, 2, 3):
        machine.switch(number)
        twin = machine.copy()
        assert twin.current is twin.threads[number - 1] and twin.current.number == number
        assert twin.frames is twin.current.frames and twin.frames is not machine.frames


def test_texts_of_the_program_are_those_of_the_first_and_others_are_not(machine: ThreadedMachine) -> None:
    made = machine.allocate("a text of the environment", 4, LITERAL).base
    dead = machine.allocate("dead", 4, HEAP).base
    machine.kill(dead)
    twin = machine.copy()
    for base, found in machine.objects.items():
        declared = base <= len(machine.layout.objects)
        shared = not found.alive or (declared and found.kind == LITERAL)
        assert (twin.objects[base] is found) is shared, found.name
        assert (twin.objects[base].kind, twin.objects[base].cells) == (found.kind, found.cells)
    assert twin.objects[made] is not machine.objects[made] and twin.objects[dead] is machine.objects[dead]
    assert any(found.kind == LITERAL and twin.objects[base] is found for base, found in machine.objects.items())
