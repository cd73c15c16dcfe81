"""Turns findings into answers: every trace is replayed and every proof is checked by code that did not produce it.

What an engine says is taken for a claim.  A trace that does not replay, a target without a trace that is said to be
reachable, a proof that does not hold: each is our fault and raises `InternalError`, never an answer; unless the method
is the user's own, whose mistake is then reported as such.  What was not checked says so, and why.

In reading order: this page, `case`, `conclude_runs`, `conclude_proofs` and `conclude_ends`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.errors import InternalError
from knaster.base.named_tuples import NamedTuple
from knaster.decide.asked import Evidence
from knaster.decide.conclusions.case import Case
from knaster.engines.contract import Findings, Task
from knaster.evidence.answers.answer import Answer, Answers, Unknown
from knaster.evidence.questions.question import Question, Reach, Target
from knaster.program.model import Place

if TYPE_CHECKING:
    from knaster.transform.reduction import Reduction

WHOLE = Target("the program", "", 0, 0)  # what the answer to a question about all runs is about


class Conclusion(NamedTuple):
    """Answers that have been checked, what is to be said about how, and the statements that no run reaches if known."""

    answers: Answers
    notes: tuple[str, ...]
    unreached: tuple[Place, ...] | None = None


def conclude(
    task: Task, findings: Findings, evidence: Evidence, asked: Question, reduction: Reduction | None = None
) -> Conclusion:
    """Turn what an engine found into answers to what was `asked`; `reduction` led from there to the task."""
    if not isinstance(asked, Reach):
        from knaster.decide.conclusions.ends import answer_about_ends

        return Conclusion(((WHOLE, answer_about_ends(task, findings, evidence)),), findings.remarks)
    if findings.ends is not None:
        raise InternalError("the engine answers another question than the one that was asked")
    if stray := findings.reached - set(task.targets):
        raise InternalError(f"the engine reached '{min(t.name for t in stray)}', which nobody asked for")
    late = "" if findings.reason else task.budget.overdrawn()
    from knaster.decide.conclusions.proofs import answer_by_proof, statements_never_reached

    case = Case(task, findings, evidence, reduction, late)
    targets, reached, doubtful = case.task.targets, case.findings.reached, case.findings.doubtful
    answers: dict[Target, Answer] = {target: Unknown(why) for target, why in doubtful.items()}
    checked = None
    if hits := [target for target in targets if target in reached]:
        from knaster.decide.conclusions.runs import answers_by_runs

        answers |= answers_by_runs(case, hits)
    if rest := [target for target in targets if target not in reached and target not in doubtful]:
        answer, checked = answer_by_proof(case, rest)
        answers |= dict.fromkeys(rest, answer)
    lifted = case.reduction.targets if case.reduction is not None else {}
    ordered = tuple((lifted.get(target, target), answers[target]) for target in targets)
    if {target for target, _ in ordered} != set(asked.targets):
        raise InternalError("the answers are about other targets than those that were asked for")
    never = statements_never_reached(case, checked)
    return Conclusion(ordered, tuple(case.notes), never)
