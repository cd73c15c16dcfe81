"""Runs of models that never end: a run of another kind, of other threads, or with a step less is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.heap import lasso as heap_lasso
from knaster.checkers.heap.lasso import _see_deeper, _take, check_heap_lasso, fails_at_its_end, heap_word_of
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.questions.properties import property_named
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso, Recurrence
from knaster.evidence.traces.trace import Segment, Step, Trace
from knaster.program.expression import TRUE
from knaster.program.model import Call, Program
from knaster.semantics.heap.configuration import Frame
from knaster.semantics.heap.interpreter import Machine
from knaster.semantics.heap.run_graph import HeapGraph, HeapMove, HeapNode

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


@pytest.mark.slow
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


def test_no_recurrent_set_and_no_stay_that_goes_deeper() -> None:
    run, program = lasso()
    with pytest.raises(InternalError, match="comes back to the same state"):
        check_heap_lasso(replace(run, recurs=Recurrence(TRUE)), program, Termination())
    stays, program = found("class Main { static bool x; activate static void main() { x = true; } };", "G {!Main.x}")
    question = property_named("G {!Main.x}").question
    assert isinstance(question, Temporal)
    with pytest.raises(InternalError, match="comes back to the same state"):
        check_heap_lasso(replace(stays, deeper=True), program, question)


NULL = "class C {{ C f; }};\nclass Main {{ static C g; static bool x; activate static void main() {{ {} }} {} }};\n"


@pytest.mark.parametrize(
    ("body", "more", "fails"),
    [("x = true; g.f = null;", "", True), ("x = true; x = false;", "", False), ("g.f = null;", "", True)],
)
def test_a_step_that_fails_is_the_end(body: str, more: str, fails: bool) -> None:
    run, program = found(NULL.format(body, more), "G !ended")
    question = property_named("G !ended").question
    assert isinstance(question, Temporal) and run.stays
    check_heap_lasso(run, program, question)
    assert fails_at_its_end(run, program) is fails
    steps = sum(len(path.steps) for path in run.stem.paths)
    word = heap_word_of(run, program, {})
    assert (len(word.stem), len(word.cycle)) == (steps + fails, 1)
    if fails:
        with pytest.raises(InternalError, match="can go on"):
            check_heap_lasso(replace(run, waits=True), program, question)


def test_it_is_the_last_thread_that_fails() -> None:
    other = "activate static void two() { x = true; x = false; }"
    run, program = found(NULL.format("g.f = null;", other), "F {Main.x}")
    question = property_named("F {Main.x}").question
    assert isinstance(question, Temporal) and run.stays
    check_heap_lasso(run, program, question)
    (segment,) = run.stem.segments
    for thread in {1, 2} - {segment.thread}:
        elsewhere = replace(run.stem, segments=(Segment(thread, segment.paths),))
        with pytest.raises(InternalError, match="can go on"):
            check_heap_lasso(replace(run, stem=elsewhere), program, question)


def test_a_deeper_cycle_stays_above_where_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heap_lasso, "_visible", lambda node: 0)

    def node(*depths: int) -> Any:
        return SimpleNamespace(configuration=SimpleNamespace(threads=[[0] * depth for depth in depths]))

    _see_deeper(node(2), [node(2), node(3), node(2), node(4)], node(3))
    for begin, around, end in (
        (node(2, 1), [node(2, 1), node(3, 1)], node(4, 1)),
        (node(2), [node(2), node(1), node(3)], node(3)),
        (node(2), [node(2), node(3)], node(2)),
        (node(2), [node(2), node(3)], node(1)),
    ):
        with pytest.raises(InternalError, match="leaves the frame"):
            _see_deeper(begin, around, end)


SEVERAL = """class Main {
  static bool x; static bool y;
  activate static void one() { while (true) { atomic { x = true; x = false; } } }
  activate static void two() { int i; while (true) { i = 1; i = same(i); y = !y; } }
  activate static void three() { int j; j = 7; y = true; }
  static int same(int a) { return a; }
};
"""


def fair_run() -> tuple[Lasso, Program]:
    result = knaster.check(SEVERAL, property="termination", fair="weak", file="a.zing")
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    return answer.lasso, result.program


def test_a_fair_run_of_three_threads() -> None:
    run, program = fair_run()
    assert {segment.thread for segment in run.cycle.segments} >= {1, 2}
    check_heap_lasso(run, program, Termination(fair="weak"))
    for number, segment in enumerate(run.cycle.segments):
        for thread in {0, 1, 2, 3, 9} - {segment.thread}:
            other = Segment(thread, segment.paths)
            segments = (*run.cycle.segments[:number], other, *run.cycle.segments[number + 1 :])
            with pytest.raises(InternalError):
                check_heap_lasso(
                    replace(run, cycle=replace(run.cycle, segments=segments)), program, Termination(fair="weak")
                )


def frame_of(move: HeapMove) -> Frame:
    return move.after.configuration.threads[move.thread][-1]


def test_nobody_else_moves_inside_a_section_nor_after_a_failure() -> None:
    machine = Machine(knaster.parse(SEVERAL, file="a.zing"))
    graph = HeapGraph(machine.program)
    start = graph.starts()[0]
    first, *_ = [move for move in graph.moves(start) if move.thread == 1]
    step = Step(first.edge, {}, None)
    configuration = start.configuration
    for here in (HeapNode(configuration, 1, False), HeapNode(configuration, 0, True), HeapNode(configuration, 2, True)):
        with pytest.raises(InternalError, match="thread 2 cannot move"):
            _take(machine, here, 2, step)
    (begins,) = [move for move in graph.moves(start) if move.thread == 0]
    (enters,) = [move for move in graph.moves(begins.after) if move.thread == 0]
    state = enters.after.configuration.state(frame_of(enters))
    inside = _take(machine, begins.after, 1, Step(enters.edge, state, None))
    assert inside.inside == enters.after.inside == 1
    with pytest.raises(InternalError, match="thread 2 cannot move"):
        _take(machine, inside, 2, step)
    for here in (HeapNode(configuration, 0, False), HeapNode(configuration, 2, False)):
        with pytest.raises(InternalError, match="the state after line"):  # it may move, but not into an empty state
            _take(machine, here, 2, step)


def test_states_of_the_running_frame_are_compared() -> None:
    run, program = fair_run()
    changed = 0
    for number, segment in enumerate(run.cycle.segments):
        for at, path in enumerate(segment.paths):
            for index, step in enumerate(path.steps):
                if isinstance(step.edge.action, Call) or step.edge.target == program.procedure(path.procedure).exit:
                    continue
                other = replace(step, after={**step.after, "nobody": 1})
                steps = (*path.steps[:index], other, *path.steps[index + 1 :])
                paths = (*segment.paths[:at], replace(path, steps=steps), *segment.paths[at + 1 :])
                segments = (*run.cycle.segments[:number], Segment(segment.thread, paths))
                wrong = replace(run, cycle=replace(run.cycle, segments=(*segments, *run.cycle.segments[number + 1 :])))
                with pytest.raises(InternalError, match="is another one"):
                    check_heap_lasso(wrong, program, Termination(fair="weak"))
                changed += 1
    assert changed > 3


def test_a_failure_ends_a_section() -> None:
    text = (
        "class Main { static bool x; activate static void main() { atomic { x = true; assert(false); x = false; } } };"
    )
    run, program = found(text, "G !ended")
    question = property_named("G !ended").question
    assert isinstance(question, Temporal)
    check_heap_lasso(run, program, question)
