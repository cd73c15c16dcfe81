"""Explorations of threads: what is found and by which turns, within bounds and limits, and what is left out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from knaster.base.limits import OutOfBudget
from knaster.frontends.languages import load
from knaster.program.model import Place, Program
from knaster.semantics.memory.failure import DEADLOCK, LEAK, NULL, RACE, Fault
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.threads import exploration as module
from knaster.semantics.memory.threads.exploration import LEVEL, Found, ThreadExploration
from knaster.semantics.memory.threads.machine import ThreadedMachine

pytest.importorskip("clang.cindex")

HEAD = """#include <pthread.h>
#include <stdlib.h>
int x, y, z, *p; pthread_mutex_t m;
int __VERIFIER_nondet_int(void); float __VERIFIER_nondet_float(void);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
"""
TURN_BACK = "void *f(void *a) { x = 1; return 0; } int main() { START if (x == 1) { L: y = 2; } return 0; }"
MEET = "void *f(void *a) { x = 1; x = 2; return 0; } int main() { START y = x; y = x; return 0; }"


def program(text: str) -> Program:
    start = "pthread_t t; pthread_create(&t, 0, f, 0);"
    found = load(HEAD + text.replace("START", start), file="p.c")
    assert isinstance(found, Program)
    return found


def explorer(
    text: str | Program,
    strict: Collection[str] = (),
    bound: tuple[str, int] | None = None,
    most: int = 10_000,
) -> ThreadExploration:
    whole = text if isinstance(text, Program) else program(text)
    places = [(own.name, at) for own in whole.procedures for _, at in own.labels]
    return ThreadExploration(whole, places, frozenset(strict), bound, most)


def run(exploration: ThreadExploration) -> list[Found]:
    return list(exploration.found(lambda: None))


def labels(exploration: ThreadExploration, found: Collection[Found]) -> set[str]:
    """Return the labels that runs come to."""
    names: dict[Any, str] = {
        (own.name, at): label for own in exploration.codes.program.procedures for label, at in own.labels
    }
    return {names[each.what] for each in found if each.what in names}


# What is found


def test_every_label_that_runs_come_to_is_found_and_no_other() -> None:
    text = "void *f(void *a) { A: x = 1; B: y = 1; if (x == 2) { C: z = 1; } return 0; }"
    found = explorer(text + " int main() { START D: return 0; }")
    assert labels(found, run(found)) == {"A", "B", "D"} and found.complete


@pytest.mark.parametrize("bound", [None, ("switches", 2), ("delays", 1), ("rounds", 1), ("preemptions", 1)])
def test_a_place_at_which_a_thread_begins_is_reached_where_it_waits_too(bound: tuple[str, int] | None) -> None:
    thread = "void *f(void *a) { pthread_mutex_lock(&m); x = 1; return 0; }"
    whole = program(f"{thread} int main() {{ pthread_mutex_lock(&m); START x = 2; return 0; }}")
    entry: Place = ("f", whole.procedure("f").entry)
    found = ThreadExploration(whole, [entry], frozenset(), bound, 100)
    reached = run(found)
    assert reached and not found.cut and found.complete
    assert all(each.what == entry and each.turns[-1] == (2, 0, ()) for each in reached)
    if bound is not None and bound[0] != "rounds":
        none = ThreadExploration(whole, [entry], frozenset(), (bound[0], 0), 100)
        assert run(none) == [] and none.cut
        nobody = ThreadExploration(whole, [], frozenset(), (bound[0], 0), 100)
        assert run(nobody) == [] and not nobody.cut  # who waits would do nothing


def test_a_place_at_which_the_program_starts_is_found_at_once() -> None:
    whole = program(TURN_BACK)
    entry: Place = ("main", whole.procedure("main").entry)
    found = ThreadExploration(whole, [entry], frozenset(), None, 100)
    first, *others = run(found)
    assert first.what == entry and first.turns == ((1, 0, ()), (1, 0, ())) and others == []
    assert all(each.what != entry for each in run(explorer(whole)))


def test_each_choice_at_the_start_is_one_of_the_turns() -> None:
    """Whoever runs first takes a pointer, which is null or leads nowhere: two machines start."""
    text = "int f(int *a) { if (a) { L: return 1; } return 0; } void *g(void *a) { return 0; }"
    whole = replace(program(text + " int main() { pthread_t t; pthread_create(&t, 0, g, 0); }"), threads=("f",))
    entry: Place = ("f", whole.procedure("f").entry)
    found = run(ThreadExploration(whole, [entry], frozenset(), None, 100))
    assert [each.turns[0] for each in found] == [(1, 0, (0,)), (1, 0, (1,))]
    (label,) = (each for each in run(explorer(whole)) if each.what != entry)
    assert label.turns[0] == (1, 0, (1,)) and label.turns[-1][:2] > (1, 0)


def test_an_undefined_step_is_found_where_it_is_taken_and_with_the_turns_before() -> None:
    found = explorer("void *f(void *a) { y = 1; *p = 1; return 0; } int main() { START return 0; }")
    faults = run(found)
    assert faults and {each.what for each in faults} == {NULL}
    for each in faults:
        assert each.turns[-1] == (2, 0, ()) and each.span is not None and each.span.line == 6
        assert each.turns[0] == (1, 0, ()) and all(steps > 0 for _, steps, _ in each.turns[1:-1])
        machine = ThreadedMachine(found.codes, Given(()))
        for thread, steps, _ in each.turns:
            machine.switch(thread)
            for _ in range(steps):
                machine.step()
        with pytest.raises(Fault):
            machine.step()
    assert {kind for kind, _ in found.undefined_steps} == {NULL}


def test_a_leak_is_found_at_the_end_of_its_last_turn() -> None:
    text = "void *f(void *a) { p = malloc(4); return 0; } int main() { START x = 1; return 0; }"
    found = explorer(text, {LEAK})
    leaks = run(found)
    assert leaks and all(each.what == LEAK and each.turns[-1][0] == 1 and each.turns[-1][1] > 0 for each in leaks)
    assert found.undefined_steps == {} and found.persistent is None
    assert run(explorer(text)) == []


def test_a_race_is_found_where_it_is_asked_for() -> None:
    races = run(explorer(MEET, {RACE}))
    assert races and all(each.what == RACE and each.turns[-1][1] == 0 for each in races)
    assert run(explorer(MEET)) == []
    assert run(explorer(MEET.replace("y = x", "y = z"), {RACE})) == []


@pytest.mark.parametrize(
    ("thread", "main", "deadlocks"),
    [
        ("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m); START pthread_join(t, 0);", True),
        ("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m); START x = 1; pthread_mutex_unlock(&m);", False),
        ("pthread_mutex_lock(&m);", "pthread_mutex_lock(&m); START while (!x) y = 1;", False),  # main can move
        ("x = 1;", "START pthread_join(t, 0);", False),  # all is over
        # who waits inside a section keeps nobody waiting that could be seen: the run is left out
        ("x = 1;", "pthread_mutex_lock(&m); START __VERIFIER_atomic_begin(); pthread_mutex_lock(&m);", False),
    ],
)
def test_where_nobody_can_move_and_somebody_waits(thread: str, main: str, deadlocks: bool) -> None:
    found = explorer(f"void *f(void *a) {{ {thread} return 0; }} int main() {{ {main} return 0; }}")
    assert (DEADLOCK in {each.what for each in run(found)}) is deadlocks
    assert found.complete


# Costs and bounds


@pytest.mark.parametrize("alone", [True, False])
def test_states_know_their_turns_and_switches(alone: bool) -> None:
    text = "void *f(void *a) { x = 1; y = 1; y = 2; z = 3; return 0; } int main() { START p = &z; x = 2; return *p; }"
    found = explorer(text)
    if not alone:
        found.persistent = None
    run(found)
    assert {state.cost for state in found.states} > {0, 1, 2}
    for state in found.states[1:]:
        before = found.states[state.parent]
        assert state.turns == before.turns + 1 and state.steps > 0
        assert state.cost == before.cost + (state.thread != before.thread)
        assert state.alone in ((0, before.alone + 1) if alone else (0,))
    assert any(state.alone for state in found.states) is alone


def test_few_switches_come_first_and_many_turns_count_as_one() -> None:
    state = explorer(MEET)
    run(state)
    one = state.states[-1]
    one.cost, one.turns = 3, 2 * LEVEL + 1
    assert one.level == 5
    one.turns = LEVEL - 1
    assert one.level == 3


@pytest.mark.parametrize(
    ("kind", "least"), [("switches", 2), ("rounds", 2), ("preemptions", 1), ("delays", 1)]
)  # main, f, main
def test_a_bound_leaves_out_what_costs_more(kind: str, least: int) -> None:
    short, enough = explorer(TURN_BACK, (), (kind, least - 1)), explorer(TURN_BACK, (), (kind, least))
    assert labels(short, run(short)) == set() and short.cut and short.complete
    assert labels(enough, run(enough)) == {"L"}
    assert enough.persistent is None


def test_a_bound_that_is_large_leaves_out_nothing() -> None:
    found = explorer(TURN_BACK, (), ("switches", 20))
    assert labels(found, run(found)) == {"L"} and not found.cut
    one, other = (explorer(MEET, (), ("switches", count)) for count in (20, 30))
    assert run(one) == run(other) == [] and len(one.states) == len(other.states)


def test_a_state_is_looked_at_once_for_each_thread_that_ran_last() -> None:
    text = "void *f(void *a) { x = 1; return 0; } int main() { START while (!x) y = 1; return 0; }"
    found = explorer(text, (), ("switches", 1))
    assert run(found) == [] and found.cut
    assert len(found.states) == len(found.seen) < 60


def test_a_cheaper_way_to_a_state_is_followed_again() -> None:
    """What is met first with many switches and later with fewer is looked at again: else runs were lost."""
    text = "void *f(void *a) { y = 1; if (x == 1) { L: y = 2; } return 0; } int main() { START x = 1; return 0; }"
    for count in range(1, 5):
        found, all_runs = explorer(text, (), ("switches", count)), explorer(text, (), ("switches", 20))
        assert run(found) is not None
        assert labels(found, run(explorer(text, (), ("switches", count)))) <= labels(all_runs, run(all_runs))
    found = explorer(text, (), ("switches", 1))
    assert labels(found, run(found)) == {"L"}


# Limits


def test_as_many_states_as_it_may_look_at() -> None:
    whole = program(MEET)
    count = len((found := explorer(whole)).states) or (run(found), len(found.states))[1]
    enough = explorer(whole, most=count)
    run(enough)
    assert enough.exhausted and not found.exhausted
    short = explorer(whole, most=count - 1)
    with pytest.raises(OutOfBudget, match="states"):
        run(short)
    assert short.exhausted


def test_as_many_steps_as_it_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEPS", 3)
    found = explorer("int main() { pthread_mutex_lock(&m); return 0; }", most=200)
    found.steps = 600
    next(iter(found.found(lambda: None)), None)
    assert found.steps > 600 and len(found.states) > 0
    found = explorer(MEET, most=200)
    found.steps = 600
    assert not found.exhausted
    found.steps = 601
    assert found.exhausted
    with pytest.raises(OutOfBudget, match="600 steps"):
        run(found)
    assert found.states == []


def test_steps_are_counted() -> None:
    found = explorer("int main() { pthread_mutex_lock(&m); x = 1; y = 2; return 0; }")
    run(found)
    assert found.steps >= 4


# What is not known


def test_what_is_not_known_is_said_and_the_rest_is_found() -> None:
    text = """void *f(void *a) { if (__VERIFIER_nondet_float() > 1) x = 1; y = 1; y = 2; L: return 0; }
    int main() { START return 0; }"""
    found = explorer(text)
    assert labels(found, run(found)) == {"L"} and not found.complete and "inputs that were tried" in found.why
    hasty = explorer(text)
    hasty.hasty = True
    run(hasty)
    assert not hasty.complete and len(hasty.states) < len(found.states)
    calm = explorer(TURN_BACK)
    calm.hasty = True
    assert labels(calm, run(calm)) == {"L"} and calm.complete


# Threads that move alone


def test_a_thread_that_goes_around_alone_does_not_keep_others_from_moving() -> None:
    text = """void *f(void *a) { while (1) { x = 1; x = 0; } return 0; }
    void *g(void *a) { y = 1; L: y = 2; return 0; }
    int main() { START pthread_create(&t, 0, g, 0); return 0; }"""
    found = explorer(text)
    assert found.persistent is not None
    assert labels(found, run(found)) == {"L"} and found.complete


def test_a_thread_that_moves_alone_for_ever_is_left_after_some_turns() -> None:
    text = """void *f(void *a) { while (1) x = x + 1; return 0; }
    void *g(void *a) { y = 1; L: y = 2; return 0; }
    int main() { START pthread_create(&t, 0, g, 0); return 0; }"""
    found = explorer(text, most=2_000)
    assert "L" in labels(found, [next(found.found(lambda: None))])
    assert max(state.alone for state in found.states) == module.ALONE


@pytest.mark.parametrize("kind", ["", "_Thread_local "])
def test_an_object_of_a_thread_is_written_by_another_that_has_its_address(kind: str) -> None:
    """It is written between two reads of its own thread, long after its address was given away."""
    text = f"""{kind}int h;
    void give(void) {{ p = &h; }}
    void *f(void *a) {{ give(); int one = h; int two = h; if (one != two) {{ L: x = 1; }} return 0; }}
    int main() {{ START int *q = p; if (q) *q = 1; return 0; }}"""
    found = explorer(text)
    assert found.persistent is not None
    assert labels(found, run(found)) == {"L"}


def test_nobody_moves_alone_where_no_turn_is_left_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ALONE", 0)
    one, other = explorer(MEET.replace("y = x", "y = z")), explorer(MEET.replace("y = x", "y = z"))
    other.persistent = None
    assert run(one) == run(other) == [] and len(one.states) == len(other.states)
