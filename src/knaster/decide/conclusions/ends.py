"""The answer to the question whether every run ends: a run that never ends is replayed, a proof is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.base.records import replace
from knaster.checkers.checked import Checked, check_ends
from knaster.engines.contract import Findings, Task
from knaster.evidence.answers.answer import Answer, Diverges, Terminates, Unknown
from knaster.evidence.questions.question import Termination
from knaster.evidence.traces.lasso import Lasso

if TYPE_CHECKING:
    from knaster.decide.asked import Evidence


def answer_about_ends(task: Task, findings: Findings, evidence: Evidence) -> Answer:
    """Return the answer to the question of termination."""
    match findings.ends:
        case None if findings.unknown is not None:
            return findings.unknown.answer()
        case Diverges(Lasso() as lasso):
            return _answer_endless(task, lasso)
        case Diverges() | Terminates(None):
            return _derive(task, findings, evidence)
        case Terminates() as claim:
            return _answer_ending(task, findings, claim, evidence)
        case _:
            raise InternalError("the engine answers the question of termination in no way, and says not why")


def _derive(task: Task, findings: Findings, evidence: Evidence) -> Answer:
    """Return the answer of an engine that shows nothing, with the run or the proof of `ranks`, which has to agree."""
    from knaster.engines.boolean.ranks import CARD

    if CARD.why_not(task.program, task.question) is not None:
        raise InternalError("the engine answers a question about all runs, and shows neither a run nor a proof")
    derived = CARD.find(replace(task, _made=[]))
    if derived.ends is None:
        return derived.unknown.answer() if derived.unknown is not None else Unknown("there is no evidence")
    answer = answer_about_ends(task, derived, evidence)
    if type(derived.ends) is not type(findings.ends):
        said = "a run is not as asked" if isinstance(findings.ends, Diverges) else "every run is as asked"
        raise InternalError(f"the engine says that {said}; evidence for the opposite was checked")
    return answer


def _answer_endless(task: Task, lasso: Lasso) -> Answer:
    from knaster.checkers.runs.lasso import check_violation

    try:
        check_violation(lasso, task.program, task.question, task.budget)
    except OutOfBudget as spent:
        return Unknown(str(spent))
    return Diverges(lasso, checked=True)


def _answer_ending(task: Task, findings: Findings, claim: Terminates, evidence: Evidence) -> Answer:
    """Return that every run ends, with a proof that is checked unless the engine offers it as one that was."""
    assert claim.proof is not None
    if getattr(claim.proof, "question", Termination()) != task.question:
        raise InternalError("the proof is one of another question")
    if unchecked := evidence.no_proof(task.program):
        return Terminates(claim.proof, claim.bound, unchecked=unchecked)
    offered = findings.proof() if findings.proof is not None else None
    try:
        if not isinstance(offered, Checked) or not offered.shows_end(task.program, claim.proof):
            check_ends(claim.proof, task.program, task.budget)
    except OutOfBudget as spent:
        return Unknown(f"{spent}, while checking the proof")
    return Terminates(claim.proof, claim.bound, checked=True)
