"""The replay of a run with references: threads that cannot move, other edges, states and decisions are refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.checkers.runs.replay_heap import last_configuration, replay_heap, steps_of
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.program.expression import TRUE
from knaster.program.model import Program
from knaster.semantics.heap.interpreter import Machine

MODEL = """
class Cell { int value; };
class Main {
  static int turn; static Cell cell;
  activate static void one() { turn = 1; }
  activate static void other() { int x; select { wait(turn == 1) -> ; } x = two(); turn = x; }
  activate static void last() { bool b; select { wait(turn == 2) -> ; } b = choose(bool); assert(b); turn = 3; }
  static int two() { return 2; }
};
"""


@cache
def found() -> tuple[Program, Trace, Target]:
    result = knaster.check(MODEL, file="a.zing", engine="explicit")
    for target, answer in result.answers:
        if isinstance(answer, Reachable) and answer.trace is not None:
            return result.program, answer.trace, target
    raise AssertionError(result.reason)


def refused(trace: Trace, message: str, target: Target | None = None) -> None:
    program, _, asked = found()
    with pytest.raises(InternalError, match=message):
        replay_heap(program, trace, target or asked)


def flat() -> list[tuple[int, Step]]:
    return list(steps_of(found()[1]))


def changed(number: int, step: Step) -> Trace:
    """Return the trace with another step: calls are looked into, so it is written down as one path for each step."""
    steps = [(thread, step if at == number else own) for at, (thread, own) in enumerate(flat())]
    return trace_of(steps)


def trace_of(steps: list[tuple[int, Step]]) -> Trace:
    segments = tuple(Segment(thread, (Path("any", {}, (replace(step, inside=None),)),)) for thread, step in steps)
    return Trace(segments, found()[1].location)


def test_a_run_to_a_failed_assertion() -> None:
    program, trace, target = found()
    failure = replay_heap(program, trace, target)
    assert failure is not None and failure.kind == "assertion" and failure.thread == 3
    assert {thread for thread, _ in flat()} == {1, 2, 3}
    again = replay_heap(program, trace_of(flat()), target)
    assert again is not None and again.kind == "assertion"


def test_a_thread_that_is_not_there_or_cannot_move() -> None:
    (_, first), *rest = flat()
    for number in (0, 9, 4, -1):
        refused(trace_of([(number, first), *rest]), f"thread {number} cannot move")
    third = next(step for thread, step in flat() if thread == 3)
    refused(trace_of([(3, third)]), "thread 3 cannot move|cannot be passed|does not reach")


def test_another_edge() -> None:
    steps = flat()
    for number in range(len(steps) - 1):
        other = replace(steps[number][1], edge=steps[number + 1][1].edge)
        refused(changed(number, other), "another edge|cannot be passed")


def test_another_state() -> None:
    """After every step that neither enters nor leaves a method."""
    told = 0
    for number, (_, step) in enumerate(flat()):
        for name, value in step.after.items():
            if type(value) is int:
                wrong = replace(step, after={**step.after, name: value + 7})
                try:
                    refused(changed(number, wrong), "the state after line .* is another one")
                    told += 1
                except pytest.fail.Exception:
                    program, _, target = found()
                    replay_heap(program, changed(number, wrong), target)  # a step into a method, or out of one
    assert told >= 5


def test_another_decision() -> None:
    number, step = next((at, step) for at, (_, step) in enumerate(flat()) if step.inputs)
    refused(changed(number, replace(step, inputs=(not step.inputs[0],))), "another one|does not reach|cannot be passed")
    refused(changed(number, replace(step, inputs=(17,))), "cannot be passed")


def test_another_end() -> None:
    _, trace, target = found()
    refused(replace(trace, location=trace.location + 1), f"ends at location {trace.location} and says")
    refused(trace_of(flat()[:-1]), "ends at location|does not reach")
    refused(trace, "does not reach", Target("null", "", 0, 0, "null"))
    refused(trace, "nobody can tell", replace(target, condition=TRUE))
    refused(trace, "does not reach", Target("elsewhere", "Main.one", 0, 5))


def test_where_a_run_ends() -> None:
    program, trace, _ = found()
    configuration = last_configuration(Machine(program), trace)
    assert [bool(frames) for frames in configuration.threads] == [False, False, True]


def test_nobody_else_runs_inside_an_atomic_region() -> None:
    text = """class Main {
      static int x;
      activate static void one() { atomic { x = 1; x = 2; } assert(x == 2); }
      activate static void two() { x = 3; }
    };"""
    result = knaster.check(text, file="a.zing", engine="explicit")
    ((target, answer),) = [(t, a) for t, a in result.answers if isinstance(a, Reachable)]
    assert answer.trace is not None
    failure = replay_heap(result.program, answer.trace, target)
    assert failure is not None and failure.kind == "assertion"
    steps = list(steps_of(answer.trace))
    (other,) = [step for step in steps if step[0] == 2 and step[1].edge.span.line == 4][:1]
    inside = next(n for n, (_, step) in enumerate(steps) if step.edge.keeps)
    moved = [*steps[: inside + 1], other, *(step for step in steps[inside + 1 :] if step is not other)]
    with pytest.raises(InternalError, match="thread 2 runs inside an atomic region of thread 1"):
        replay_heap(result.program, trace_of(moved), target)
