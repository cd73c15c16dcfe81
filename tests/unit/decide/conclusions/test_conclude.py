"""Conclusions: what was not asked for, and what was found after the budget was spent, is no answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster import Evidence, Reach, Termination
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.decide.conclusions.conclude import conclude
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.card import SymbolicOptions
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.answers.answer import Terminates, Unknown, Unreachable
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse

PROGRAM = parse("decl g; init(!g);\nvoid main() begin g := F; if (g) then R: skip; fi Q: skip; end\n", "p.bp")
Q, R = resolve_targets(PROGRAM, ["Q", "R"])


class Spent(Budget):
    """A budget of which an engine took no notice."""

    def overdrawn(self) -> str:
        return "the time limit was reached"


def task(budget: Budget | None = None) -> Task:
    return Task(PROGRAM, Reach((R,)), budget or Budget(), SymbolicOptions(), 1 << 12)


def nothing() -> Findings:
    return Findings(frozenset(), None, {})


def test_what_is_found_after_the_end_of_the_budget_is_not_known() -> None:
    ((_, answer),) = conclude(task(Spent()), nothing(), Evidence(), Reach((R,))).answers
    assert answer == Unknown("the time limit was reached")
    ((_, answer),) = conclude(task(), nothing(), Evidence(), Reach((R,))).answers
    assert isinstance(answer, Unreachable) and answer.checked


def test_the_reason_of_the_engine_comes_first() -> None:
    undecided = replace(nothing(), unknown=Undecided("too hard"))
    for budget in (None, Spent()):
        ((_, answer),) = conclude(task(budget), undecided, Evidence(), Reach((R,))).answers
        assert answer == Unknown("too hard")


def test_only_what_was_asked_for_is_answered() -> None:
    with pytest.raises(InternalError, match="nobody asked for"):
        conclude(task(), replace(nothing(), reached=frozenset({Q})), Evidence(), Reach((R,)))
    with pytest.raises(InternalError, match="another question"):
        conclude(task(), replace(nothing(), ends=Terminates(None)), Evidence(), Reach((R,)))
    with pytest.raises(InternalError, match="other targets"):
        conclude(task(), nothing(), Evidence(), Reach((Q,)))
    with pytest.raises(InternalError, match="in no way"):
        conclude(task(), nothing(), Evidence(), Termination())


def test_what_is_doubtful_is_not_known() -> None:
    asked = replace(task(), question=Reach((Q, R)))
    found = replace(summaries(asked), doubtful={R: "nobody knows"})
    answers = dict(conclude(asked, found, Evidence(), Reach((Q, R))).answers)
    assert answers[R] == Unknown("nobody knows") and answers[Q].checked
