"""Proof files, saved from results and checked again without trust; what Python code imports for it is all here.

`proof_to_text` saves what was checked.  `examine` reads a file, looks whether it is about the program, and hands the
proof to the checker that THE TABLE names.  See docs/proofs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from knaster.base.errors import InternalError, MalformedNodes, ProofError, UsageError
from knaster.base.lazy import load_named
from knaster.base.limits import Budget
from knaster.base.records import dataclass
from knaster.evidence.answers.answer import Diverges, Reachable, Result, Terminates, Unreachable
from knaster.evidence.proofs.files import check_subject, read_document, targets_of, write_document
from knaster.evidence.proofs.files import fingerprint as fingerprint
from knaster.evidence.proofs.files import is_about_memory as is_about_memory
from knaster.evidence.proofs.files import reading_of as reading_of
from knaster.evidence.proofs.table import ProofKind, kind_of
from knaster.evidence.questions.question import Bound, Target, Temporal, Termination, runs_asked
from knaster.evidence.traces.lasso import goes_in_turns
from knaster.program.model import Kind, Program
from knaster.semantics.heap.failure import Failure

_BROKEN = (LookupError, AssertionError, TypeError, ValueError, AttributeError, RecursionError)
_Look = Callable[
    [ProofKind, dict[str, Any], Program, Sequence[Target], int, Budget], tuple[object, "Failure | None"]
]  # at a document


@dataclass(frozen=True, slots=True)
class Proved:
    """What a proof file proves: that targets are unreachable, or that one is reachable; without any how runs end."""

    targets: tuple[Target, ...]
    endless: bool = False  # a run never ends, or is not as a formula says
    reached: bool = False  # the target is reachable
    bound: Bound | None = None  # within which the targets are unreachable; None: whatever the number of switches
    formula: str = ""  # which holds on every run, or does not
    runs: str = "run"  # which runs it is about, in words
    failure: Failure | None = None  # how a run to the target fails, where its replay tells


def proof_to_text(result: Result) -> str:
    """Return a proof file: of targets that are unreachable, a run to one, that every run ends, or that one does not.

    A proof within a bound is saved with it.  Raises `UsageError` where there is no proof.
    """
    proof, targets = proof_to_save(result)
    if proof is None:
        proof, targets = _run_to_save(result)
    kind = kind_of(proof)
    if kind is None:
        raise UsageError(f"{result.file}: {_why_none(result)}")
    return write_document(result.program, targets, kind, proof)


def proof_to_save(result: Result) -> tuple[object, Sequence[Target]]:
    """Return a proof about the program of a result that was checked, and the targets that it excludes."""
    for _, answer in result.answers:
        if isinstance(answer, Diverges) and answer.checked:
            return _lasso_to_save(result, answer), ()
        if isinstance(answer, Terminates) and answer.checked and answer.bound is None:
            return answer.proof, ()
    proofs = [
        (target, answer.proof, answer.bound)
        for target, answer in result.answers
        if isinstance(answer, Unreachable) and answer.checked and answer.proof is not None
    ]
    own = [(target, proof, bound) for target, proof, bound in proofs if proof.program is result.program]
    for bounded in (False, True):  # what holds whatever the number of switches comes first
        for _, proof, bound in own:
            if (bound is not None) is bounded and (bound_of(proof) is not None) is bounded:
                return proof, [target for target, other, _ in own if other is proof]
    return _reduced_proof_to_save(result, proofs)


def _lasso_to_save(result: Result, answer: Diverges) -> object:
    """Return a run that never ends as it is saved."""
    program, question = result.program, result.question
    if not goes_in_turns(program):
        return answer.lasso
    from knaster.evidence.proofs.threads.thread_lasso import ThreadLasso

    assert answer.lasso is not None and isinstance(question, Temporal | Termination)
    return ThreadLasso(program, answer.lasso, question)


def _reduced_proof_to_save(
    result: Result, proofs: Sequence[tuple[Target, Any, Bound | None]]
) -> tuple[object, Sequence[Target]]:
    """Return a proof that was found for the sequential program of threads, or for a program with references.

    Beside it are the targets that it excludes.
    """
    from knaster.evidence.proofs.path_edges import Certificate  # with BDDs, which a proof about C does not need

    for _, proof, bound in proofs:
        if isinstance(proof, Certificate) and bound is not None and result.program.is_threaded:
            from knaster.checkers.threads.sequential_program import find_sequential_proof

            asked = tuple(target for target, _ in result.answers)
            found = find_sequential_proof(result.program, asked, bound, proof)
            if found is not None:
                return found, [target for target, other, _ in proofs if other is proof]
        if bound is None and proof.program is not None and proof.program.kind is Kind.REFERENCES:
            from knaster.checkers.heap.referred_table import find_referred_proof

            made = find_referred_proof(result.program, tuple(target for target, _ in result.answers), proof)
            if made is not None:
                return made, [target for target, other, _ in proofs if other is proof]
    return None, ()


def _run_to_save(result: Result) -> tuple[object, Sequence[Target]]:
    """Return the first run to a target that was replayed, and the target."""
    for target, answer in result.answers:
        if isinstance(answer, Reachable) and answer.checked and target.condition is None:
            return answer.trace, [target]
    return None, ()


def _why_none(result: Result) -> str:
    """Return why there is no proof to save."""
    if isinstance(result.question, Temporal):
        return "it was not proved that the formula holds on every run, nor that it does not"
    if isinstance(result.question, Termination):
        return "it was not proved that every run ends, nor that one does not"
    if any(isinstance(answer, Unreachable) and answer.checked for _, answer in result.answers):
        return "its proof is about another program, to which this one was reduced"
    return "no target was proved to be unreachable"


def bound_of(proof: object) -> Bound | None:
    """Return the bound within which a proof holds; None where it holds whatever the number of switches."""
    bound: Bound | None = getattr(proof, "bound", None)
    return bound


def formula_of(proof: object) -> str:
    """Return the formula that a proof is about; empty where it is about none."""
    question = getattr(proof, "question", None)
    return str(question) if isinstance(question, Temporal) else str(getattr(proof, "formula", ""))


def check_proof_text(
    text: str, program: Program, nodes: int, budget: Budget, endless: bool = False
) -> tuple[Target, ...]:
    """Return the targets that a proof file excludes, none where it is about the end of runs; see `examine`."""
    return examine(text, program, nodes, budget, endless).targets


def examine(text: str, program: Program, nodes: int, budget: Budget, endless: bool = False) -> Proved:
    """Return what a proof file proves.

    Raises `ProofError` unless it is a proof of that.
    `nodes` is the size of the node table; a proof that needs a larger one raises `OutOfNodes`.  With `endless`, two
    threads of one procedure are to stand for any number of them.
    """
    return examine_evidence(text, program, nodes, budget, endless)[0]


def examine_evidence(
    text: str, program: Program, nodes: int, budget: Budget, endless: bool = False
) -> tuple[Proved, object]:
    """Return what a proof file proves, as `examine` does, and the proof, run or lasso itself."""
    return _examine(text, program, nodes, budget, endless, _check_document)


def read_evidence(text: str, program: Program, nodes: int, budget: Budget) -> tuple[Proved, object]:
    """Return what a proof file says that it proves, and the proof; it is for texts that the kernel has checked."""
    return _examine(text, program, nodes, budget, False, _read_document)


def _examine(
    text: str, program: Program, nodes: int, budget: Budget, endless: bool, look: _Look
) -> tuple[Proved, object]:
    """Return what a proof file proves where `look` returns its proof."""
    document, kind = read_document(text)
    check_subject(document, program)
    targets = targets_of(document, program)
    if not targets and not kind.ends:
        raise ProofError("the proof excludes no target")
    if targets and not (kind.excludes or kind.reaches):
        raise ProofError("this is no proof: it is about the end of runs, and excludes no target")
    if endless and not kind.threads:
        raise ProofError(f"the proof is about {len(program.threads)} threads, not about any number of them")
    try:
        proof, failure = look(kind, document, program, targets, nodes, budget)
    except MalformedNodes as wrong:
        raise ProofError(f"this is no proof: {wrong}") from None
    except InternalError as wrong:
        raise ProofError(f"the proof does not hold: {wrong}") from None
    runs = runs_asked(getattr(proof, "question", Termination()))
    proved = Proved(targets, kind.endless, bool(kind.reaches), bound_of(proof), formula_of(proof), runs, failure)
    return proved, proof


def _read_document(
    kind: ProofKind, document: dict[str, Any], program: Program, targets: Sequence[Target], nodes: int, budget: Budget
) -> tuple[object, Failure | None]:
    """Return the proof of a document."""
    if kind.reaches:
        raise ProofError("a run says how it fails when it is replayed")
    return kind.from_fields(document, program, nodes, budget), None


def _check_document(
    kind: ProofKind, document: dict[str, Any], program: Program, targets: Sequence[Target], nodes: int, budget: Budget
) -> tuple[object, Failure | None]:
    """Return the proof of a document where it holds, and of a run how it fails."""
    failure: Failure | None = None
    try:
        proof = kind.from_fields(document, program, nodes, budget)
        if kind.reaches:
            failure = load_named(kind.reaches)(proof, program, targets, budget)
        elif targets:
            load_named(kind.excludes)(proof, program, targets, budget)
        else:
            load_named(kind.ends)(proof, program, budget)
    except _BROKEN:
        if not kind.broken:
            raise
        raise ProofError(f"the proof does not hold: {kind.broken}") from None
    return proof, failure
