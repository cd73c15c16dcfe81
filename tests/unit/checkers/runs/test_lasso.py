"""The check of a run that never ends: the cycle begins where the stem stops, and comes back to the same state."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.runs.lasso import check_lasso
from knaster.evidence.answers.answer import Diverges
from knaster.evidence.traces.lasso import Lasso, Recurrence
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.expression import Compare, Comparison, Const, Var
from support.kinds_of_proofs import result_with

PROGRAM = result_with("lasso").program


def lasso() -> Lasso:
    ((_, answer),) = result_with("lasso").answers
    assert isinstance(answer, Diverges) and answer.lasso is not None
    return answer.lasso


def refused(given: Lasso, problem: str) -> None:
    with pytest.raises(InternalError, match=problem):
        check_lasso(given, PROGRAM, Budget())


def test_what_was_found_is_a_run() -> None:
    check_lasso(lasso(), PROGRAM, Budget())


def test_a_cycle_that_is_none() -> None:
    (path,) = lasso().cycle.paths
    refused(replace(lasso(), cycle=Trace.sequential((), 1)), "one thread")
    refused(replace(lasso(), cycle=Trace.sequential((replace(path, steps=()),), 1)), "no step")
    refused(replace(lasso(), cycle=Trace.sequential((replace(path, steps=path.steps[:1]),), 1)), "end where it began")
    refused(replace(lasso(), cycle=Trace.sequential((replace(path, begin=2),), 1)), "where the stem stops")
    refused(replace(lasso(), deeper=True), "wrong about the stack")


def test_a_stem_that_stops_elsewhere() -> None:
    (path,) = lasso().stem.paths
    shorter = Path(path.procedure, path.start, path.steps[:1], path.begin)
    refused(replace(lasso(), stem=Trace.sequential((shorter,), 1)), "the cycle does not begin")


def test_the_cycle_stays_in_its_set() -> None:
    positive = Compare(Comparison.AT_LEAST, Var("x"), Const(1))
    outside = Compare(Comparison.AT_LEAST, Var("x"), Const(2))
    refused(replace(lasso(), recurs=Recurrence(outside)), "leaves the set")
    pytest.importorskip("z3")
    refused(replace(lasso(), recurs=Recurrence(positive)), "not recurrent")  # 2 & 1 is 0
    one = Compare(Comparison.EQUAL, Var("x"), Const(1))
    check_lasso(replace(lasso(), recurs=Recurrence(one)), PROGRAM, Budget())
