"""What `--proof FILE.smt2` and `--proof FILE.chc` write: a proof as a script for other people's solvers."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.errors import UsageError
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.c.bit_vectors import BitVectors
from knaster.checkers.c.terms import Unsuitable
from knaster.checkers.c.unbounded_integers import UnboundedIntegers
from knaster.checkers.files import proof_to_save
from knaster.evidence.answers.answer import Result
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.evidence.proofs.table import kind_of
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.lasso import Lasso
from knaster.report.scripts.horn_clauses import clauses_to_text
from knaster.report.scripts.listing import Arithmetic, list_chapters, pick_arithmetics
from knaster.report.scripts.smt_lib import obligations_to_text


def script_of(result: Result, file: str, budget: Budget) -> str:
    """Return the script that the name of a file asks for; raise `UsageError` where the proof has none."""
    proof, targets = proof_to_save(result)
    if not isinstance(proof, Invariants | Ranking) and not (isinstance(proof, Lasso) and proof.recurs is not None):
        raise UsageError(f"{result.file}: {_why_none(proof, file)}")
    if file.endswith(".chc") and not isinstance(proof, Invariants):
        raise UsageError(
            f"{result.file}: Horn clauses have invariants as their solution, and this proof is "
            f"{_describe(proof)}; a file that ends in .smt2 gets its obligations"
        )
    try:
        return _write(result, proof, targets, file, budget)
    except (Unsuitable, OutOfBudget) as gap:
        raise UsageError(f"{result.file}: no script has the whole proof: {gap}; {_INSTEAD}") from None


def _write(
    result: Result, proof: Invariants | Ranking | Lasso, targets: Sequence[Target], file: str, budget: Budget
) -> str:
    chapters = list(list_chapters(proof, result.program, targets, budget))
    picked = [pick_arithmetics(chapter, budget) for chapter in chapters]
    subject = _subject(proof, targets)
    if file.endswith(".chc"):
        assert isinstance(proof, Invariants)
        return clauses_to_text(proof, targets, _common(picked[0]), subject, budget)
    return obligations_to_text(result.program, list(zip(chapters, picked, strict=True)), subject)


def _common(picked: Sequence[Arithmetic]) -> Arithmetic:
    """Return the arithmetic of clauses: integers where some obligation was answered in no other."""
    return UnboundedIntegers if set(picked) == {UnboundedIntegers} else BitVectors


_INSTEAD = "a file with another ending gets the proof for 'knaster certify'"


def _why_none(proof: object, file: str) -> str:
    kind = kind_of(proof)
    ending = file[file.rindex(".") :]
    if kind is None:
        return f"there is no proof to write as {ending}"
    return f"{ending} is for invariants, measures and sets of C, and this proof is {_describe(proof)}; {_INSTEAD}"


def _describe(proof: object) -> str:
    if isinstance(proof, Ranking):
        return "a measure that decreases"
    if isinstance(proof, Lasso):
        return "a recurrent set" if proof.recurs is not None else "a run that comes back to where it was"
    kind = kind_of(proof)
    assert kind is not None
    return f"of another kind ({kind.name})"


def _subject(proof: object, targets: Sequence[Target]) -> str:
    if isinstance(proof, Ranking):
        return "every run ends"
    if isinstance(proof, Lasso):
        return "a run never ends, once it is in one of these sets"
    return ", ".join(target.name for target in targets) + " is never reached"
