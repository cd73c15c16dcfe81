"""Turns of threads: where they begin and end, what they come to on the way, and the numbers of their choices."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import LEAK, NULL, RACE
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.threads import turns as module
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.turns import (
    ENDS,
    FAILS,
    MOVED,
    UNCLEAR,
    WAITS,
    Branching,
    Turn,
    Turns,
    start_machines,
)

pytest.importorskip("clang.cindex")

HEAD = """#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int x, y, *p; char s[8], *q; pthread_mutex_t m;
int any(void); _Bool flip(void); void far(void); float real(void);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int);
"""


class Threads:
    """A program of main and one thread that runs `f`, and its machine when both are there."""

    def __init__(self, thread: str, main: str = "x = 1;", before: str = "", strict: frozenset[str] = frozenset()):
        text = f"{HEAD}void *f(void *a) {{ {thread} return 0; }}\n"
        text += f"int main() {{ pthread_t t; {before} pthread_create(&t, 0, f, 0); {main} return 0; }}\n"
        program = load(text, file="p.c")
        assert isinstance(program, Program)
        self.program = program
        self.inputs = Branching(Numbers(program))
        watched: Mapping[str, frozenset[int]] = {
            own.name: frozenset(at for _, at in own.labels) for own in program.procedures
        }
        self.labels = {(own.name, at): label for own in program.procedures for label, at in own.labels}
        self.turns = Turns(self.inputs, watched, RACE in strict)
        (self.machine, _), *_ = start_machines(Codes(program), self.inputs, strict)
        while len(self.machine.threads) < 2:
            self.machine.step()

    def all(self, thread: int = 2) -> list[Turn]:
        return [turn for turn, _, _ in self.turns.of_thread(self.machine, thread)]

    def one(self, thread: int = 2) -> Turn:
        (turn,) = self.all(thread)
        return turn

    def after(self, count: int, thread: int = 2) -> list[Turn]:
        """Return the next turns of a thread, at most so many."""
        found: list[Turn] = []
        while len(found) < count and self.machine.threads[thread - 1].frames:
            ((turn, self.machine, _),) = self.turns.of_thread(self.machine, thread)
            found.append(turn)
        return found


def test_a_turn_ends_before_the_next_step_that_others_notice() -> None:
    threads = Threads("int i = 1; i = 2; x = i; y = i;")
    turns = threads.after(9)
    assert len(turns) == 3 and all(turn.kind == MOVED for turn in turns)
    assert threads.machine.threads[1].ended
    assert turns[0].steps > Threads("x = 1; y = 1;").one().steps == 1


def test_who_is_alone_is_noticed_by_nobody() -> None:
    threads = Threads("x = 1; x = 2; x = 3;")
    assert not threads.one(1).steps > 5
    while threads.machine.threads[1].frames:
        ((_, threads.machine, _),) = threads.turns.of_thread(threads.machine, 2)
    turn = threads.one(1)
    assert turn.kind == MOVED
    ((_, threads.machine, _),) = threads.turns.of_thread(threads.machine, 1)
    assert not threads.machine.running


def test_a_section_is_one_turn() -> None:
    threads = Threads("__VERIFIER_atomic_begin(); x = 1; x = 2; L: x = 3; __VERIFIER_atomic_end(); y = 1;")
    turns = threads.after(2)
    assert any(threads.labels[place] == "L" for turn in turns for place, _ in turn.passed if not isinstance(place, str))
    assert threads.machine.objects[1].read(0, 4) == 3 and not threads.machine.section


def test_places_are_passed_after_so_many_steps() -> None:
    threads = Threads("int i = 0; L: i = 1; M: i = 2; x = i;")
    turn = threads.one()
    assert [threads.labels[place] for place, _ in turn.passed if not isinstance(place, str)] == ["L", "M"]
    (_, one), (_, other) = turn.passed
    assert 0 < one < other <= turn.steps


def test_a_turn_is_not_longer_than_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST", 20)
    turn = Threads("int i = 0; while (i < 1000) i = i + 1; x = i;").one()
    assert (turn.kind, turn.steps) == (MOVED, 20)


@pytest.mark.parametrize(
    ("body", "before", "kind"),
    [
        ("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m);", WAITS),
        ("__VERIFIER_assume(0);", "", ENDS),
        ("exit(0);", "", ENDS),
        ("*p = 1;", "", FAILS),
        ("x = 1;", "", MOVED),
        ("void (*l)(void) = (void (*)(void))far; l();", "", UNCLEAR),
    ],
)
def test_how_turns_end(body: str, before: str, kind: str) -> None:
    """What cannot be taken is not taken: the turn ends before it, unless it is the first step."""
    threads = Threads(body, before=before)
    turns: list[Turn] = []
    while not threads.machine.threads[1].ended and (not turns or turns[-1].kind == MOVED):
        turns += threads.after(1)
    last = turns[-1]
    assert last.kind == kind and (last.steps > 0 or kind != MOVED)
    assert (last.fault is not None) is (kind == FAILS) and bool(last.message) is (kind == UNCLEAR)


def test_before_a_step_that_ends_the_run_a_turn_has_moved() -> None:
    threads = Threads("int i = 1; int *l = 0; if (i) *l = 2; x = 1;")
    turn = threads.one()
    assert turn.kind == MOVED and turn.steps > 0 and turn.fault is not None and turn.fault.kind == NULL
    last = threads.after(2)[-1]
    assert (last.kind, last.steps) == (FAILS, 0) and last.fault is not None and last.fault.span == turn.fault.span


def test_what_is_left_in_the_heap_is_said_at_the_end_alone() -> None:
    threads = Threads("q = malloc(1);", strict=frozenset({LEAK}))
    thread = []
    while not threads.machine.threads[1].ended:
        thread += threads.after(1)
    assert all(turn.fault is None for turn in thread)
    main = []
    while threads.machine.running:
        main += threads.after(1, 1)
    assert [turn.fault is not None and turn.fault.kind == LEAK for turn in main] == [False] * (len(main) - 1) + [True]


@pytest.mark.parametrize(
    ("body", "races"),
    [
        ("__VERIFIER_atomic_begin(); y = 1; x = 2; __VERIFIER_atomic_end();", True),
        ("__VERIFIER_atomic_begin(); y = 1; y = 2; __VERIFIER_atomic_end();", False),
    ],
)
def test_a_race_inside_a_section_is_passed(body: str, races: bool) -> None:
    """Main is about to write x; inside the section nobody else runs, but the use itself is no less a race."""
    for asked in (True, False):
        threads = Threads(body, strict=frozenset({RACE}) if asked else frozenset())
        found = [place for turn in threads.after(2) for place, _ in turn.passed]
        assert (RACE in found) is (races and asked)


def test_what_a_call_inside_a_section_uses_may_not_be_known() -> None:
    body = "__VERIFIER_atomic_begin(); y = 1; y = strlen(q); __VERIFIER_atomic_end();"
    threads = Threads(body, before="q = malloc(2); q[1] = 0;", strict=frozenset({RACE}))
    kinds: list[str] = []
    while kinds[-1:] in ([], [MOVED]):
        turn, threads.machine, _ = next(iter(threads.turns.of_thread(threads.machine, 2)))
        kinds.append(turn.kind)
    assert kinds[-1] == UNCLEAR


def test_turns_that_stop_where_a_place_comes_back() -> None:
    threads = Threads("int i = 0; while (i < 5) i = i + 1; x = i;")
    whole = threads.one()
    threads.turns.stops_at_loops = True
    parts = []
    while not threads.machine.threads[1].ended:
        parts += threads.after(1)
    assert len(parts) > 5 and all(0 < part.steps <= whole.steps for part in parts)
    assert parts[0].steps < whole.steps


def test_a_place_of_another_activation_is_another_place() -> None:
    text = "int i = g(3); x = i;"
    threads = Threads("int i = 0; i = i + 1; i = i + 1; x = i;")
    threads.turns.stops_at_loops = True
    assert threads.after(1)[0].steps > 2 and text


# Choices


def test_every_choice_is_a_turn_with_its_number() -> None:
    threads = Threads("int i = 0; if (flip()) i = 1; if (flip()) i = i + 2; x = i;")
    found = {}
    for turn, twin, digits in threads.turns.of_thread(threads.machine, 2):
        assert turn.kind == MOVED
        found[digits] = twin
    assert set(found) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert len({id(twin) for twin in found.values()}) == 4


def test_numbers_that_are_given_come_first_and_the_others_follow() -> None:
    inputs = Threads("x = 1;").inputs
    inputs.begin((1, 2), [(0, 9)])
    assert [inputs.pick(count) for count in (2, 3, 2, 3)] == [1, 2, 0, 0]
    assert inputs.others() == [(1, 2, 1), (1, 2, 0, 1), (1, 2, 0, 2)]
    assert inputs.ranges == [(0, 9)] and inputs.taken == [1, 2, 0, 0] and inputs.counts == [2, 3, 2, 3]
    inputs.begin((), [])
    assert inputs.others() == [] and inputs.ranges == []


def test_what_is_left_of_an_input_belongs_to_the_machine() -> None:
    threads = Threads("int i = any(); if (i > 4) x = i; else y = i;")
    seen: set[tuple[tuple[int, int], ...]] = set()
    work: list[ThreadedMachine] = [threads.machine]
    while work:
        for turn, twin, _ in threads.turns.of_thread(work.pop(), 2):
            seen.add(tuple(twin.ranges))
            if turn.kind == MOVED and not twin.threads[1].ended:
                work.append(twin)
    assert {((5, 2**31 - 1),), ((-(2**31), 4),)} <= seen
