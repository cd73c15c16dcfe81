"""Runs on chosen inputs: how each ends, what it passes and costs, their order, and whether they are all."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.semantics.memory import explore
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.explore import BEGINNING, Exploration, run_machine, watch
from knaster.semantics.memory.inputs import Given
from knaster.semantics.memory.machine import Machine
from knaster.semantics.memory.sites import Site

HEAD = "#include <assert.h>\n#include <stdlib.h>\nint in(void); _Bool coin(void); int g;\n"


def program(body: str) -> knaster.Program:
    return knaster.parse(f"{HEAD}int main(void) {{ int *p = &g; {body} return *p; }}\n", file="a.c", objects="always")


def run(body: str, *values: Any, limit: int = 1000, strict: Any = (), places: Any = ()) -> explore.Outcome:
    machine = Machine(Codes(program(body)), Given(values), frozenset(strict))
    return run_machine(machine, watch(places), limit, lambda: None)


@pytest.mark.parametrize(
    ("body", "kind", "fault"),
    [
        ("", "end", ""),
        ("assert(*p == 1);", "failure", ""),
        ("exit(1);", "stopped", ""),
        ("p = 0; *p = 1;", "fault", "null"),
        ("g = (int)((unsigned long)p * 3 == 1);", "unclear", ""),
        ("for (;;) ;", "limit", ""),
    ],
)
def test_how_runs_end(body: str, kind: str, fault: str) -> None:
    found = run(body)
    assert (found.kind, found.fault) == (kind, fault) and 0 < found.steps <= 1000
    assert found.place[0] == "main" and (found.steps == 1000) is (kind == "limit")
    assert bool(found.message) is (kind in ("fault", "unclear"))
    assert found.undefined_steps == (((fault, found.span),) if kind == "fault" else ())


def test_steps_are_counted_to_the_end() -> None:
    """The same number whoever counts, and a limit that is too small by one is a limit."""
    for body in ("", "assert(*p == 1);", "exit(1);", "p = 0; *p = 1;", "g = (int)((unsigned long)p * 3 == 1);"):
        whole = run(f"for (int i = 0; i < 5; i++) *p = 0; {body}")
        more = run(f"for (int i = 0; i < 6; i++) *p = 0; {body}")
        per_turn = more.steps - whole.steps
        assert 2 <= per_turn <= 6
        many = run(f"for (int i = 0; i < 2005; i++) *p = 0; {body}", limit=10**6)
        assert many.steps == whole.steps + 2000 * per_turn and many.kind == whole.kind
        assert run(f"for (int i = 0; i < 5; i++) *p = 0; {body}", limit=whole.steps).kind == whole.kind
        assert run(f"for (int i = 0; i < 5; i++) *p = 0; {body}", limit=whole.steps - 1).kind == "limit"


def test_what_is_passed_and_what_lapses() -> None:
    found = run("int x = 2147483647; x = x + *p + 1; *p = x;")
    assert [kind for kind, _ in found.lapses] == ["overflow"] and found.undefined_steps == found.lapses
    entry = program("").procedure("main").entry
    assert run("", places=[("main", entry)]).passed == (("main", entry),) and run("").passed == ()
    assert watch([("f", 1), ("g", 2), ("f", 3)]) == {"f": frozenset({1, 3}), "g": frozenset({2})}


def test_leaks_are_found_at_the_end() -> None:
    body = "malloc(3);"
    assert (
        run(body).kind == "end"
        and run(body, strict=["leak"]).fault == "leak"
        and run("", strict=["leak"]).kind == "end"
    )
    assert run(f"{body} exit(1);", strict=["leak"]).kind == "stopped"


def runs_of(body: str, steps: int = 10**6, longest: int = 1000, strict: Any = ()) -> tuple[Exploration, list[Any]]:
    exploration = Exploration(program(body), (), frozenset(strict))
    return exploration, list(exploration.outcomes(steps, longest, lambda: None))


def test_all_runs_of_a_program_with_few() -> None:
    exploration, found = runs_of("_Bool a = coin(), b = coin(), c = a && coin();")
    assert sorted(run.inputs for run in found) == sorted(
        [
            (False, False),
            (False, True),
            (True, False, False),
            (True, False, True),
            (True, True, False),
            (True, True, True),
        ]
    )
    assert exploration.complete and exploration.runs == 6 and not exploration.closed and not exploration.why
    assert exploration.steps == sum(run.steps for run in found) + 6 * BEGINNING
    alone, (only,) = runs_of("")
    assert alone.closed and alone.complete and only.inputs == ()


def test_simple_runs_come_first() -> None:
    """By the sum of the numbers of their ways; of equal ones the shorter, and then the one that was there first."""
    _, found = runs_of("_Bool a = coin(), b = coin(), c = coin();")
    assert [sum(run.inputs) for run in found] == sorted(sum(run.inputs) for run in found)
    order = ["000", "100", "010", "001", "110", "101", "011", "111"]
    assert ["".join(str(int(value)) for value in run.inputs) for run in found] == order
    many = "".join(f"_Bool b{number} = coin(); " for number in range(9))
    _, found = runs_of(many, steps=9000)
    late = next(index for index, run in enumerate(found) if run.inputs[8] and sum(run.inputs) == 1)
    pair = next(index for index, run in enumerate(found) if run.inputs[0] and run.inputs[1])
    assert late > pair > 8 and [sum(run.inputs) for run in found[:10]] == [0, *[1] * 8, 2]  # a late one costs more


def test_what_was_not_tried_is_said() -> None:
    wide, _ = runs_of("int x = in() * in(); if (x == 12345) g = 1;")
    assert not wide.complete and "inputs that were tried" in wide.why
    unclear, _ = runs_of("g = (int)((unsigned long)p * 3 == 1);")
    assert not unclear.complete and "made from a pointer" in unclear.why
    long, found = runs_of("if (coin()) for (;;) ;", longest=300)
    assert not long.complete and long.why == "a run has more than 300 steps"
    assert [run.kind for run in found] == ["end", "limit"]
    few, found = runs_of("_Bool a = coin(), b = coin();", steps=BEGINNING + 1)
    assert not few.complete and few.why == f"no run was found within {BEGINNING + 1:,} steps" and len(found) == 1


def test_steps_are_spent_to_the_last() -> None:
    body = "_Bool a = coin(), b = coin();"
    cost = runs_of(body, steps=1)[1][0].steps + BEGINNING
    assert len(runs_of(body, steps=cost)[1]) == 1
    _, found = runs_of(body, steps=cost + 1)
    assert [run.kind for run in found] == ["end", "limit"] and found[1].steps == 1


def test_the_first_run_may_be_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "ALONE", 5000)
    alone, (only,) = runs_of("for (;;) ;", longest=50, steps=100)
    assert only.steps == 5000 and alone.why == "a run has more than 5,000 steps"
    _, found = runs_of("if (coin()) for (;;) ;", longest=50)
    assert found[-1].steps == 50
    _, found = runs_of("if (coin()) for (;;) ;", steps=250, longest=500)
    assert found[-1].kind == "limit" and found[-1].steps == 250 - BEGINNING - found[0].steps


def test_there_are_not_too_many_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "_WAITING", 2)
    some, found = runs_of("_Bool a = coin(), b = coin();")
    assert some.complete and len(found) == 4
    many, found = runs_of("_Bool a = coin(), b = coin(), c = coin();")
    assert not many.complete and many.why == "there are too many inputs to try" and len(found) == 6


def test_an_undefined_step_that_is_asked_for_ends_one_run() -> None:
    """The run that comes to it is made again, and goes on; other kinds end it as they are."""
    body = "int x = 2147483647;\nx = x + *p + 1;\nif (coin()) *p = x;"
    plain = Exploration(program(body), (), frozenset())
    (lapse,) = {lapse for run in plain.outcomes(10**6, 1000, lambda: None) for lapse in run.lapses}
    site = Site(lapse[0], lapse[1].line, lapse[1].column)
    exploration, found = runs_of(body, strict=[site])
    assert [run.kind for run in found] == ["fault", "end", "end"] and exploration.runs == 2 and exploration.complete
    assert found[0].fault == "overflow" and found[0].inputs == () and site not in exploration.strict
    whole, found = runs_of(body, strict=["overflow"])
    assert [run.kind for run in found] == ["fault"] and whole.strict == {"overflow"}
