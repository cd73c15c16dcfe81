"""Keys of machines with threads, part by part: what tells two of them apart, and what does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from knaster.frontends.languages import load
from knaster.program.expression import NOWHERE
from knaster.program.memory import NULL, Address, Addresses, Fragment, Snapshot
from knaster.program.types import Int
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import LEAK, LOST
from knaster.semantics.memory.floats import NotANumber
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.objects import ELSEWHERE, HEAP, LITERAL, LOCAL
from knaster.semantics.memory.threads.machine import Thread, ThreadedMachine
from knaster.semantics.memory.threads.states import Key, Liveness, _Walk, key_of, live_variables
from knaster.semantics.memory.threads.turns import Branching, start_machines

pytest.importorskip("clang.cindex")

TEXT = """#include <pthread.h>
int x, y, *p; _Thread_local int h;
int g(int v) { return v; }
void *f(void *a) { int r = g(x); y = r; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x; }
"""
WORD, POINTER = Int(32), Addresses(8)


def machine(text: str = TEXT, strict: frozenset[str] = frozenset()) -> ThreadedMachine:
    """Return a machine with two threads; the second one stands at its start."""
    program = load(text, file="p.c")
    (found, _), *_ = start_machines(Codes(program), Branching(Numbers(program)), strict)
    while len(found.threads) < 2:
        found.step()
    return found


def key(found: ThreadedMachine) -> Key:
    return key_of(found, Liveness())


def base(found: ThreadedMachine, name: str) -> int:
    return found.globals[name].base


def lead(found: ThreadedMachine, to: int, offset: int = 0) -> None:
    """Let p lead to an object."""
    found.write(found.globals["p"], POINTER, Address(to, offset))


def heap(found: ThreadedMachine, size: int = 4, kind: str = HEAP, zeroed: bool = False, writable: bool = True) -> int:
    """Let p lead to a new object; return it."""
    new = found.allocate("new", size, kind, zeroed, writable).base
    lead(found, new)
    return new


def elsewhere(found: ThreadedMachine, name: str) -> int:
    """Return a function that nobody defines."""
    return found.allocate(name, 1, ELSEWHERE, writable=False).base


def with_key(found: ThreadedMachine, name: str) -> None:
    found.keys = [found.codes.code(name)]


def second(found: ThreadedMachine) -> Thread:
    return found.threads[1]


def ended(found: ThreadedMachine, result: Any, **flags: bool) -> None:
    """Let the second thread have ended."""
    thread = second(found)
    thread.frames.clear()
    thread.ended, thread.result = True, result
    for name, value in flags.items():
        setattr(thread, name, value)


def setting(name: str, value: Any) -> Callable[[ThreadedMachine], None]:
    return lambda found: setattr(found, name, value)


def of_thread(**parts: Any) -> Callable[[ThreadedMachine], None]:
    def change(found: ThreadedMachine) -> None:
        for name, value in parts.items():
            setattr(second(found), name, value)

    return change


def of_frame(**parts: Any) -> Callable[[ThreadedMachine], None]:
    def change(found: ThreadedMachine) -> None:
        for name, value in parts.items():
            setattr(second(found).frames[-1], name, value)

    return change


def nothing(found: ThreadedMachine) -> None:
    pass


def both(*changes: Callable[[ThreadedMachine], object]) -> Callable[[ThreadedMachine], None]:
    def change(found: ThreadedMachine) -> None:
        for each in changes:
            each(found)

    return change


def share(found: ThreadedMachine) -> None:
    """Let an object to which p leads be known to others, or not."""
    found.shared.discard(heap(found))


APART: dict[str, tuple[Callable[[ThreadedMachine], object], Callable[[ThreadedMachine], object]]] = {
    "a section": (nothing, setting("section", 1)),
    "how deep it is": (setting("depth", 1), setting("depth", 2)),
    "main has returned": (nothing, setting("over", True)),
    "how many keys there are": (nothing, setting("keys", [None])),
    "what is called with the value of a key": (setting("keys", [None]), lambda found: with_key(found, "f")),
    "which function that is": (lambda found: with_key(found, "f"), lambda found: with_key(found, "g")),
    "whether nobody wrote it or it is 0": (heap, lambda found: heap(found, zeroed=True)),
    "whether it may be written": (heap, lambda found: heap(found, writable=False)),
    "which function of another file it is": (
        lambda found: lead(found, elsewhere(found, "one")),
        lambda found: lead(found, elsewhere(found, "other")),
    ),
    "which object of the library it is": (
        lambda found: lead(found, found.allocate("the text of a time", 4, LITERAL).base),
        lambda found: lead(found, found.allocate("another text", 4, LITERAL).base),
    ),
    "what the library has said": (nothing, setting("answers", {"rand": [1]})),
    "to whom it said so": (setting("answers", {"one": [1]}), setting("answers", {"other": [1]})),
    "a number": (nothing, lambda found: found.write(found.globals["x"], WORD, 1)),
    "which global has it": (
        lambda found: found.write(found.globals["x"], WORD, 1),
        lambda found: found.write(found.globals["y"], WORD, 1),
    ),
    "a number of the thread": (nothing, lambda found: found.write(second(found).own["h"], WORD, 1)),
    "null, or the first global": (lambda found: lead(found, 0), lambda found: lead(found, base(found, "x"))),
    "null, or the second global": (lambda found: lead(found, 0), lambda found: lead(found, base(found, "y"))),
    "a function, or the first global": (lambda found: lead(found, -1), lambda found: lead(found, base(found, "x"))),
    "one global, or another": (
        lambda found: lead(found, base(found, "x")),
        lambda found: lead(found, base(found, "y")),
    ),
    "where it leads": (lambda found: lead(found, 1), lambda found: lead(found, 1, 4)),
    "an object more": (nothing, heap),
    "its size": (heap, lambda found: heap(found, 8)),
    "its kind": (heap, lambda found: heap(found, 4, LOCAL)),
    "whether others know it": (heap, share),
    "whether it lives": (heap, lambda found: found.kill(heap(found))),
    "what stands in it": (heap, lambda found: found.write(Address(heap(found), 0), WORD, 3)),
    "where it stands": (
        lambda found: found.write(Address(heap(found, 8), 0), WORD, 3),
        lambda found: found.write(Address(heap(found, 8), 4), WORD, 3),
    ),
    "the size of what is dead": (lambda found: found.kill(heap(found)), lambda found: found.kill(heap(found, 8))),
    "on its own": (nothing, of_thread(detached=True)),
    "newborn": (nothing, of_thread(newborn=True)),
    "forked": (nothing, of_thread(forked=True)),
    "cancelled": (nothing, of_thread(cancelled=True)),
    "cannot be cancelled": (nothing, of_thread(obeys=False)),
    "waits": (nothing, of_thread(awaits=Address(1, 0))),
    "for what it waits": (of_thread(awaits=Address(1, 0)), of_thread(awaits=Address(2, 0))),
    "a value of a key": (of_thread(values={0: 1}), of_thread(values={0: 2})),
    "under which key": (of_thread(values={0: 1}), of_thread(values={1: 1})),
    "what it leaves with": (of_thread(leaves=True, result=1), of_thread(leaves=True, result=2)),
    "what it has returned": (lambda found: ended(found, 1), lambda found: ended(found, 2)),
    "whether somebody has asked for it": (lambda found: ended(found, 1), lambda found: ended(found, 1, joined=True)),
    "ended on its own": (lambda found: ended(found, 1), lambda found: ended(found, 1, detached=True)),
    "where it stands in the text": (nothing, of_frame(location=1)),
    "its results": (of_frame(results=(1,)), of_frame(results=(2,))),
    "more arguments": (of_frame(extra=(1,)), of_frame(extra=(2,))),
    "who wants its results": (nothing, of_frame(targets=("r",))),
    "an object of its own": (nothing, of_frame(objects={"l": 1})),
    "which one": (of_frame(objects={"l": 1}), of_frame(objects={"l": 2})),
    "what it has made": (nothing, of_frame(owned=[1])),
}
ALIKE: dict[str, tuple[Callable[[ThreadedMachine], object], Callable[[ThreadedMachine], object]]] = {
    "nothing": (nothing, nothing),
    "the line of an object": (heap, lambda found: lead(found, found.allocate("newer", 4, HEAP).base)),
    "the name of an object": (heap, both(lambda found: found.allocate("lost", 4, HEAP), heap)),
    "an object to which nothing leads": (nothing, lambda found: found.allocate("lost", 4, HEAP)),
    "what stood in what is dead": (
        lambda found: found.kill(heap(found)),
        lambda found: found.kill(heap(found, 4, LOCAL)),
    ),
    "a result before it leaves": (nothing, of_thread(result=1)),
    "what was asked for": (lambda found: ended(found, 1, joined=True), lambda found: ended(found, 2, joined=True)),
    "what nobody asks for": (
        lambda found: ended(found, 1, detached=True),
        lambda found: ended(found, 2, detached=True),
    ),
    "what is not read": (nothing, lambda found: second(found).frames[-1].registers.update(r=1)),
    "the order of what was said": (
        setting("answers", {"one": [1], "other": [2]}),
        setting("answers", {"other": [2], "one": [1]}),
    ),
    "the name of an object of which something was said": (
        lambda found: found.answers.update(one=[Address(found.allocate("new", 4, HEAP).base, 0)]),
        both(
            lambda found: found.allocate("lost", 4, HEAP),
            lambda found: found.answers.update(one=[Address(found.allocate("new", 4, HEAP).base, 0)]),
        ),
    ),
}


def keys(
    one: Callable[[ThreadedMachine], object], other: Callable[[ThreadedMachine], object], strict: frozenset[str]
) -> set[Key]:
    start = machine(strict=strict)
    found = set()
    for change in (one, other):
        twin = start.copy()
        change(twin)
        found.add(key(twin))
    return found


@pytest.mark.parametrize("name", APART)
def test_what_tells_machines_apart(name: str) -> None:
    assert len(keys(*APART[name], frozenset())) == 2


@pytest.mark.parametrize("name", ALIKE)
def test_what_does_not(name: str) -> None:
    assert len(keys(*ALIKE[name], frozenset())) == 1


@pytest.mark.parametrize("kind", [LEAK, LOST])
def test_what_nothing_leads_to_matters_where_it_is_asked_for(kind: str) -> None:
    """Only living objects of the heap to which nothing leads are left; others are known by their contents."""
    strict = frozenset({kind})
    assert len(keys(nothing, lambda found: found.allocate("lost", 4, HEAP), strict)) == 2
    assert len(keys(nothing, lambda found: found.allocate("lost", 4, LOCAL), strict)) == 1
    assert len(keys(nothing, lambda found: found.kill(found.allocate("lost", 4, HEAP).base), strict)) == 1
    found = machine(strict=strict)
    heap(found)
    assert key(found)[-1] == ()
    assert key_of(machine(strict=strict), Liveness())[-1] == ()


def test_values_as_they_are_compared() -> None:
    found = machine()
    walk = _Walk(found, Liveness())
    assert [walk.value(value) for value in (7, -1, None, True)] == [7, -1, None, True]
    assert walk.value(True) is True
    assert walk.value(NULL) == ("@", 0, 0) and walk.value(Address(-2, 0)) == ("@", -2, 0)
    assert walk.value(Address(base(found, "y"), 4)) == ("@", 1, 4)  # the first object of the walk
    assert walk.value(Address(base(found, "x"), 0)) == ("@", 2, 0)
    assert walk.value(Address(base(found, "y"), 0)) == ("@", 1, 0)
    assert walk.value([1, (2, None)]) == walk.value((1, [2, None])) == (1, (2, None))
    assert walk.value(Fragment(Address(base(found, "x"), 0), 3, 8)) == ("%", ("@", 2, 0), 3, 8)
    assert walk.value(Snapshot(8, ((0, 8, Address(base(found, "x"), 0)),))) == (8, ((0, 8, ("@", 2, 0)),))
    assert walk.value(0.5) == "0.5"
    assert walk.value(NotANumber()) == ("nan",)


def test_inputs_are_numbered_in_the_order_of_the_walk() -> None:
    """Which input it is does not matter, what is left of it does, and whether two are the same."""
    found = machine()
    inputs = found.inputs
    assert isinstance(inputs, Branching)
    inputs.begin((), [])
    one, other = inputs.choose(WORD, "one", NOWHERE), inputs.choose(WORD, "other", NOWHERE)
    found.ranges = [(0, 5), (0, 9)]

    def with_values(*values: Any) -> Key:
        twin = found.copy()
        for name, value in zip("xy", values, strict=True):
            twin.objects[base(twin, name)].write(0, 4, value)
        return key(twin)

    assert with_values(one, one) != with_values(one, other)
    assert with_values(one, 0) != with_values(other, 0)
    assert with_values(one, one.moved(1, 1)) != with_values(one, one) != with_values(one, one.moved(-1, 0))
    found.ranges = [(0, 9), (0, 9)]
    assert with_values(one, other) == with_values(other, one)
    assert with_values(one, 0) == with_values(other, 0)


def test_activations_below_the_last_stand_where_they_go_on() -> None:
    found = machine()
    found.switch(2)
    while len(found.frames) < 2:
        found.step()
    twin = found.copy()
    assert key(twin) == key(found)
    twin.frames[0].location += 1  # the call is over where it goes on
    assert key(twin) == key(found)
    twin.frames[1].after += 1
    assert key(twin) != key(found)


# Variables that are read again


LIVE = """#include <pthread.h>
int x; pthread_mutex_t m; int any(void);
int g(int v) { return v; }
int f(int a, int b) { int c = a; a = 7; L: return c + a; }
int h(int a) { int r = g(a); L: return r; }
int k(int a) { int r = pthread_mutex_lock(&m); L: return r; }
int l(int a) { int i = 0; while (i < a) { int z; z = i; i = z + 1; L: ; } return i; }
int o(int *a) { int r; r = *a; L: return 0; }
int w(int *a, int b) { *a = b; L: return 0; }
int main(void) { pthread_t t; return 0; }
"""


@pytest.mark.parametrize(
    ("name", "entry", "label"),
    [
        ("f", {"a"}, {"a", "c"}),
        ("h", {"a"}, {"r"}),
        ("k", set(), {"r"}),
        ("l", {"a"}, {"a", "i"}),
        ("o", {"a"}, set()),
        ("w", {"a", "b"}, set()),
        ("main", set(), None),
    ],
)
def test_variables_that_are_read_before_they_are_set(name: str, entry: set[str], label: set[str] | None) -> None:
    procedure = load(LIVE, file="p.c").procedure(name)
    live = live_variables(procedure)
    assert set(live[procedure.entry]) == entry
    if label is not None:
        (at,) = (location for mark, location in procedure.labels if mark == "L")
        assert set(live[at]) == label
    assert all(list(names) == sorted(names) for names in live.values())
    liveness = Liveness()
    assert {at: liveness.at(procedure, at) for at in live} == live and liveness.at(procedure, 10_000) == ()
