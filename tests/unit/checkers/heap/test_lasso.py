"""Runs of models that never end: a run of another kind, of other threads, or with a step less is refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.heap.lasso import check_heap_lasso
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.questions.properties import property_named
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Segment, Trace
from knaster.program.model import Program

BUSY = """class Main {
  static bool stop;
  static bool x;
  activate static void one() { while (!stop) { L: x = !x; } }
  activate static void two() { stop = true; }
};
"""


def lasso() -> tuple[Lasso, Program]:
    result = knaster.check(BUSY, property="termination", file="a.zing")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    return answer.lasso, result.program


def shorter(trace: Trace) -> Trace:
    first, *others = trace.segments[0].paths
    less = replace(first, steps=first.steps[:-1])
    return replace(trace, segments=(Segment(trace.segments[0].thread, (less, *others)), *trace.segments[1:]))


def test_a_run_that_was_found_is_one() -> None:
    run, program = lasso()
    check_heap_lasso(run, program, Termination())


def test_wrong_runs_are_refused() -> None:
    run, program = lasso()
    for wrong in (
        replace(run, cycle=shorter(run.cycle)),
        replace(run, stays=True),
        replace(run, waits=True),
        replace(run, deeper=True),
        replace(run, cycle=Trace((Segment(2, run.cycle.paths),), run.cycle.location)),
    ):
        with pytest.raises(InternalError):
            check_heap_lasso(wrong, program, Termination())


def test_an_unfair_run_does_not_count() -> None:
    run, program = lasso()
    for fair in ("weak", "strong"):
        with pytest.raises(InternalError, match="fair"):
            check_heap_lasso(run, program, Termination(fair=fair))


def test_the_formula_is_evaluated() -> None:
    run, program = lasso()
    wrong = property_named("G F at(L)").question
    assert isinstance(wrong, Temporal)
    with pytest.raises(InternalError, match="holds"):
        check_heap_lasso(run, program, wrong)


def found(text: str, asked: str) -> tuple[Lasso, Program]:
    result = knaster.check(text, property=asked, file="a.zing")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    return answer.lasso, result.program


DEEPER = "class Main { static void f(bool b) { f(!b); } activate static void main() { f(true); } };"


def test_a_run_that_goes_deeper_sees_the_same_again() -> None:
    """Of two calls the first leads to a frame with another value, so it is no cycle."""
    run, program = found(DEEPER, "termination")
    assert run.deeper
    check_heap_lasso(run, program, Termination())
    (segment,) = run.cycle.segments
    one, _, last = segment.paths
    half = replace(run, cycle=replace(run.cycle, segments=(Segment(segment.thread, (one, last)),)))
    with pytest.raises(InternalError, match="sees something else"):
        check_heap_lasso(half, program, Termination())
    with pytest.raises(InternalError, match="another state"):
        check_heap_lasso(replace(run, deeper=False), program, Termination())


@pytest.mark.parametrize(
    ("rest", "waits"), [("if (x) { L: x = true; }", False), ("select { wait(x) -> ; } L: ;", True)]
)
def test_whether_a_run_that_stays_waits(rest: str, waits: bool) -> None:
    text = f"class Main {{ static bool x; activate static void main() {{ {rest} }} }};"
    run, program = found(text, "F at(L)")
    question = property_named("F at(L)").question
    assert isinstance(question, Temporal) and run.stays and run.waits is waits
    check_heap_lasso(run, program, question)
    with pytest.raises(InternalError, match="wrong about its end"):
        check_heap_lasso(replace(run, waits=not waits), program, question)
