"""The answer about targets that an engine did not reach: its proof is checked, unless `checkers` did it before.

What the engine claims is weakened by its bound, by what the reduction leaves out, and by a budget that was spent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.bdd.address_space import NoRoom
from knaster.checkers.checked import Checked
from knaster.decide.conclusions.case import Case, ensure_checked
from knaster.evidence.answers.answer import Answer, Unknown, Unreachable
from knaster.program.model import Kind

if TYPE_CHECKING:
    from knaster.evidence.proofs.table import Proof
    from knaster.evidence.questions.question import Bound, Target
    from knaster.program.model import Place
    from knaster.transform.reduction import Reduction


def answer_by_proof(case: Case, targets: Sequence[Target]) -> tuple[Answer, Checked | None]:
    """Return `Unreachable`, with a proof that was checked where that is wanted; else why it is not known."""
    reduction, findings = case.reduction, case.findings
    under = reduction is not None and reduction.under
    exact = reduction is None or reduction.exact
    asked = case.task.question.bound
    bound = findings.bound or (asked if under else None)
    reason = findings.reason or case.late
    if reason and bound is not None and exact:
        return Unreachable(None, bound, unchecked=reason, beyond=reason), None
    if findings.unknown is not None:
        return findings.unknown.answer(), None
    if reason or (under and bound is None):
        return Unknown(reason or "only some of the runs were considered"), None
    if reduction is not None and exact:
        check_whole(reduction)
    unchecked = case.evidence.no_proof(case.task.program, findings.rows) or _why_no_proof(case)
    if unchecked and bound is not None and _wants_reduction(case):
        return _by_reduction(case, targets, bound), None
    if unchecked:
        claimed = asked if findings.covered is None else None
        return Unreachable(_unchecked_proof(case), bound or claimed, unchecked=unchecked), None
    try:
        checked = _check_proof(case, targets)
    except (OutOfBudget, NoRoom) as spent:
        return Unknown(f"{spent}, while checking the certificate"), None
    return Unreachable(checked.proof, bound, checked=True), checked


def _check_proof(case: Case, targets: Sequence[Target]) -> Checked:
    checked = ensure_checked(case.proof(targets), case.task, targets)
    holds, claimed = getattr(checked.proof, "bound", None), case.findings.bound
    if holds is not None and (claimed is None or claimed.kind != holds.kind or claimed.number > holds.number):
        raise InternalError(f"the proof holds with {holds} only")
    return checked


def _unchecked_proof(case: Case) -> Proof | None:
    """Return the proof that the engine offers; a table is not made where nobody checks it."""
    if case.findings.proof is None or case.findings.rows:
        return None
    proof = case.findings.proof()
    return proof.proof if isinstance(proof, Checked) else proof


def _why_no_proof(case: Case) -> str:
    """Say why there is no proof to check; empty where there is one, or where one can be derived."""
    if case.findings.proof is not None:
        return ""
    if case.task.program.kind is Kind.REFERENCES:
        return "this method gives none"
    if not case.task.program.is_threaded:
        return ""
    bounded = _has_reduction(case) and case.task.program.kind is Kind.BOOLEAN
    return f"this method gives none{' within a bound; --certify looks for one' if bounded else ''}"


def _wants_reduction(case: Case) -> bool:
    """Tell whether a proof of threads within a bound is wanted that the method itself does not give."""
    program = case.task.program
    none = case.findings.proof is None and case.reduction is None
    threads = program.is_threaded and program.kind is Kind.BOOLEAN
    return bool(case.evidence.proofs) and none and threads and _has_reduction(case)


def _has_reduction(case: Case) -> bool:
    """Tell whether there is a sequential program for the bound."""
    bound = case.findings.bound
    return bound is not None and bound.kind in ("switches", "rounds")


def _by_reduction(case: Case, targets: Sequence[Target], bound: Bound) -> Answer:
    """Return `Unreachable` within a bound, with the proof of the sequential program for it."""
    from knaster.decide.conclusions.bounded_proof import bounded_proof

    try:
        proof = bounded_proof(case.task, targets, bound)
    except OutOfBudget as spent:
        return Unreachable(None, bound, unchecked=f"{spent}, while looking for a proof")
    return Unreachable(proof, bound, checked=True)


def statements_never_reached(case: Case, checked: Checked | None) -> tuple[Place, ...] | None:
    """Return the statements that no run reaches: proved where proofs are wanted; None where it is not known."""
    if case.reduction is not None or case.findings.reason or case.late:
        return None
    visited, program = case.findings.visited, case.task.program
    if visited is None and case.derived is not None:
        visited = case.derived.visited
    if visited is not None:
        for target in case.task.targets:
            reached = target in case.findings.reached
            if target not in case.findings.doubtful and (target.place in visited) is not reached:
                raise InternalError(f"the engine contradicts itself about '{target.name}'")
    try:
        offered = case.findings.proof is not None or case.derived is not None
        if checked is None and visited is not None and offered and case.evidence.wants_proof(program):
            checked = _check_proof(case, ())
    except (OutOfBudget, NoRoom):
        return None
    if checked is not None:
        never = checked.proof.unreached_places()
        return None if never is None else tuple(never)
    return program.statements_outside(visited) if visited is not None else None


def check_whole(reduction: Reduction) -> None:
    """Raise `InternalError` where a reduction that calls itself exact has left an edge of the program out."""
    kept = {id(edge.origin or edge) for procedure in reduction.program.procedures for edge in procedure.edges}
    for procedure in reduction.original.procedures:
        for edge in procedure.edges:
            if id(edge) not in kept:
                raise InternalError(f"an exact reduction leaves out line {edge.span.line} of '{procedure.name}'")
