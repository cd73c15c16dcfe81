"""A run of the whole program along a run of a part."""

from __future__ import annotations

import pytest

import knaster
from knaster.checkers.runs.replay import replay
from knaster.engines.integers.tabulation_traces import RunFinder
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Program
from knaster.semantics.tabulation import Tabulation
from knaster.transform.cones import guided_run
from knaster.transform.cones.guided_run import LostRun, follow_run
from knaster.transform.cones.reduction import ConeReduction

TEXT = """_Bool in(void);
void abort(void);
int a, b;
void other(void) { while (b < 5) b = b + 1; }
int main(void) { _Bool x = in(), y = in(); other(); FILTER a = x; assert(a == 0); return 0; }
"""


def run_of_part(filter: str) -> tuple[Program, ConeReduction, Target, Trace]:
    result = knaster.check(TEXT.replace("FILTER", filter), file="x.c", engine="search")
    target = result.answers[0][0]
    part = ConeReduction(result.program, Reach((target,)))
    table = Tabulation(part.part, [target.place], lambda: None)
    table.explore(1_000)
    return result.program, part, target, RunFinder(table).trace(table.found[0])


def test_inputs_that_matter_are_the_same_and_the_rest_runs_along() -> None:
    program, part, target, trace = run_of_part("")
    assert "b" not in part.part.globals
    run = follow_run(program, part.part, trace, target.place)
    replay(program, run, target)
    assert isinstance(run, Trace) and len(list(run.visits(1_000))) > len(list(trace.visits(1_000)))


def test_a_run_that_gets_lost_says_at_which_branch() -> None:
    program, part, target, trace = run_of_part("if (!y) abort();")
    with pytest.raises(LostRun) as lost:
        follow_run(program, part.part, trace, target.place)
    assert lost.value.branch is not None and lost.value.branch[0] == "main"
    larger = ConeReduction(program, Reach((target,)), [lost.value.branch])
    assert lost.value.branch in larger.cone.branches


def test_a_run_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guided_run, "STEPS", 100)
    program, part, target, trace = run_of_part("while (b == 5) ;")
    with pytest.raises(LostRun):
        follow_run(program, part.part, trace, target.place)


def test_the_answer_is_right_all_the_same() -> None:
    for filter, reachable in (("", True), ("if (!y) abort();", True), ("while (b == 5) ;", False)):
        result = knaster.check(TEXT.replace("FILTER", filter), file="x.c")
        assert isinstance(result.answers[0][1], Reachable) is reachable
