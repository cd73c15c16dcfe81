"""From findings to answers: every trace is replayed and every proof is checked by code that did not produce it.

What an engine says is taken for a claim.  A trace that does not replay, a target without a trace that is said to be
reachable, a proof that does not hold: each is our fault and raises `InternalError`, never an answer; unless the method
is the user's own, whose mistake is then reported as such.  What was not checked says so, and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NoReturn

from knaster.base.errors import DisagreementError, InternalError
from knaster.base.limits import OutOfBudget
from knaster.engines.contract import Findings, Task
from knaster.evidence.answers.answer import Answer, Answers, Diverges, Reachable, Terminates, Unknown, Unreachable
from knaster.evidence.proofs.path_edges_proof import Proof
from knaster.evidence.questions.question import Bound, Question, Reach, Target, Termination
from knaster.evidence.traces.trace import Lasso, Trace
from knaster.program.model import Kind, Place, Program

if TYPE_CHECKING:
    from knaster.transform.reduction import Reduction

SMALL_PROGRAM = 3_000  # edges; up to here proofs are checked unless the caller says otherwise
MOST_ROWS = 20_000  # the same for tables of programs with references
WHOLE = Target("the program", "", 0, 0)  # what the answer to a question about all runs is about


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is to vouch for an answer: traces, and whether proofs are checked (None: where the program is small)."""

    traces: bool = True
    proofs: bool | None = None

    def wants_proof(self, program: Program) -> bool:
        """Tell whether the proof of `unreachable` is to be checked."""
        return not self.no_proof(program)

    def no_proof(self, program: Program, rows: int = 0) -> str:
        """Say why the proof of `unreachable` is not to be checked; empty where it is."""
        if self.proofs is not None:
            return "" if self.proofs else "its check was switched off"
        if program.kind is Kind.REFERENCES:
            return "" if rows <= MOST_ROWS else f"a table of more than {MOST_ROWS:,} rows; --certify checks it"
        small = sum(len(procedure.edges) for procedure in program.procedures) <= SMALL_PROGRAM
        return "" if small else f"more than {SMALL_PROGRAM:,} edges; --certify checks it"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Answers that have been checked, what is to be said about how, and the statements that no run reaches if known."""

    answers: Answers
    notes: tuple[str, ...]
    unreached: tuple[Place, ...] | None = None


def conclude(
    task: Task, findings: Findings, evidence: Evidence, asked: Question, reduction: Reduction | None = None
) -> Conclusion:
    """Turn what an engine found into answers to what was `asked`; `reduction` led from there to the task."""
    if not isinstance(asked, Reach):
        if findings.ends is None and not findings.reason:
            raise InternalError("the engine answers the question of termination in no way, and says not why")
        return Conclusion(((WHOLE, _ending(task, findings, evidence)),), ())
    if findings.ends is not None:
        raise InternalError("the engine answers another question than the one that was asked")
    conclusion = _Concluding(task, findings, evidence, reduction).conclusion()
    if {target for target, _ in conclusion.answers} != set(asked.targets):
        raise InternalError("the answers are about other targets than those that were asked for")
    return conclusion


def _ending(task: Task, findings: Findings, evidence: Evidence) -> Answer:
    """Return the answer to the question whether every run ends; a run that never ends is replayed."""
    match findings.ends:
        case Diverges(Lasso() as lasso):
            from knaster.checkers.replay_lasso import replay_lasso

            replay_lasso(task.program, lasso)
            if lasso.recurs is not None:
                from knaster.checkers.recurrence import check_recurrence

                place = (lasso.stem.procedure, lasso.stem.location)
                try:
                    check_recurrence(task.program, place, lasso.recurs, task.budget)
                except OutOfBudget as spent:
                    return Unknown(str(spent))
            return Diverges(lasso, checked=True)
        case Terminates(None):
            raise InternalError("the engine answers the question of termination without a proof")
        case Terminates(proof, bound):
            if unchecked := evidence.no_proof(task.program):
                return Terminates(proof, bound, unchecked=unchecked)
            assert proof is not None
            try:
                check_proof(proof, task, ())
            except OutOfBudget as spent:
                return Unknown(f"{spent}, while checking the proof")
            return Terminates(proof, bound, checked=True)
        case Diverges():
            raise InternalError("the engine says that a run never ends and shows none")
        case _:
            return Unknown(findings.reason)


class _Concluding:
    """One set of findings under examination."""

    def __init__(self, task: Task, findings: Findings, evidence: Evidence, reduction: Reduction | None) -> None:
        self.task = task
        self.findings = findings
        self.evidence = evidence
        self.reduction = reduction
        self.late = "" if findings.reason else task.budget.overdrawn()  # of an engine that took no notice of it
        self.notes: list[str] = []
        self._derived: Findings | None = None
        self._proved: Proof | None = None  # a proof that was checked

    def conclusion(self) -> Conclusion:
        """Return the answer for each target of the question."""
        stray = self.findings.reached - set(self.task.targets)
        if stray:
            raise InternalError(f"the engine reached '{min(t.name for t in stray)}', which nobody asked for")
        reached = [target for target in self.task.targets if target in self.findings.reached]
        doubtful = self.findings.doubtful
        answers: dict[Target, Answer] = {target: Unknown(why) for target, why in doubtful.items()}
        unreached = [t for t in self.task.targets if t not in self.findings.reached and t not in doubtful]
        if reached:
            answers |= self._reached(reached)
        if unreached:
            answers |= dict.fromkeys(unreached, self._unreached(unreached))
        lifted = self.reduction.targets if self.reduction is not None else {}
        return Conclusion(
            tuple((lifted.get(target, target), answers[target]) for target in self.task.targets),
            tuple(self.notes),
            self._never_reached(),
        )

    def _reached(self, targets: Sequence[Target]) -> dict[Target, Answer]:
        """Return each target with a trace that was replayed, as far as traces are wanted."""
        why = "only one was asked for" if self.evidence.traces else "none was asked for"
        known: dict[Target, Answer] = {
            target: Unknown(self.late) if self.late else self._bare(target, why) for target in targets
        }
        if not self.evidence.traces:
            return known
        wanted = targets[:1] if self.task.first else targets
        try:
            traces = self._traces(wanted)
        except OutOfBudget as spent:
            self.notes.append(f"no trace: {spent}")
            return known if self.late else {target: self._bare(target, str(spent)) for target in targets}
        for target in wanted:
            if target not in traces:
                raise InternalError(f"'{target.name}' is said to be reachable, but there is no trace to it")
            known[target] = self._replayed(target, traces[target])
        return known

    def _bare(self, target: Target, why: str) -> Answer:
        """Return that a target is reachable, without a trace."""
        return Reachable(None, unchecked=why, least=self.findings.least.get(target))

    def _replayed(self, target: Target, trace: Trace) -> Answer:
        from knaster.checkers.replay import replay

        failure = replay(self.task.program, trace, target)
        if self.reduction is None:
            return replace(self._counted(target, trace), failure=failure)
        asked, run = self.reduction.back(target, trace)
        if asked != self.reduction.targets.get(target):
            raise InternalError(
                f"the way back leads from '{target.name}' to '{asked.name}', which it does not stand for"
            )
        try:
            replay(self.reduction.original, run, asked)
        except InternalError:
            if self.reduction.over:
                return Unknown("a run of the abstraction is none of the program")
            raise
        return self._counted(target, run)

    def _counted(self, target: Target, run: Trace) -> Reachable:
        """Return that a target is reachable by a run that was replayed, with the least number if that is known."""
        least = self.findings.least.get(target)
        if least is not None and self._cost(run) != least:
            raise InternalError(f"'{target.name}' is said to need {least}, but its trace needs {self._cost(run)}")
        return Reachable(run, checked=True, least=least)

    def _cost(self, trace: Trace) -> int:
        """Return the number of switches, or of rounds, of a trace."""
        bound = self.task.bound
        return trace.rounds if bound is not None and bound.kind == "rounds" else trace.switches

    def _traces(self, targets: Sequence[Target]) -> Mapping[Target, Trace]:
        if self.findings.traces is not None:
            return self.findings.traces(targets)
        if self.task.program.is_threaded:
            raise OutOfBudget("this method gives none")
        derived = self._derive()
        wrong = [target for target in targets if target not in derived.reached]
        if derived.reason and wrong:
            raise OutOfBudget(derived.reason)
        if wrong:
            self._refute(wrong[0], "reachable")
        assert derived.traces is not None
        return derived.traces(targets)

    def _unreached(self, targets: Sequence[Target]) -> Answer:
        """Return `Unreachable`, with a proof that was checked where that is wanted; else why it is not known."""
        under = self.reduction is not None and self.reduction.under
        exact = self.reduction is None or self.reduction.exact
        asked = self.task.question.bound
        bound = self.findings.bound or (asked if under else None)
        reason = self.findings.reason or self.late
        if reason and bound is not None and exact:
            return Unreachable(None, bound, unchecked=reason, beyond=reason)
        if reason or (under and bound is None):
            return Unknown(reason or "only some of the runs were considered")
        if self.reduction is not None and exact:
            check_whole(self.reduction)
        unchecked = self.evidence.no_proof(self.task.program, self.findings.rows) or self._unproved()
        if unchecked and bound is not None and self._wants_reduction():
            return self._by_reduction(targets, bound)
        if unchecked:
            proof = self.findings.proof() if self.findings.proof is not None and not self.findings.rows else None
            claimed = asked if self.findings.covered is None else None
            return Unreachable(proof, bound or claimed, unchecked=unchecked)
        try:
            self._proved = self._checked_proof(targets)
        except OutOfBudget as spent:
            return Unknown(f"{spent}, while checking the certificate")
        return Unreachable(self._proved, bound, checked=True)

    def _wants_reduction(self) -> bool:
        """Tell whether a proof of threads within a bound is wanted that the method itself does not give."""
        program = self.task.program
        none = self.findings.proof is None and self.reduction is None
        return bool(self.evidence.proofs) and none and program.is_threaded and program.kind is Kind.BOOLEAN

    def _by_reduction(self, targets: Sequence[Target], bound: Bound) -> Answer:
        """Return `Unreachable` within a bound, with the proof of the sequential program for it."""
        from knaster.decide.bounded_proof import bounded_proof

        try:
            proof = bounded_proof(self.task, targets, bound)
        except OutOfBudget as spent:
            return Unreachable(None, bound, unchecked=f"{spent}, while looking for a proof")
        return Unreachable(proof, bound, checked=True)

    def _unproved(self) -> str:
        """Say why there is no proof to check; empty where there is one, or where one can be derived."""
        if self.findings.proof is not None:
            return ""
        if self.task.program.kind is Kind.REFERENCES:
            return "this method gives none"
        if not self.task.program.is_threaded:
            return ""
        bounded = self.findings.bound is not None
        return f"this method gives none{' within a bound; --certify looks for one' if bounded else ''}"

    def _never_reached(self) -> tuple[Place, ...] | None:
        """Return the statements that no run reaches: proved where proofs are wanted; None where it is not known."""
        if self.reduction is not None or self.findings.reason or self.late:
            return None
        visited, wanted = self.findings.visited, self.evidence.wants_proof(self.task.program)
        if visited is None and self._derived is not None:
            visited = self._derived.visited
        if visited is not None:
            for target in self.task.targets:
                if target not in self.findings.doubtful and (target.place in visited) is not (
                    target in self.findings.reached
                ):
                    raise InternalError(f"the engine contradicts itself about '{target.name}'")
        try:
            if wanted and self._proved is None and visited is not None and (self.findings.proof or self._derived):
                self._proved = self._checked_proof(())
        except OutOfBudget:
            return None
        if self._proved is not None:
            return self._proved.unreached()
        return self.task.program.statements_outside(visited) if visited is not None else None

    def _checked_proof(self, targets: Sequence[Target]) -> Proof:
        proof = self._proof(targets)
        check_proof(proof, self.task, targets)
        holds, claimed = getattr(proof, "bound", None), self.findings.bound
        if holds is not None and (claimed is None or claimed.kind != holds.kind or claimed.number > holds.number):
            raise InternalError(f"the proof holds with {holds} only")
        return proof

    def _proof(self, targets: Sequence[Target]) -> Proof:
        if self.findings.proof is not None:
            return self.findings.proof()
        derived = self._derive()
        if derived.reason:
            raise OutOfBudget(derived.reason)
        wrong = [target for target in targets if target in derived.reached]
        if wrong:
            self._refute(wrong[0], "unreachable")
        assert derived.proof is not None
        return derived.proof()

    def _derive(self) -> Findings:
        """Return path edges and summary edges, for an engine that has no traces and no proof of its own."""
        if self._derived is None:
            from knaster.engines.boolean.summaries.engine import summaries

            task = replace(self.task, question=Reach(self.task.targets))
            self._derived = summaries(task)
            self.notes.append("traces and certificates are derived by the summaries method")
        return self._derived

    def _refute(self, target: Target, claim: str) -> NoReturn:
        """Raise the disagreement of an engine with evidence that is checked here."""
        derived, trace = self._derive(), None
        if claim == "reachable":
            assert derived.proof is not None
            check_proof(derived.proof(), self.task, [target])
        else:
            from knaster.checkers.replay import replay

            assert derived.traces is not None
            trace = derived.traces([target])[target]
            replay(self.task.program, trace, target)
        if self.findings.author:
            raise DisagreementError(self.findings.author, claim, self.task.program, target, trace)
        shown = "a proof that it is not was checked" if trace is None else "a trace that reaches it was replayed"
        raise InternalError(f"the engine says that '{target.name}' is {claim}; {shown}")


def check_proof(proof: Proof, task: Task, targets: Sequence[Target]) -> None:
    """Check a proof with code that shares nothing with the engines; raise `InternalError` where it does not hold."""
    from knaster.evidence.proofs.path_edges_proof import Certificate

    if isinstance(proof, Certificate):
        from knaster.checkers.path_edges import certify

        certify(proof, task.program, targets, task.budget)
        return
    if task.program.kind is Kind.REFERENCES:
        from knaster.checkers.heap.tables import certify_table

        certify_table(proof, task.program, targets, task.budget)
        return
    from knaster.evidence.proofs.invariants_invariants import Invariants
    from knaster.evidence.proofs.ranking_ranking import Ranking

    if isinstance(proof, Invariants):
        from knaster.checkers.invariants import check_invariants

        check_invariants(proof, task.program, targets, task.budget)
        return
    if isinstance(proof, Ranking):
        from knaster.checkers.ranking import check_ranking

        check_ranking(proof, task.program, task.budget)
        return
    from knaster.checkers.all_runs import AllRuns, check_all_runs
    from knaster.checkers.configurations import certify_threads
    from knaster.checkers.interference import certify_interference
    from knaster.checkers.stack_table import certify_stacks
    from knaster.evidence.proofs.configurations_configurations import Configurations
    from knaster.evidence.proofs.interference_interference import Interference
    from knaster.evidence.proofs.stack_table import StackTable

    if isinstance(proof, AllRuns):
        check_all_runs(proof, task.program, targets, task.budget, isinstance(task.question, Termination))
    elif isinstance(proof, StackTable):
        certify_stacks(proof, task.program, targets, task.budget)
    elif isinstance(proof, Interference):
        certify_interference(proof, task.program, targets, task.budget)
    elif isinstance(proof, Configurations):
        certify_threads(proof, task.program, targets, task.budget)
    else:
        raise InternalError("the proof is one about a program with references, and this has none")


def check_whole(reduction: Reduction) -> None:
    """Raise `InternalError` where a reduction that calls itself exact has left an edge of the program out."""
    kept = {id(edge.origin or edge) for procedure in reduction.program.procedures for edge in procedure.edges}
    for procedure in reduction.original.procedures:
        for edge in procedure.edges:
            if id(edge) not in kept:
                raise InternalError(f"an exact reduction leaves out line {edge.span.line} of '{procedure.name}'")
