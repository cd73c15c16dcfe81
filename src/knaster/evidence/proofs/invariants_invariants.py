"""Invariants as a proof: what holds at the loops of a program over integers, what procedures require and guarantee.

An invariant speaks of the values now and, as ACSL's `\\old`, of those that globals and parameters had when the
activation began.  What holds at the exit of a procedure is its guarantee; what it requires of its entry values is what
keeps it away from targets.  `check_invariants` checks it by z3 and shares nothing with the engines.
R. W. Floyd, Assigning Meanings to Programs (1967); C. A. R. Hoare, Procedures and Parameters (1971).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knaster.program.expression import Expr, Var
from knaster.program.flat import built, flat
from knaster.program.model import Place, Program, old


@dataclass(frozen=True, slots=True)
class Invariants:
    """Invariants by place, and what each procedure requires.

    The places are at least the entry, the exit and the loop heads of each procedure that requires something.  One that
    is left out is without loops and recursion, and seen through by its callers; or it is never called.
    """

    program: Program
    requires: Mapping[str, Expr]  # over entry values
    at: Mapping[Place, Expr]  # over entry values and values now

    def __repr__(self) -> str:
        return f"<Invariants of {self.program.file}: {len(self.at)} places>"

    def unreached(self) -> None:
        """Return nothing: which statements are never reached is not known."""


def of_entry(expr: Expr) -> Expr:
    """Return a formula about the values now as one about entry values."""
    rows = flat(expr)
    return built([Var(old(r.name)) if isinstance(r, Var) and not r.name.startswith("\\") else r for r in rows])
