"""Units solved with what a session knows of them, and a sentence about what was solved again."""

from __future__ import annotations

from knaster.base.errors import ProofError
from knaster.pushdown.units.table import Solved, Table, Units, solve_units

DAMAGED = (ProofError, LookupError, TypeError, ValueError, AttributeError)
"""What a file that somebody changed leads to."""


def solve_known(units: Units, known: Table) -> Solved:
    """Solve what a table does not know; where the table is damaged, everything."""
    try:
        return solve_units(units, known)
    except DAMAGED:
        if not known:
            raise
        return solve_units(units, {})


def say(solved: Solved, why: str) -> str:
    """Return in a sentence what was solved again, and why everything was."""
    return f"solved from scratch: {why}" if why else solved.sentence()
