"""Answers about what was not reached: bounds, reductions, budgets and proofs, each taken for no more than it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster import Bound, Evidence, Reach
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.decide.conclusions.case import Case
from knaster.decide.conclusions.proofs import _wants_reduction, answer_by_proof, statements_never_reached
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.card import SymbolicOptions
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.answers.answer import Unknown, Unreachable
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse
from knaster.frontends.zing import parse as parse_model
from knaster.program.model import Program
from knaster.transform.reduction import Effect, Reduction

PROGRAM = parse("decl g; init(!g);\nvoid main() begin g := F; if (g) then R: skip; fi Q: skip; end\n", "p.bp")
THREADS = parse(
    "decl g; init(!g);\nvoid main_1() begin skip; end\nvoid main_2() begin if (g) then R: skip; fi end\n", "t.bp"
)
(TARGET,) = resolve_targets(PROGRAM, "R")
(THREADED,) = resolve_targets(THREADS, "R")
THREE = Bound("switches", 3)
ON, OFF = Evidence(proofs=True), Evidence(proofs=False)


def task(program: Program = PROGRAM, bound: Bound | None = None) -> Task:
    targets = resolve_targets(program, "R")
    return Task(program, Reach(targets, bound=bound), Budget(), SymbolicOptions(), 1 << 12)


def nothing(**more: object) -> Findings:
    return Findings(frozenset(), None, {}, **more)  # type: ignore[arg-type]


def reduced(effect: Effect) -> Reduction:
    return Reduction(
        PROGRAM, PROGRAM, Reach((TARGET,)), effect, lambda target, trace: (target, trace), {TARGET: TARGET}
    )


def case(
    findings: Findings, evidence: Evidence = ON, asked: Task | None = None, effect: Effect | None = None, late: str = ""
) -> Case:
    return Case(asked or task(), findings, evidence, None if effect is None else reduced(effect), late)


def answer(given: Case) -> object:
    return answer_by_proof(given, given.task.targets)[0]


def test_a_proof_is_checked_and_kept() -> None:
    found, checked = answer_by_proof(case(nothing()), [TARGET])
    assert isinstance(found, Unreachable) and found.checked and found.bound is None and checked is not None
    assert found.proof is checked.proof


def test_a_bound_is_the_engines_or_that_of_runs_left_out() -> None:
    bounded = answer(case(nothing(bound=THREE)))
    assert isinstance(bounded, Unreachable) and bounded.bound == THREE and bounded.checked
    asked = task(bound=THREE)
    under = answer(case(nothing(), asked=asked, effect=Effect.UNDER))
    assert isinstance(under, Unreachable) and under.bound == THREE
    exact = answer(case(nothing(), asked=asked, effect=Effect.EXACT))
    assert isinstance(exact, Unreachable) and exact.bound is None
    own = answer(case(nothing(bound=Bound("switches", 1)), asked=asked, effect=Effect.UNDER))
    assert isinstance(own, Unreachable) and own.bound == Bound("switches", 1)


def test_runs_left_out_without_a_bound_prove_nothing() -> None:
    assert answer(case(nothing(), effect=Effect.UNDER)) == Unknown("only some of the runs were considered")


def test_a_budget_that_was_spent() -> None:
    late = "the time limit of 1 s was reached"
    assert answer(case(nothing(), late=late)) == Unknown(late)
    assert answer(case(nothing(), late=late, effect=Effect.UNDER)) == Unknown(late)
    assert answer(case(replace(nothing(), unknown=Undecided("too hard")))) == Unknown("too hard")
    assert answer(case(replace(nothing(), unknown=Undecided("too hard")), late=late)) == Unknown("too hard")
    bounded = answer(case(nothing(bound=THREE), late=late))
    assert bounded == Unreachable(None, THREE, unchecked=late, beyond=late)
    half = answer(case(replace(nothing(bound=THREE), unknown=Undecided("too hard"))))
    assert half == Unreachable(None, THREE, unchecked="too hard", beyond="too hard")
    over = answer(case(nothing(bound=THREE), late=late, effect=Effect.OVER))
    assert over == Unknown(late)


def test_a_check_that_was_switched_off() -> None:
    said = answer(case(nothing(), OFF))
    assert said == Unreachable(None, None, unchecked="its check was switched off")
    asked = task(bound=THREE)
    claimed = answer(case(nothing(), OFF, asked))
    assert isinstance(claimed, Unreachable) and claimed.bound == THREE  # nobody says that more was covered
    covered = answer(case(nothing(covered=5), OFF, asked))
    assert isinstance(covered, Unreachable) and covered.bound is None
    offered = summaries(task())
    shown = answer(case(offered, OFF))
    assert isinstance(shown, Unreachable) and shown.proof is not None and not shown.checked
    table = answer(case(replace(offered, rows=7), OFF))
    assert isinstance(table, Unreachable) and table.proof is None


def test_threads_within_a_bound_get_a_proof_where_it_is_wanted() -> None:
    asked = task(THREADS, Bound("switches", 1))
    found = answer(case(nothing(bound=Bound("switches", 1)), ON, asked))
    assert isinstance(found, Unreachable) and found.checked and found.bound == Bound("switches", 1)
    none = answer(case(nothing(bound=Bound("switches", 1)), Evidence(), asked))
    assert isinstance(none, Unreachable) and not none.checked and "--certify looks for one" in none.unchecked
    unbounded = answer(case(nothing(), ON, asked))
    assert (
        isinstance(unbounded, Unreachable) and not unbounded.checked and unbounded.unchecked == "this method gives none"
    )


@pytest.mark.parametrize(
    ("claimed", "holds"),
    [
        (Bound("switches", 1), True),
        (Bound("switches", 0), True),
        (Bound("switches", 2), False),
        (Bound("rounds", 1), False),
        (None, False),
    ],
)
def test_a_proof_within_a_bound_proves_no_more(
    claimed: Bound | None, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Proof:
        bound = Bound("switches", 1)

    class Fake:
        proof = Proof()

    monkeypatch.setattr("knaster.decide.conclusions.proofs.ensure_checked", lambda *given: Fake())
    given = case(nothing(proof=lambda: None, bound=claimed), asked=task(THREADS))
    if holds:
        found = answer(given)
        assert isinstance(found, Unreachable) and found.bound == claimed
    else:
        with pytest.raises(InternalError, match="the proof holds with"):
            answer(given)


def test_statements_that_no_run_reaches() -> None:
    findings = summaries(task())
    (line,) = [place for place in PROGRAM.statements_outside(findings.visited or ())]
    assert statements_never_reached(case(findings), None) == (line,)
    assert statements_never_reached(case(findings, OFF), None) == (line,)
    assert statements_never_reached(case(replace(findings, visited=None), OFF), None) is None
    assert statements_never_reached(case(findings, effect=Effect.EXACT), None) is None
    assert statements_never_reached(case(findings, late="late"), None) is None
    assert statements_never_reached(case(replace(findings, unknown=Undecided("why"))), None) is None


def test_the_proof_is_asked_about_statements_not_the_engine() -> None:
    """What the engine says it visited is not believed where a proof is at hand."""
    findings = summaries(task())
    assert findings.visited is not None
    skipped = next(place for place in findings.visited if place != TARGET.place)
    lying = replace(findings, visited=findings.visited - {skipped})
    honest = statements_never_reached(case(findings), None)
    assert statements_never_reached(case(lying), None) == honest
    alone = statements_never_reached(case(replace(lying, proof=None), OFF), None)
    assert alone is not None and (alone == honest or skipped in alone)


def test_an_engine_that_contradicts_itself() -> None:
    findings = summaries(task())
    assert findings.visited is not None
    everywhere = replace(findings, visited=findings.visited | {TARGET.place})
    with pytest.raises(InternalError, match="contradicts itself about 'R'"):
        statements_never_reached(case(everywhere), None)
    doubtful = replace(everywhere, doubtful={TARGET: "nobody knows"})
    assert statements_never_reached(case(doubtful), None) is not None


def test_a_second_opinion_says_what_was_visited() -> None:
    given = case(nothing())
    _, checked = answer_by_proof(given, [TARGET])
    assert given.derived is not None and checked is not None
    assert statements_never_reached(given, checked) == statements_never_reached(case(summaries(task())), None)


def test_a_reduction_is_wanted_for_threads_within_a_bound_alone() -> None:
    one, asked = Bound("switches", 1), task(THREADS, Bound("switches", 1))
    assert _wants_reduction(case(nothing(bound=one), ON, asked))
    assert _wants_reduction(case(nothing(bound=Bound("rounds", 1)), ON, asked))
    assert not _wants_reduction(case(nothing(bound=Bound("delays", 1)), ON, asked))
    assert not _wants_reduction(case(nothing(), ON, asked))
    assert not _wants_reduction(case(nothing(bound=one), Evidence(), asked))
    assert not _wants_reduction(case(nothing(bound=one), ON, task(bound=one)))
    assert not _wants_reduction(case(nothing(bound=one), ON, asked, Effect.EXACT))
    assert not _wants_reduction(case(nothing(bound=one, proof=lambda: None), ON, asked))
    model = parse_model("class Main { activate static void main() { async f(); } static void f() { } };\n", "m.zing")
    assert model.is_threaded
    on_models = replace(asked, program=model)
    assert not _wants_reduction(case(nothing(bound=one), ON, on_models))


def test_what_the_engine_visited_comes_before_the_second_opinion() -> None:
    findings = summaries(task())
    given = case(nothing(), OFF)
    given.derived = findings
    assert findings.visited is not None
    assert statements_never_reached(given, None) == PROGRAM.statements_outside(findings.visited)
    more = frozenset(place for place in findings.visited if place != ("main", 0))
    own = case(replace(nothing(), visited=more), OFF)
    own.derived = findings
    assert statements_never_reached(own, None) == PROGRAM.statements_outside(more)


def test_no_second_opinion_is_asked_for_the_sake_of_statements() -> None:
    findings = replace(summaries(task()), proof=None)
    given = case(findings, ON)
    assert statements_never_reached(given, None) == PROGRAM.statements_outside(findings.visited or ())
    assert given.derived is None
    given.derived = summaries(task())
    lying = replace(findings, visited=frozenset())
    told = case(lying, ON)
    told.derived = given.derived
    assert statements_never_reached(told, None) == statements_never_reached(given, None)
