"""Which steps others can notice: for each statement of a thread, what its steps use and of what kind that is."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting
from knaster.semantics.memory.threads.turns import Branching, start_machines
from knaster.semantics.memory.threads.visible import ANYWHERE, Access, Looks

pytest.importorskip("clang.cindex")

HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int x, y, *p, s[4]; char text[8]; const int fixed = 3; void *v; pthread_mutex_t m; pthread_t t; int any(void);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
void g(void) { int l; p = &l; }
void o(void) { p = __builtin_alloca(4); }
"""


def start(body: str, main: str = "x = 1;") -> ThreadedMachine:
    text = f"{HEAD}void *f(void *a) {{ {body} return 0; }}\n"
    text += f"int main() {{ p = s; pthread_create(&t, 0, f, 0); {main} return 0; }}\n"
    program = load(text, file="p.c")
    assert isinstance(program, Program)
    (found, _), *_ = start_machines(Codes(program), Branching(Numbers(program)), frozenset())
    while len(found.threads) < 2:
        found.step()
    found.switch(2)
    return found


def shown(machine: ThreadedMachine, access: Access) -> str:
    place = "?" if access.base == ANYWHERE else machine.objects[access.base].name
    place += f"+{access.offset}" if access.offset else ""
    return f"{access.kind} {place}{'!' if access.writes else ''} {access.size}"


def accesses(body: str) -> list[str]:
    """Return what the steps of a thread use that runs from its start to its end."""
    machine, looks, found = start(body), Looks(), []
    while machine.frames:
        access = looks.next_access(machine)
        if access is not None:
            found.append(shown(machine, access))
        try:
            machine.step()
        except Waiting:
            break
    return found


@pytest.mark.parametrize(
    ("body", "noticed"),
    [
        ("", []),
        ("x = 1;", ["memory x! 4"]),
        ("int l = x; l = l + 1;", ["memory x 4"]),
        ("int l = fixed;", []),
        ("int l[2]; l[0] = 1; l[1] = l[0];", []),
        ("s[2] = 1; y = s[3];", ["memory s+8! 4", "memory s+12 4", "memory y! 4"]),
        ("text[1] = 1;", ["memory text+1! 1"]),
        ("*p = 1;", ["memory p 8", "memory s! 4"]),
        ("__builtin_add_overflow(4, 1, &x);", ["memory x! 4"]),
        ("long l; __builtin_mul_overflow(4, 1, &l);", []),
        # the library
        ("v = malloc(4);", ["memory v! 8"]),
        ("free(malloc(4));", []),
        ("v = malloc(4); free(v);", ["memory v! 8", "memory v 8", "memory ?! 0"]),
        ("memset(text, 0, 8);", ["memory ?! 0"]),
        ("char l[4]; memset(l, 0, 4);", []),
        ("int l = strlen(\"abc\");", []),
        ("char l[4]; memcpy(l, \"abc\", 4);", []),
        ("char l[8]; memcpy(l, text, 8);", ["memory ?! 0"]),
        ("int l = __builtin_popcount(7);", []),
        # words of threads
        ("pthread_mutex_lock(&m);", ["operation m! 1"]),
        ("pthread_join(t, 0);", ["memory t 8", "operation ? 1"]),
        ("pthread_join(t, &v);", ["memory t 8", "operation ?! 1"]),
        ("pthread_self();", ["operation ?! 1"]),
        ("sched_yield();", ["operation ?! 1"]),
        ("pthread_exit(0);", ["operation ?! 1"]),
        ("__VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end();", ["operation ?! 1", "memory x! 4"]),
        # locals that others can reach, and that end
        ("int l; p = &l;", ["memory p! 8", "operation l! 1"]),
        ("int l, k; p = &l; k = 1; k = 2;", ["memory p! 8", "operation l! 1"]),
        ("{ int l; p = &l; } int k; k = 1;", ["memory p! 8", "operation l! 1"]),
        ("g();", ["memory p! 8", "operation l! 1"]),
        ("o();", ["memory p! 8", "operation the object of line 7! 4"]),
        ("p = __builtin_alloca(4);", ["memory p! 8", "operation the object of line 8! 4"]),
    ],
)  # fmt: skip
def test_what_others_can_notice_of_a_statement(body: str, noticed: list[str]) -> None:
    assert [each.replace("4", "1") if " l! " in each else each for each in accesses(body)] == noticed


@pytest.mark.parametrize("call", ["v = malloc(l);", "y = __builtin_popcount(l);"])
def test_nobody_asks_for_the_numbers_of_a_call_that_uses_nothing_shared(call: str) -> None:
    """Its argument is an input that is not chosen yet: whoever looks at the call need not know it."""
    machine, looks = start(f"int l = any(); {call}"), Looks()
    while looks.peek(machine, 2) is None:
        machine.switch(2)
        machine.step()
    access = looks.peek(machine, 2)
    assert access is not None and access.writes and machine.objects[access.base].name in ("v", "y")


def test_main_ends_all() -> None:
    machine, looks = start(""), Looks()
    machine.switch(1)
    found = []
    while machine.running:
        access = looks.next_access(machine)
        found += [shown(machine, access)] if access is not None else []
        machine.step()
    assert found == ["memory x! 4", "end ?! 0"]


def test_a_return_from_a_function_that_main_calls_ends_nothing() -> None:
    machine, looks = start("", "g();"), Looks()
    machine.switch(1)
    found = []
    while machine.running:
        access = looks.next_access(machine)
        found += [shown(machine, access)] if access is not None else []
        machine.step()
    assert [each.split()[0] for each in found] == ["memory", "operation", "end"]


def test_whoever_looks_changes_nothing_and_chooses_nothing() -> None:
    machine, looks = start("int l = any(); s[l & 3] = 1;"), Looks()
    assert looks.peek(machine, 1) is not None
    assert machine.current.number == 2 and not machine.inputs.frozen
    with pytest.raises(Unclear, match="not chosen"):
        while True:  # up to where an element of s is written, whose number is an input
            machine.switch(1)
            looks.peek(machine, 2)
            machine.switch(2)
            machine.step()
    assert machine.current.number == 1 and not machine.inputs.frozen
    assert machine.threads[1].frames and len(machine.ranges or machine.inputs.ranges) == 1  # type: ignore[attr-defined]
