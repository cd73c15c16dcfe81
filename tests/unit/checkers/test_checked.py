"""`Checked`: made by checkers alone, believed as far as it goes, and then not checked again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.checked import Checked, check_ends, check_excludes
from knaster.decide.asked import Evidence
from knaster.decide.conclusions.conclude import conclude
from knaster.engines.contract import Findings, Task
from knaster.evidence.answers.answer import Result, Terminates, Unreachable
from knaster.evidence.proofs.table import Proof
from knaster.evidence.questions.question import Target
from support.kinds_of_proofs import ASKED, result_with

ABOUT_RUNS = (
    "memory_runs",
    "memory_paths",
    "ranking",
    "all_runs",
    "ranks",
    "fair_table",
    "fair_sets",
    "fair_effects",
    "fair_states",
    "thread_lasso",
    "lasso",
    "run",
)
EXCLUDING = [name for name in ASKED if name not in ABOUT_RUNS]


def parts_of(name: str) -> tuple[Result, Proof, list[Target]]:
    result = result_with(name)
    assert result.proof is not None
    return result, result.proof, [target for target, _ in result.answers]


@pytest.mark.parametrize("name", EXCLUDING)
def test_a_proof_is_checked_by_the_checker_of_its_kind(name: str) -> None:
    result, proof, targets = parts_of(name)
    checked = check_excludes(proof, result.program, targets, Budget())
    assert checked.proof is proof and checked.excludes(result.program, targets)
    assert checked.excludes(result.program, []) and not checked.shows_end(result.program, proof)
    assert not checked.excludes(result.program, [*targets, Target("other", "main", 0, 0)])
    assert not checked.excludes(replace(result.program), targets)
    if name in ("unrolling", "memory_states"):  # no run needs more turns, or comes back to a state: every run ends
        assert check_ends(proof, result.program, Budget()).shows_end(result.program, proof)
        return
    with pytest.raises(InternalError):
        check_ends(proof, result.program, Budget())


@pytest.mark.parametrize("name", ["ranking", "all_runs", "memory_runs", "memory_paths", "memory_states"])
def test_that_every_run_ends_is_checked(name: str) -> None:
    result, proof, _ = parts_of(name)
    checked = check_ends(proof, result.program, Budget())
    assert checked.shows_end(result.program, proof) and not checked.excludes(result.program, [])
    assert type(checked.how) is str and (checked.how != "") is (name in ("ranking", "memory_paths"))
    assert not checked.shows_end(replace(result.program), proof)


def test_what_is_no_proof_of_that() -> None:
    result, ranking, targets = parts_of("ranking")
    with pytest.raises(InternalError, match="no proof that something is unreachable"):
        check_excludes(ranking, result.program, targets, Budget())
    for wrong in (None, 7):
        with pytest.raises(InternalError, match="no proof"):
            check_excludes(wrong, result.program, targets, Budget())  # type: ignore[arg-type]


def counted(monkeypatch: pytest.MonkeyPatch, where: str) -> list[object]:
    """Return a list that grows with every call of a checker."""
    module, _, name = where.partition(":")
    calls: list[object] = []
    checker: Any = getattr(__import__(module, fromlist=[name]), name)

    def counting(proof: object, *rest: object) -> object:
        calls.append(proof)
        return checker(proof, *rest)

    monkeypatch.setattr(module + "." + name, counting)
    return calls


def test_conclude_checks_what_is_not_checked_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    result, proof, targets = parts_of("path_edges")
    from knaster.evidence.proofs.table import kind_of

    kind = kind_of(proof)
    assert kind is not None
    checked = check_excludes(proof, result.program, targets, Budget())
    elsewhere = check_excludes(proof, result.program, [], Budget())
    calls = counted(monkeypatch, kind.excludes)
    task = Task(result.program, result.question, Budget(), None)  # type: ignore[arg-type]
    for offered, times in ((proof, 1), (checked, 0), (elsewhere, 1)):
        calls.clear()
        findings = Findings(frozenset(), None, {}, proof=lambda offered=offered: offered)  # type: ignore[misc]
        ((_, answer),) = conclude(task, findings, Evidence(proofs=True), result.question).answers
        assert isinstance(answer, Unreachable) and answer.proof is proof and answer.checked
        assert len(calls) == times


def test_conclude_checks_once_that_every_run_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    result, proof, _ = parts_of("ranking")
    checked = check_ends(proof, result.program, Budget())
    calls = counted(monkeypatch, "knaster.checkers.ranking:check_ranking")
    task = Task(result.program, result.question, Budget(), None)  # type: ignore[arg-type]
    other = replace(proof)  # type: ignore[type-var]
    for claimed, times in ((proof, 0), (other, 1)):
        calls.clear()
        findings = Findings(frozenset(), None, {}, proof=lambda: checked, ends=Terminates(claimed))
        ((_, answer),) = conclude(task, findings, Evidence(proofs=True), result.question).answers
        assert isinstance(answer, Terminates) and answer.proof is claimed and answer.checked
        assert len(calls) == times


def test_an_unchecked_answer_has_the_proof_itself() -> None:
    result, proof, targets = parts_of("path_edges")
    checked = check_excludes(proof, result.program, targets, Budget())
    task = Task(result.program, result.question, Budget(), None)  # type: ignore[arg-type]
    findings = Findings(frozenset(), None, {}, proof=lambda: checked)
    ((_, answer),) = conclude(task, findings, Evidence(proofs=False), result.question).answers
    assert isinstance(answer, Unreachable) and answer.proof is proof and not answer.checked
    assert not isinstance(answer.proof, Checked)
