"""The replay of runs of threads with memory: another order of steps, or another thread, is no run."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from knaster import check
from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.runs.replay_memory_threads import _deadlock, follow_threads, reasons_to_wait, replay_threads
from knaster.evidence.answers.answer import Reachable, Result
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import MemoryRun, inputs_of
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.program.model import Program
from knaster.program.state import State
from knaster.semantics.heap.failure import Failure
from knaster.semantics.memory.threads.machine import ThreadedMachine

pytest.importorskip("clang.cindex")
TEXT = """#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m, n;
void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); x = x + 1; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&n); pthread_mutex_lock(&m); x = x + 1;
  assert(x != 1); return 0; }
"""


def run_of(property: str) -> tuple[Result, Trace]:
    result = check(TEXT, file="p.c", property=property)
    ((_, answer),) = result.answers
    assert isinstance(answer, Reachable) and answer.trace is not None
    return result, answer.trace


def test_a_deadlock_says_where_each_thread_waits() -> None:
    result, trace = run_of("deadlock")
    target = result.answers[0][0]
    failure = replay_threads(result.program, trace, target)
    assert failure is not None and failure.kind == "deadlock"
    assert reasons_to_wait(result.program, trace) == [
        "thread 1 waits in main at line 8",
        "thread 2 waits in f at line 5",
    ]


def test_other_runs_are_refused() -> None:
    result, trace = run_of("deadlock")
    target = result.answers[0][0]
    shorter = replace(trace, segments=trace.segments[:-1])
    turned = replace(trace, segments=trace.segments[::-1])
    other = replace(trace, segments=(*trace.segments[:-1], Segment(3, trace.segments[-1].paths)))
    for wrong in (shorter, turned, other):
        with pytest.raises(InternalError):
            replay_threads(result.program, wrong, target)


def test_a_run_to_a_place() -> None:
    result, trace = run_of("reach")
    target = result.answers[0][0]
    assert replay_threads(result.program, trace, target) is None
    with pytest.raises(InternalError):
        replay_threads(result.program, trace, replace(target, location=0))


HEAD = "#include <stdlib.h>\n#include <pthread.h>\nint in(void);\n"
MAIN = "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n"
RUNS = {  # by property: a program in which the second thread fails, or lets the first one fail
    "reach": "int x;\nint add(int n) { x = x + n; return x; }\n"
    "void *f(void *a) { int y = in(); add(y); add(1); return 0; }\n"
    + MAIN
    + "pthread_join(t, 0); if ((long)x > 8L) { ERROR: ; } return 0; }\n",
    "race": "int x;\nint *p = &x;\nvoid *f(void *a) { *p = 1; return 0; }\n" + MAIN + "return x; }\n",
    "memory": "int *p;\nvoid *f(void *a) {\n*p = 1; return 0; }\n" + MAIN + "pthread_join(t, 0); return 0; }\n",
    "leak": "void *f(void *a) { char *q = malloc(3); q = 0; return 0; }\n" + MAIN + "pthread_join(t, 0); return 0; }\n",
}
FAILURES: dict[str, list[Failure | None]] = {
    "reach": [None],
    "race": [Failure("race", "thread 1 reads x at line 8 while thread 2 writes *p at line 6", 6, "f", 2)],
    "memory": [Failure("null", "a null pointer is used", 6, "f", 2)],
    "leak": [
        Failure("lost", "nothing leads to the object of line 4 any more, and it was not freed", 5, "main", 1),
        Failure("leak", "the object of line 4 is never freed", 5, "main", 1),
    ],
}


@cache
def found(asked: str) -> list[tuple[Program, Trace, Target]]:
    result = check(HEAD + RUNS[asked], file="p.c", property=asked)
    answers = [(target, answer) for target, answer in result.answers if isinstance(answer, Reachable)]
    return [(result.program, answer.trace, target) for target, answer in answers if answer.trace is not None]


def variants(trace: Trace, change: Callable[[Step], Step | None]) -> list[Trace]:
    """Return the traces in which one step is changed, also inside calls; None leaves it out."""

    def of(path: Path) -> list[Path]:
        changed = []
        for number, step in enumerate(path.steps):
            other = change(step)
            if other is not step:
                steps = (*path.steps[:number], *(() if other is None else (other,)), *path.steps[number + 1 :])
                changed.append(replace(path, steps=steps))
            for inside in of(step.inside) if step.inside is not None else ():
                steps = (*path.steps[:number], replace(step, inside=inside), *path.steps[number + 1 :])
                changed.append(replace(path, steps=steps))
        return changed

    return [
        replace(trace, segments=(*before, replace(segment, paths=(*segment.paths[:number], path)), *after))
        for at, segment in enumerate(trace.segments)
        for before, after in [(trace.segments[:at], trace.segments[at + 1 :])]
        for number, one in enumerate(segment.paths)
        for path in of(one)
    ]


def is_refused(program: Program, trace: Trace, target: Target) -> bool:
    try:
        replay_threads(program, trace, target)
    except InternalError:
        return True
    return False


@pytest.mark.parametrize("asked", RUNS)
def test_what_was_found_is_a_run_and_fails_as_was_said(asked: str) -> None:
    runs = found(asked)
    assert [replay_threads(*run) for run in runs] == FAILURES[asked]


@pytest.mark.parametrize("asked", RUNS)
def test_other_steps_states_and_inputs_are_no_run(asked: str) -> None:
    def other_state(step: Step) -> Step:
        return replace(step, after={**step.after, "x": 77}) if step.inside is None and "x" in step.after else step

    changes: list[Callable[[Step], Any]] = [
        lambda step: replace(step, edge=replace(step.edge, target=step.edge.target + 1)),
        lambda step: replace(step, inputs=(*step.inputs, 5)),
        lambda step: replace(step, inputs=()) if step.inputs else step,
        other_state,
    ]
    for program, trace, target in found(asked):
        for change in changes:
            believed = [wrong for wrong in variants(trace, change) if not is_refused(program, wrong, target)]
            assert len(believed) == (asked == "reach" and change is other_state)  # a thread that has ended has no state
    program, trace, target = found("reach")[0]
    assert len(variants(trace, other_state)) > 8
    assert all(is_refused(program, wrong, target) for wrong in variants(trace, lambda step: None))


def test_a_run_fails_as_its_target_says() -> None:
    (program, trace, target), *_ = found("memory")
    for kind in ("bounds", "leak", "race", "deadlock"):
        assert is_refused(program, trace, replace(target, kind=kind)), kind
    (program, trace, _), *_ = found("reach")
    assert is_refused(program, trace, target)  # it goes on, and fails nowhere
    (program, trace, left), *_ = found("leak")
    early = replace(trace, segments=trace.segments[:2])
    assert is_refused(program, early, left)  # main has not returned
    assert is_refused(program, trace, replace(left, kind="deadlock"))  # all threads have ended


def test_a_call_without_a_run_inside_and_a_run_without_a_call() -> None:
    program, trace, target = found("reach")[0]
    inside = next(step.inside for path in trace.paths for step in path.steps if step.inside is not None)
    for change in (
        lambda step: replace(step, inside=None) if step.inside is not None else step,
        lambda step: replace(step, inside=inside) if step.inside is None else step,
        lambda step: replace(step, inside=Path("add", {}, ())) if step.inside is None else step,
    ):
        changed = variants(trace, change)
        assert changed and all(is_refused(program, wrong, target) for wrong in changed)


def test_an_input_is_a_value_of_its_type() -> None:
    body = "pthread_join(t, 0); int y = in(); if ((long)y > 8L) { ERROR: ; } return 0; }\n"
    result = check(f"{HEAD}void *f(void *a) {{ return 0; }}\n{MAIN}{body}", file="p.c", property="reach")
    ((target, answer),) = result.answers
    assert isinstance(answer, Reachable) and answer.trace is not None
    (value,) = inputs_of(answer.trace)

    def run(other: int) -> Trace:
        """Return the run with another input."""

        def state(known: State) -> State:
            return {name: other if held == value else held for name, held in known.items()}

        def steps(path: Path) -> tuple[Step, ...]:
            return tuple(replace(s, after=state(s.after), inputs=tuple(other for _ in s.inputs)) for s in path.steps)

        def segment(one: Segment) -> Segment:
            return replace(one, paths=tuple(replace(p, start=state(p.start), steps=steps(p)) for p in one.paths))

        assert answer.trace is not None
        return replace(answer.trace, segments=tuple(map(segment, answer.trace.segments)))

    replay_threads(result.program, run((1 << 31) - 1), target)
    with pytest.raises(InternalError, match="reads what is no value of its type"):
        replay_threads(result.program, run(1 << 31), target)


THREE = """#include <pthread.h>
pthread_mutex_t m, n;
void *f(void *a) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n); return 0; }
void *h(void *a) { pthread_mutex_lock(&n); return 0; }
int main(void) {
  pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, h, 0);
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&m); return 0; }
"""


def test_threads_that_wait_are_told_each_at_its_line_and_nobody_waits_for_a_section() -> None:
    result = check(THREE, file="p.c", property="deadlock")
    ((target, answer),) = result.answers
    assert isinstance(answer, Reachable) and answer.trace is not None
    assert reasons_to_wait(result.program, answer.trace) == [
        "thread 1 waits in main at line 10",
        "thread 2 waits in f at line 5",
        "thread 3 waits in h at line 6",
    ]
    failure = replay_threads(result.program, answer.trace, target)
    assert failure is not None and (failure.procedure, failure.line, failure.thread) == ("main", 10, 1)
    run = MemoryRun(result.program, inputs_of(answer.trace), frozenset())
    assert {1, 2} <= set(follow_threads(run, answer.trace))
    machine = run.machine
    assert isinstance(machine, ThreadedMachine) and _deadlock(machine) == failure
    machine.section = 1
    with pytest.raises(InternalError, match="can still move"):
        _deadlock(machine)
