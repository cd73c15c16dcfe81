"""Infinite runs of threads: those that are none, are not fair, or violate nothing, are refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.automata.ltl_parser import parse_ltl
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.runs.thread_lasso import (
    Event,
    _with_beginnings,
    check_saved_lasso,
    check_thread_lasso,
    events,
    follow,
    word_of,
)
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.proofs.threads.thread_lasso import ThreadLasso
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso, Recurrence
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.expression import TRUE
from knaster.program.model import Program
from knaster.program.state import State
from knaster.semantics.thread_graph import ThreadGraph
from knaster.semantics.threads import UNBEGUN

BUSY = "decl x := 0; void main_1() begin while (!x) do skip; od end void main_2() begin x := 1; end\n"
DEADLOCK = "decl x := 0; void main_1() begin assume(x); end void main_2() begin f(); end void f() begin skip; end\n"


def lasso(text: str, asked: str) -> tuple[Lasso, Program]:
    result = knaster.check(text, property=asked)
    ((_, answer),) = result.answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    return answer.lasso, result.program


def test_a_run_that_is_not_fair_does_not_count() -> None:
    run, program = lasso(BUSY, "termination")
    check_thread_lasso(run, program, Termination())
    for fair in ("weak", "strong"):
        with pytest.raises(InternalError, match="fair"):
            check_thread_lasso(run, program, Termination(fair=fair))


def test_a_run_that_violates_nothing_or_goes_elsewhere() -> None:
    run, program = lasso(BUSY, "F ended")
    check_thread_lasso(run, program, Temporal(parse_ltl("F ended")))
    with pytest.raises(InternalError):
        check_thread_lasso(run, program, Temporal(parse_ltl("G !ended")))
    for wrong in (replace(run, stays=True), replace(run, waits=True), replace(run, deeper=True)):
        with pytest.raises(InternalError):
            check_thread_lasso(wrong, program, Temporal(parse_ltl("F ended")))
    segments = run.cycle.segments
    path = segments[0].paths[0]
    shorter = replace(path, steps=path.steps[:-1])
    cut = replace(run, cycle=replace(run.cycle, segments=(replace(segments[0], paths=(shorter,)), *segments[1:])))
    with pytest.raises(InternalError):
        check_thread_lasso(cut, program, Temporal(parse_ltl("F ended")))


def test_a_deadlock_is_no_end() -> None:
    run, program = lasso(DEADLOCK, "F ended")
    question = Temporal(parse_ltl("F ended"))
    check_thread_lasso(run, program, question)
    with pytest.raises(InternalError):
        check_thread_lasso(replace(run, waits=False), program, question)
    with pytest.raises(InternalError):
        check_thread_lasso(run, program, Termination())


def test_a_run_with_a_recurrent_set_and_one_that_stays_deeper() -> None:
    run, program = lasso(BUSY, "termination")
    with pytest.raises(InternalError, match="comes back to the same configuration"):
        check_thread_lasso(replace(run, recurs=Recurrence(TRUE)), program, Termination())
    stays, program = lasso(DEADLOCK, "F ended")
    with pytest.raises(InternalError, match="comes back to the same configuration"):
        check_thread_lasso(replace(stays, deeper=True), program, Temporal(parse_ltl("F ended")))


def test_a_saved_run_is_one_of_its_program_and_among_those_that_count() -> None:
    run, program = lasso(BUSY, "termination")
    check_saved_lasso(ThreadLasso(program, run, Termination()), program, Budget())
    for proof, asked in (
        (ThreadLasso(program, run, Termination()), parse(BUSY)),
        (ThreadLasso(program, replace(run, fair="weak"), Termination()), program),
    ):
        with pytest.raises(InternalError, match="another program, or one that does not count"):
            check_saved_lasso(proof, asked, Budget())


@pytest.mark.parametrize(("text", "letters"), [(BUSY, 2), (DEADLOCK, 1)])
def test_the_word_of_a_run(text: str, letters: int) -> None:
    run, program = lasso(text, "F ended")
    word = word_of(run, program, meanings_of(program, Temporal(parse_ltl("F ended"))))
    assert word.cycle == (frozenset(),) * letters


DEEPER = """decl x := 0; void main_1() begin f(); end
void f() begin x := !x; x := !x; f(); end
void main_2() begin while (*) do skip; od end
"""


def test_a_cycle_that_goes_deeper_is_one_of_a_single_thread() -> None:
    run, program = lasso(DEEPER, "termination")
    assert run.deeper
    check_thread_lasso(run, program, Termination())
    with pytest.raises(InternalError, match="does not come back"):
        check_thread_lasso(replace(run, deeper=False), program, Termination())
    loop = program.procedure("main_2")
    first = loop.leaving[loop.entry][0]
    second = loop.leaving[first.target][0]
    state = run.cycle.paths[-1].end
    beside = Segment(2, (Path("main_2", state, (Step(first, state), Step(second, state))),))
    both = replace(run, cycle=replace(run.cycle, segments=(*run.cycle.segments, beside)))
    with pytest.raises(InternalError, match="does not come back"):
        check_thread_lasso(both, program, Termination())


CALLS = """decl x;
void main_1() begin x := 1; f(); h(); x := 0; end
void f() begin x := 0; x := 1; end
void h() begin f(); end
void main_2() begin end_thread; end
"""
OFF: State = {"x": False}
ON: State = {"x": True}


def test_moves_are_told_alike_whether_calls_are_folded_or_not() -> None:
    program = parse(CALLS)
    write, call, deeper, last, *_ = program.procedure("main_1").edges
    (clear, put, *_), (inner, *_) = program.procedure("f").edges, program.procedure("h").edges
    inside = Path("f", ON, (Step(clear, OFF), Step(put, ON)))
    nested = Path("h", ON, (Step(inner, ON, inside),))
    folded = [Path("main_1", OFF, (Step(write, ON), Step(call, ON, inside), Step(deeper, ON, nested), Step(last, OFF)))]
    told = [
        Event(0, write, OFF, ON),
        Event(0, call, ON, ON),
        Event(0, clear, ON, OFF),
        Event(0, put, OFF, ON),
        Event(0, None, None, ON),
        Event(0, deeper, ON, ON),
        Event(0, inner, ON, ON),
        Event(0, clear, ON, OFF),
        Event(0, put, OFF, ON),
        Event(0, None, None, ON),
        Event(0, None, None, ON),
        Event(0, last, ON, OFF),
    ]
    entering = Path("main_1", OFF, (Step(write, ON), Step(call, ON)))
    between = Path("main_1", ON, (Step(deeper, ON),), deeper.source)
    rest = Path("main_1", ON, (Step(last, OFF),), last.source)
    returned = Path("h", ON, (), inner.target)
    open_calls = [
        [entering, inside, between, nested, rest],
        [entering, inside, between, Path("h", ON, (Step(inner, ON),)), inside, returned, rest],
    ]
    for paths in (folded, *open_calls):
        assert list(events(Trace((Segment(1, tuple(paths)),), 0))) == told
    cut = (entering, Path("f", ON, (Step(clear, OFF),)), Path("main_1", OFF, (), deeper.source))
    assert list(events(Trace((Segment(1, cut),), 0))) == [*told[:3], Event(0, None, None, OFF)]
    (end, *_) = program.procedure("main_2").edges
    assert list(events(Trace((Segment(2, (Path("main_2", OFF, (Step(end, OFF),)),)),), 0))) == [
        Event(1, end, OFF, None)
    ]
    with pytest.raises(InternalError, match="stops inside a call"):
        list(events(Trace((Segment(1, (entering,)),), 0)))


def test_a_move_is_that_of_the_thread_the_edge_and_the_states_that_are_told() -> None:
    program = parse("decl x; void main_1() begin if (*) then x := 1; else x := 1; fi end void main_2() begin skip; end")
    graph = ThreadGraph(program)
    main = program.procedure("main_1")
    one, other = main.leaving[main.entry]
    passed, after = follow(graph, set(graph.starts()), [Event(0, one, OFF, OFF)])
    assert [{node.shared for node in nodes} for nodes, _ in passed] == [{(False,)}]
    assert {node.stacks[0][-1].location for node in after} == {one.target}
    for wrong in (Event(1, one, OFF, OFF), Event(0, one, OFF, ON), Event(0, other, ON, None)):
        with pytest.raises(InternalError, match="cannot make a move"):
            follow(graph, set(graph.starts()), [wrong])


def test_threads_that_move_no_more_may_have_begun_with_any_locals() -> None:
    text = "decl x := 0; void main_1() begin atomic_begin; skip; end void main_2() begin decl l; assume(l); end\n"
    graph = ThreadGraph(parse(text))
    start = next(start for start in graph.starts() if start.stacks[1][-1].location == UNBEGUN)
    begun = _with_beginnings(graph, {start}, {0})
    assert start in begun and {node.stacks[1][-1].frame for node in begun - {start}} == {(False,), (True,)}
    assert _with_beginnings(graph, {start}, {0, 1}) == {start}
    inside = {graph.node(move.after) for move in graph.moves(start) if move.thread == 0}
    assert all(map(graph.is_inside, inside)) and _with_beginnings(graph, inside, {0}) == inside
