"""A case: the findings of one engine under examination, with a second opinion where the engine shows no evidence.

The second opinion are path edges and summary edges (`engines.boolean.summaries`), for sequential Boolean programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from knaster.base.errors import DisagreementError, InternalError
from knaster.base.records import dataclass, field, replace
from knaster.checkers.checked import Checked, check_excludes
from knaster.engines.contract import Findings, Task
from knaster.evidence.questions.question import Reach, Target

if TYPE_CHECKING:
    from knaster.decide.asked import Evidence
    from knaster.evidence.proofs.table import Proof
    from knaster.transform.reduction import Reduction

DERIVED = "traces and certificates are derived by the summaries method"


@dataclass(slots=True)
class Case:
    """What an engine found about a task, and what is to vouch for it."""

    task: Task
    findings: Findings
    evidence: Evidence
    reduction: Reduction | None
    late: str = ""  # of an engine that took no notice of the budget: what is spent
    notes: list[str] = field(default_factory=list)
    derived: Findings | None = None

    def derive(self) -> Findings:
        """Return the second opinion."""
        if self.derived is None:
            from knaster.engines.boolean.summaries.engine import summaries

            self.derived = summaries(replace(self.task, question=Reach(self.task.targets)))
            self.notes.append(DERIVED)
        return self.derived

    def proof(self, targets: Sequence[Target]) -> Proof | Checked:
        """Return the proof of the engine, or of the second opinion, that no run reaches one of the targets."""
        if self.findings.proof is not None:
            return self.findings.proof()
        derived = self.derive()
        if derived.unknown is not None:
            raise derived.unknown.error()
        wrong = [target for target in targets if target in derived.reached]
        if wrong:
            self.refute(wrong[0], "unreachable")
        assert derived.proof is not None
        return derived.proof()

    def refute(self, target: Target, claim: str) -> NoReturn:
        """Raise the disagreement of an engine with evidence that is checked here."""
        derived, trace = self.derive(), None
        if claim == "reachable":
            assert derived.proof is not None
            ensure_checked(derived.proof(), self.task, [target])
        else:
            from knaster.checkers.runs.replay import replay

            assert derived.traces is not None
            trace = derived.traces([target])[target]
            replay(self.task.program, trace, target)
        if self.findings.author:
            raise DisagreementError(self.findings.author, claim, self.task.program, target, trace)
        shown = "a proof that it is not was checked" if trace is None else "a trace that reaches it was replayed"
        raise InternalError(f"the engine says that '{target.name}' is {claim}; {shown}")


def ensure_checked(proof: Proof | Checked, task: Task, targets: Sequence[Target]) -> Checked:
    """Return a proof that holds and excludes the targets, checked unless `checkers` did it before.

    Raises `InternalError` where it does not hold.
    """
    if not isinstance(proof, Checked):
        return check_excludes(proof, task.program, targets, task.budget)
    if proof.excludes(task.program, targets):
        return proof
    return check_excludes(proof.proof, task.program, targets, task.budget)
