"""Infinite runs of threads: those that are none, are not fair, or violate nothing, are refused."""

from __future__ import annotations

import pytest

import knaster
from knaster.automata.ltl_parser import parse_ltl
from knaster.base.errors import InternalError
from knaster.base.records import replace
from knaster.checkers.runs.thread_lasso import check_thread_lasso
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.program.model import Program

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
