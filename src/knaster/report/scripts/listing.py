"""Every obligation of a proof about C, and the arithmetic in which a solver answers it.

The lists are those of the checkers (`checkers.invariants`, `checkers.ranking`, `checkers.recurrence`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from knaster.base.limits import Budget, OutOfBudget
from knaster.base.records import dataclass
from knaster.checkers.c.bit_vectors import BitVectors
from knaster.checkers.c.obligations import Obligation
from knaster.checkers.c.solvers import Solvers
from knaster.checkers.c.unbounded_integers import UnboundedIntegers
from knaster.checkers.c.walk import Claims, Walk
from knaster.checkers.invariants import Obligations
from knaster.checkers.ranking import Steps
from knaster.checkers.recurrence import list_obligations
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.ranking import Ranking
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.lasso import Lasso
from knaster.program.model import Program
from knaster.program.types import Type
from knaster.smt.door import Answer

Arithmetic = type[BitVectors] | type[UnboundedIntegers]
ARITHMETICS: tuple[Arithmetic, ...] = (BitVectors, UnboundedIntegers)


@dataclass(frozen=True, slots=True)
class Chapter:
    """Obligations that share their names."""

    title: str
    types: Mapping[str, Type]
    obligations: Sequence[Obligation]


def list_chapters(proof: object, program: Program, targets: Sequence[Target], budget: Budget) -> Iterator[Chapter]:
    """Yield the obligations of invariants, of a ranking or of recurrent sets; nothing of other proofs."""
    match proof:
        case Invariants():
            yield _list_invariants(proof, targets, budget)
        case Ranking():
            yield _list_invariants(proof.invariants, (), budget)
            steps = Steps(proof, budget)
            yield Chapter("the measure decreases", steps.walk.names.types, list(steps.all()))
        case Lasso(recurs=recurs) if recurs is not None:
            walk, place = Walk(program, Claims(), budget), (proof.stem.procedure, proof.stem.location)
            found = list_obligations(walk, place, recurs)
            yield Chapter("from every state of a set a run comes back into one", walk.names.types, found)


def _list_invariants(proof: Invariants, targets: Sequence[Target], budget: Budget) -> Chapter:
    making = Obligations(proof, budget)
    return Chapter("the invariants hold", making.walk.names.types, list(making.all(targets)))


def pick_arithmetics(chapter: Chapter, budget: Budget) -> list[Arithmetic]:
    """Return the arithmetic in which a solver answers each obligation.

    Raises `Refutation` where one is false, `OutOfBudget` where no solver answers.
    """
    solvers = Solvers(chapter.types, budget)
    picked: list[Arithmetic] = []
    for obligation in chapter.obligations:
        if solvers.answer(obligation) is Answer.UNKNOWN:
            raise OutOfBudget(f"no solver answers a question about the proof: whether {obligation.why}")
        picked.append(solvers.arithmetic)
    return picked
