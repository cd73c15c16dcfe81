"""A proof within a bound by the sequential program: it is checked, and none where a target is reached."""

from __future__ import annotations

import pytest

from knaster import Bound, Reach
from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.decide.conclusions.bounded_proof import bounded_proof
from knaster.engines.card import SymbolicOptions
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse

THREADS = parse(
    "decl g; init(!g);\nvoid main_1() begin g := T; end\nvoid main_2() begin if (g) then R: skip; fi end\n", "t.bp"
)
(TARGET,) = resolve_targets(THREADS, "R")


def task(bound: Bound) -> Task:
    return Task(THREADS, Reach((TARGET,), bound=bound), Budget(), SymbolicOptions(), 1 << 12)


def test_a_bound_that_excludes_the_target() -> None:
    none = Bound("switches", 0)
    assert bounded_proof(task(none), [TARGET], none).bound == none


def test_a_bound_within_which_it_is_reached() -> None:
    one = Bound("switches", 1)
    with pytest.raises(InternalError, match="'R' is unreachable with at most 1 switch; a sequential program reaches"):
        bounded_proof(task(one), [TARGET], one)


@pytest.mark.parametrize("reached", [False, True])
def test_a_budget_that_ends_is_no_proof(reached: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was reached before the end refutes the claim all the same."""

    def spent(task: Task) -> Findings:
        return Findings(frozenset(task.targets) if reached else frozenset(), Undecided("too hard"), {})

    monkeypatch.setattr("knaster.decide.conclusions.bounded_proof.summaries", spent)
    one = Bound("switches", 1)
    with pytest.raises(InternalError if reached else OutOfBudget, match="reaches it" if reached else "too hard"):
        bounded_proof(task(one), [TARGET], one)
