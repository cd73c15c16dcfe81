"""Checks a proof of any kind by the checker that THE TABLE names, and says so by a `Checked`, which nobody else makes.

Whoever holds a `Checked` need not check its proof again: `decide.conclusions` believes it as far as it goes.
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import InternalError
from knaster.base.lazy import load_named
from knaster.base.limits import Budget
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.proofs.table import Proof, kind_of
from knaster.evidence.questions.question import Target
from knaster.program.model import Program


class Checked(NamedTuple):
    """A proof that holds of `program`: it excludes `targets`, or it shows how runs end."""

    proof: Proof
    how: str  # what the checker says about it, such as the arithmetic; often nothing
    program: Program
    targets: frozenset[Target] = frozenset()
    ends: bool = False  # it shows that every run ends

    def excludes(self, program: Program, targets: Iterable[Target]) -> bool:
        """Tell whether it shows that no run of this very program reaches one of these targets."""
        return not self.ends and self.program is program and self.targets.issuperset(targets)

    def shows_end(self, program: Program, proof: Proof) -> bool:
        """Tell whether it shows, by this very proof, that every run of this very program ends."""
        return self.ends and self.program is program and self.proof is proof


def check_excludes(proof: Proof, program: Program, targets: Iterable[Target], budget: Budget) -> Checked:
    """Check that no run of a program reaches one of the targets, within the bound of the proof if it has one.

    Raises `InternalError` where the proof does not hold, `OutOfBudget` where nobody can say.
    """
    kind, excluded = kind_of(proof), tuple(targets)
    if kind is None or not kind.excludes:
        raise InternalError(f"{proof!r} is no proof that something is unreachable")
    how = load_named(kind.excludes)(proof, program, excluded, budget)
    return Checked(proof, how or "", program, frozenset(excluded))


def check_ends(proof: Proof, program: Program, budget: Budget) -> Checked:
    """Check that every run of a program ends.

    Raises `InternalError` where the proof does not hold, `OutOfBudget` where nobody can say.
    """
    kind = kind_of(proof)
    if kind is None or not kind.ends or kind.endless:
        raise InternalError(f"{proof!r} is no proof that every run ends")
    how = load_named(kind.ends)(proof, program, budget)
    return Checked(proof, how or "", program, ends=True)
