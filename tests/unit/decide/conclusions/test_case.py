"""A case in which the engine shows nothing: the second opinion vouches for it, or refutes it with evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster import Evidence, Reach
from knaster.base.errors import DisagreementError, InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.checked import Checked, check_excludes
from knaster.decide.conclusions.case import DERIVED, Case, ensure_checked
from knaster.engines.boolean.summaries.engine import summaries
from knaster.engines.card import SymbolicOptions
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse

PROGRAM = parse("decl g;\nvoid main() begin g := F; if (g) then R: skip; fi Q: skip; end\n", "p.bp")
(NEVER,), (ALWAYS,) = (resolve_targets(PROGRAM, name) for name in ("R", "Q"))
NOTHING = Findings(frozenset(), None, {})


def case(author: str = "") -> Case:
    task = Task(PROGRAM, Reach((NEVER, ALWAYS)), Budget(), SymbolicOptions(), 1 << 12)
    return Case(task, replace(NOTHING, author=author), Evidence(), None)


def test_a_second_opinion_is_asked_once_and_named() -> None:
    given = case()
    assert given.derive() is given.derive() and given.notes == [DERIVED]


def test_what_is_said_to_be_reachable_is_refuted_by_a_proof() -> None:
    with pytest.raises(InternalError, match="'R' is reachable; a proof that it is not was checked"):
        case().refute(NEVER, "reachable")
    with pytest.raises(DisagreementError) as raised:
        case("somebody").refute(NEVER, "reachable")
    assert raised.value.evidence == (PROGRAM, NEVER, None)


def test_what_is_said_to_be_unreachable_is_refuted_by_a_run() -> None:
    with pytest.raises(InternalError, match="'Q' is unreachable; a trace that reaches it was replayed"):
        case().refute(ALWAYS, "unreachable")
    with pytest.raises(InternalError, match="'Q' is unreachable"):
        case().proof([NEVER, ALWAYS])
    with pytest.raises(DisagreementError) as raised:
        case("somebody").refute(ALWAYS, "unreachable")
    assert raised.value.evidence[2] is not None


def test_a_second_opinion_that_is_none() -> None:
    given = case()
    given.derived = replace(NOTHING, unknown=Undecided("too hard"))
    with pytest.raises(OutOfBudget, match="too hard"):
        given.proof([NEVER])


def test_what_was_checked_is_believed_as_far_as_it_goes() -> None:
    """A proof that was checked for no target excludes none before it is checked again."""
    task = case().task
    offered = summaries(task).proof
    assert offered is not None
    proof = offered()
    proof = proof.proof if isinstance(proof, Checked) else proof
    whole, nothing = (check_excludes(proof, PROGRAM, targets, Budget()) for targets in ([NEVER], []))
    assert ensure_checked(whole, task, [NEVER]) is whole
    assert ensure_checked(nothing, task, [NEVER]).targets == {NEVER}
    with pytest.raises(InternalError):
        ensure_checked(whole, task, [ALWAYS])
