"""Answers about what was reached: which traces are made and replayed, and what is said without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

import knaster
from knaster import Bound, Evidence, Reach
from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.decide.conclusions.case import Case
from knaster.decide.conclusions.runs import answers_by_runs
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.card import SymbolicOptions
from knaster.engines.contract import Findings, Mistake, Task, Undecided
from knaster.evidence.answers.answer import Reachable, Unknown
from knaster.evidence.questions.question import Target
from knaster.evidence.questions.targets import resolve_targets
from knaster.evidence.traces.trace import Trace
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.transform.reduction import Effect, Reduction

PROGRAM = parse("decl g; init(!g);\nvoid main() begin Q: g := T; if (g) then R: skip; fi end\n", "p.bp")
TARGETS = resolve_targets(PROGRAM, ["Q", "R"])
NULL = "class C { C f; };\nclass Main { static C g; activate static void main() { g.f = null; } };\n"
ON, OFF = Evidence(traces=True), Evidence(traces=False)


def task(program: Program = PROGRAM, targets: Sequence[Target] = TARGETS) -> Task:
    return Task(program, Reach(tuple(targets)), Budget(), SymbolicOptions(), 1 << 12)


class Asked:
    """Findings whose traces note which of them are wanted."""

    def __init__(self, traces: dict[Target, Trace]) -> None:
        self.traces, self.wanted = traces, list[Target]()

    def __call__(self, targets: Sequence[Target]) -> dict[Target, Trace]:
        self.wanted += targets
        return {target: self.traces[target] for target in targets if target in self.traces}


def found(**more: object) -> tuple[Findings, Asked]:
    findings = summaries(task())
    assert findings.traces is not None
    asked = Asked(dict(findings.traces(TARGETS)))
    return replace(findings, traces=asked, **more), asked  # type: ignore[arg-type]


def test_every_trace_is_replayed_where_all_are_wanted() -> None:
    findings, asked = found()
    answers = answers_by_runs(Case(task(), findings, ON, None), TARGETS)
    assert asked.wanted == list(TARGETS)
    assert all(isinstance(answer, Reachable) and answer.checked and answer.trace for answer in answers.values())


def test_one_trace_where_the_first_is_enough() -> None:
    findings, asked = found()
    answers = answers_by_runs(Case(replace(task(), question=Reach(TARGETS, first=True)), findings, ON, None), TARGETS)
    assert asked.wanted == [TARGETS[0]]
    first, second = (answers[target] for target in TARGETS)
    assert isinstance(first, Reachable) and first.checked
    assert second == Reachable(None, unchecked="only one was asked for")


def test_no_trace_where_none_is_wanted() -> None:
    findings, asked = found()
    answers = answers_by_runs(Case(task(), findings, OFF, None), TARGETS)
    assert asked.wanted == []
    assert set(answers.values()) == {Reachable(None, unchecked="none was asked for")}
    assert answers_by_runs(Case(task(), findings, ON, None), ()) == {}


def test_after_the_end_of_the_budget_a_replay_still_counts() -> None:
    findings, asked = found()
    late = answers_by_runs(Case(task(), findings, OFF, None, "late"), TARGETS)
    assert set(late.values()) == {Unknown("late")} and asked.wanted == []
    replayed = answers_by_runs(Case(task(), findings, ON, None, "late"), TARGETS)
    assert all(isinstance(answer, Reachable) and answer.checked for answer in replayed.values())


def test_a_trace_that_takes_too_long() -> None:
    def never(targets: Sequence[Target]) -> dict[Target, Trace]:
        raise OutOfBudget("time is over")

    findings = replace(found()[0], traces=never)
    case = Case(task(), findings, ON, None)
    assert set(answers_by_runs(case, TARGETS).values()) == {Reachable(None, unchecked="time is over")}
    assert case.notes == ["no trace: time is over"]
    late = Case(task(), findings, ON, None, "late")
    assert set(answers_by_runs(late, TARGETS).values()) == {Unknown("late")}


def test_a_trace_that_is_missing_or_leads_elsewhere() -> None:
    findings, asked = found()
    one, two = TARGETS
    asked.traces = {one: asked.traces[one]}
    with pytest.raises(InternalError, match="there is no trace to it"):
        answers_by_runs(Case(task(), findings, ON, None), TARGETS)
    asked.traces = {one: asked.traces[one], two: asked.traces[one]}
    with pytest.raises(Mistake):
        answers_by_runs(Case(task(), findings, ON, None), TARGETS)


def test_the_least_number_is_that_of_the_trace() -> None:
    one = TARGETS[0]
    findings, _ = found(least={one: 0})
    answer = answers_by_runs(Case(task(), findings, ON, None), [one])[one]
    assert isinstance(answer, Reachable) and answer.least == 0
    findings, _ = found(least={one: 1})
    for bound in (None, Bound("switches", 2), Bound("rounds", 2)):
        asked = replace(task(), question=Reach(TARGETS, bound=bound))
        if bound == Bound("rounds", 2):  # a run of one thread takes one round
            assert answers_by_runs(Case(asked, findings, ON, None), [one])[one].least == 1  # type: ignore[union-attr]
            continue
        with pytest.raises(Mistake, match="is said to need 1, but its trace needs 0"):
            answers_by_runs(Case(asked, findings, ON, None), [one])


def test_traces_of_an_engine_that_gives_none_are_derived() -> None:
    silent = Findings(frozenset(TARGETS), None, {})
    answers = answers_by_runs(Case(task(), silent, ON, None), TARGETS)
    assert all(isinstance(answer, Reachable) and answer.checked for answer in answers.values())
    spent = Case(task(), silent, ON, None, derived=Findings(frozenset(), Undecided("too hard"), {}))
    assert set(answers_by_runs(spent, TARGETS).values()) == {Reachable(None, unchecked="too hard")}
    half = replace(found()[0], unknown=Undecided("too hard"))  # it reached all that was asked for
    answers = answers_by_runs(Case(task(), silent, ON, None, derived=half), TARGETS)
    assert all(isinstance(answer, Reachable) and answer.checked for answer in answers.values())


def test_an_engine_that_gives_no_trace_and_is_wrong() -> None:
    program = parse("decl g; init(!g);\nvoid main() begin g := F; if (g) then R: skip; fi end\n", "p.bp")
    targets = resolve_targets(program, ["R"])
    with pytest.raises(InternalError, match="'R' is reachable; a proof that it is not was checked"):
        answers_by_runs(Case(task(program, targets), Findings(frozenset(targets), None, {}), ON, None), targets)


def test_threads_have_no_second_opinion() -> None:
    program = parse("decl g;\nvoid main_1() begin R: skip; end\nvoid main_2() begin skip; end\n", "t.bp")
    targets = resolve_targets(program, ["R"])
    case = Case(task(program, targets), Findings(frozenset(targets), None, {}), ON, None)
    assert set(answers_by_runs(case, targets).values()) == {Reachable(None, unchecked="this method gives none")}


def reduced(effect: Effect, wrong: bool = False, broken: bool = False) -> Reduction:
    """Return a reduction to the program itself; its way back may lead to the other target, or to no run at all."""
    one, two = TARGETS

    def back(target: Target, trace: Trace) -> tuple[Target, Trace]:
        if broken:
            raise InternalError("this is no run of the program")
        return (two if target == one else one) if wrong else target, trace

    return Reduction(PROGRAM, PROGRAM, Reach(TARGETS), effect, back, {target: target for target in TARGETS})


def test_a_run_is_taken_back_through_a_reduction() -> None:
    one = TARGETS[0]
    for effect in (Effect.EXACT, Effect.OVER, Effect.UNDER):
        answer = answers_by_runs(Case(task(), found()[0], ON, reduced(effect)), [one])[one]
        assert isinstance(answer, Reachable) and answer.checked and answer.trace is not None
    for wrong, broken, said in ((True, False, "another target"), (False, True, "no run of the program")):
        for effect in (Effect.EXACT, Effect.UNDER):
            with pytest.raises(Mistake, match=said):
                answers_by_runs(Case(task(), found()[0], ON, reduced(effect, wrong, broken)), [one])
        over = answers_by_runs(Case(task(), found()[0], ON, reduced(Effect.OVER, wrong, broken)), [one])[one]
        assert over == Unknown("a run of the abstraction is none of the program")


def test_what_an_abstraction_reaches_is_replayed_also_where_no_trace_is_wanted() -> None:
    one, two = TARGETS
    quiet = Case(task(), found()[0], OFF, reduced(Effect.OVER, broken=True))
    assert answers_by_runs(quiet, [one])[one] == Unknown("a run of the abstraction is none of the program")
    said = answers_by_runs(Case(task(), found()[0], OFF, reduced(Effect.OVER)), [one])[one]
    assert isinstance(said, Reachable) and said.checked and said.trace is None
    first = Task(PROGRAM, Reach(tuple(TARGETS), first=True), Budget(), SymbolicOptions(), 1 << 12)
    answers = answers_by_runs(Case(first, found()[0], ON, reduced(Effect.OVER)), [one, two])
    assert isinstance(answers[one], Reachable) and isinstance(answers[two], Unknown)


def test_of_a_model_it_is_said_how_it_fails_without_a_trace() -> None:
    whole = knaster.check(NULL, file="m.zing", question="null-dereference")
    ((target, answer),) = whole.answers
    assert isinstance(answer, Reachable) and answer.trace is not None and answer.failure is not None
    asked = Asked({target: answer.trace})
    findings = Findings(frozenset({target}), None, {}, traces=asked)
    quiet = Case(task(whole.program, [target]), findings, OFF, None)
    said = answers_by_runs(quiet, [target])[target]
    assert isinstance(said, Reachable) and said.trace is None and said.failure == answer.failure and said.checked
    late = Case(task(whole.program, [target]), findings, OFF, None, "late")
    assert answers_by_runs(late, [target])[target] == Unknown("late")
