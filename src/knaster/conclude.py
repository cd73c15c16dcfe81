"""From findings to answers: every trace is replayed and every proof is checked by code that did not produce it.

What an engine says is taken for a claim.  A trace that does not replay, a target without a trace that is said to be
reachable, a proof that does not hold: each is our fault and raises `InternalError`, never an answer; unless the method
is the user's own, whose mistake is then reported as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from knaster.engines.engine import Findings, Task
from knaster.errors import DisagreementError, InternalError
from knaster.limits import OutOfBudget
from knaster.program.model import Program
from knaster.reductions.reduction import Effect, Reduction
from knaster.results.answer import Answer, Answers, Reachable, Unknown, Unreachable
from knaster.results.proof import Proof
from knaster.results.question import Bound, Reach, Target
from knaster.results.trace import Trace

SMALL_PROGRAM = 3_000  # edges; up to here proofs are checked unless the caller says otherwise
WHOLE = Target("the program", "", 0, 0)  # what the answer to a question about all runs is about


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is to vouch for an answer: traces, and whether proofs are checked (None: where the program is small)."""

    traces: bool = True
    proofs: bool | None = None

    def wants_proof(self, program: Program) -> bool:
        """Tell whether the proof of `unreachable` is to be checked."""
        if self.proofs is not None:
            return self.proofs
        return sum(len(procedure.edges) for procedure in program.procedures) <= SMALL_PROGRAM


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Answers that have been checked, and what is to be said about how."""

    answers: Answers
    notes: tuple[str, ...]


def conclude(task: Task, findings: Findings, evidence: Evidence, reduction: Reduction | None = None) -> Conclusion:
    """Turn what an engine found into answers; `reduction` is what the task's program came from."""
    if findings.ends is not None:
        raise InternalError("no engine answers questions of termination yet")
    return _Concluding(task, findings, evidence, reduction).conclusion()


class _Concluding:
    """One set of findings under examination."""

    def __init__(self, task: Task, findings: Findings, evidence: Evidence, reduction: Reduction | None) -> None:
        self.task = task
        self.findings = findings
        self.evidence = evidence
        self.reduction = reduction
        self.notes: list[str] = []
        self._derived: Findings | None = None

    def conclusion(self) -> Conclusion:
        """Return the answer for each target of the question."""
        stray = self.findings.reached - set(self.task.targets)
        if stray:
            raise InternalError(f"the engine reached '{min(t.name for t in stray)}', which nobody asked for")
        reached = [target for target in self.task.targets if target in self.findings.reached]
        unreached = [target for target in self.task.targets if target not in self.findings.reached]
        answers: dict[Target, Answer] = {}
        if reached:
            answers |= self._reached(reached)
        if unreached:
            answers |= dict.fromkeys(unreached, self._unreached(unreached))
        lifted = self.reduction.targets if self.reduction is not None else {}
        return Conclusion(
            tuple((lifted.get(target, target), answers[target]) for target in self.task.targets), tuple(self.notes)
        )

    def _reached(self, targets: Sequence[Target]) -> dict[Target, Answer]:
        """Return each target with a trace that was replayed, as far as traces are wanted."""
        known: dict[Target, Answer] = {target: Reachable(None) for target in targets}
        if not self.evidence.traces:
            return known
        wanted = targets[:1] if self.task.first else targets
        try:
            traces = self._traces(wanted)
        except OutOfBudget as spent:
            self.notes.append(f"no trace: {spent}")
            return known
        for target in wanted:
            if target not in traces:
                raise InternalError(f"'{target.name}' is said to be reachable, but there is no trace to it")
            known[target] = self._replayed(target, traces[target])
        return known

    def _replayed(self, target: Target, trace: Trace) -> Answer:
        from knaster.results.replay import replay

        asked, run, program = target, trace, self.task.program
        if self.reduction is not None:
            replay(program, trace, target)
            asked, run = self.reduction.back(target, trace)
            program = self.reduction.original
        try:
            replay(program, run, asked)
        except InternalError:
            if self.reduction is not None and self.reduction.effect is Effect.OVER:
                return Unknown("a run of the abstraction is none of the program")
            raise
        return Reachable(run, checked=True)

    def _traces(self, targets: Sequence[Target]) -> Mapping[Target, Trace]:
        if self.findings.traces is not None:
            return self.findings.traces(targets)
        derived = self._derive()
        wrong = [target for target in targets if target not in derived.reached]
        if derived.reason and wrong:
            raise OutOfBudget(derived.reason)
        if wrong:
            self._disagree(f"says that '{wrong[0].name}' is reachable; a proof that it is not was checked", wrong)
        assert derived.traces is not None
        return derived.traces(targets)

    def _unreached(self, targets: Sequence[Target]) -> Answer:
        """Return `Unreachable`, with a proof that was checked where that is wanted; else why it is not known."""
        reason = self.findings.reason
        effect = self.reduction.effect if self.reduction is not None else Effect.EXACT
        bound = self.findings.bound or self._bound_of(effect)
        if reason or (effect is Effect.UNDER and bound is None):
            return Unknown(reason or "only some of the runs were considered")
        try:
            self.task.budget.check()
        except OutOfBudget as spent:  # an engine that took no notice of it
            return Unknown(str(spent))
        if not self.evidence.wants_proof(self.task.program):
            return Unreachable(self.findings.proof() if self.findings.proof is not None else None, bound)
        try:
            proof = self._proof(targets)
            check_proof(proof, self.task, targets)
        except OutOfBudget as spent:
            return Unknown(f"{spent}, while checking the certificate")
        return Unreachable(proof, bound, checked=True)

    def _bound_of(self, effect: Effect) -> Bound | None:
        return self.task.question.bound if effect is Effect.UNDER else None

    def _proof(self, targets: Sequence[Target]) -> Proof:
        if self.findings.proof is not None:
            return self.findings.proof()
        derived = self._derive()
        if derived.reason:
            raise OutOfBudget(derived.reason)
        wrong = [target for target in targets if target in derived.reached]
        if wrong:
            self._disagree(f"says that '{wrong[0].name}' is unreachable; a trace that reaches it was replayed", wrong)
        assert derived.proof is not None
        return derived.proof()

    def _derive(self) -> Findings:
        """Return path edges and summary edges, for an engine that has no traces and no proof of its own."""
        if self._derived is None:
            from knaster.engines.summaries import summaries

            task = replace(self.task, question=Reach(self.task.targets))
            self._derived = summaries(task)
            self.notes.append("traces and certificates are derived by the summaries method")
        return self._derived

    def _disagree(self, claim: str, targets: Sequence[Target]) -> None:
        """Raise the disagreement of an engine with evidence that is checked here."""
        from knaster.results.replay import replay

        derived = self._derive()
        for target in targets:
            if target in derived.reached:
                assert derived.traces is not None
                trace = derived.traces([target])[target]
                replay(self.task.program, trace, target)
                if self.findings.author:
                    raise DisagreementError(f"{self.findings.author} {claim}", self.task.program, target, trace)
            else:
                assert derived.proof is not None
                check_proof(derived.proof(), self.task, [target])
                if self.findings.author:
                    raise DisagreementError(f"{self.findings.author} {claim}", self.task.program, target, None)
        raise InternalError(f"the engine {claim}")


def check_proof(proof: Proof, task: Task, targets: Sequence[Target]) -> None:
    """Check a proof with code that shares nothing with the engines; raise `InternalError` where it does not hold."""
    from knaster.results.certify import certify

    certify(proof, task.program, targets, task.budget)
