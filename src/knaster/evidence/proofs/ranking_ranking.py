"""Why every run ends: a measure that decreases from each loop head or entry to the next.

A run that never ends passes loop heads, or entries of procedures that call each other, for ever: it steps over calls
that return and enters one that does not.  At each such point the proof has a tuple of integers over the values there;
every step from point to point decreases it lexicographically, in a component that is at least 0 before.  What else is
known at the points, and what callees guarantee, are invariants, which are checked as such.  `check_ranking` checks it
by z3 and shares nothing with the engines.

A. M. Turing, Checking a Large Routine (1949); R. W. Floyd, Assigning Meanings to Programs (1967).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from knaster.evidence.proofs.invariants_invariants import Invariants
from knaster.program.expression import Const, Expr
from knaster.program.model import Place, Program


@dataclass(frozen=True, slots=True)
class Ranking:
    """A tuple of integer expressions for each point, and the invariants that they need."""

    program: Program
    invariants: Invariants
    measures: Mapping[Place, tuple[Expr, ...]]
    ahead: bool = False  # only steps that another one can follow decrease them: a run that never ends has no other

    def __repr__(self) -> str:
        return f"<Ranking of {self.program.file}: {len(self.measures)} points>"

    def unreached(self) -> None:
        """Return nothing: which statements are never reached is not known."""


def shown(proof: Ranking) -> Iterator[tuple[Place, tuple[Expr, ...]]]:
    """Yield the measures as people want to see them: without components that only tell where the run is."""
    for place, measure in sorted(proof.measures.items()):
        told = tuple(expr for expr in measure if not isinstance(expr, Const))
        yield place, told
