"""The checker that fits a table of a program with references."""

from __future__ import annotations

from collections.abc import Iterable

from knaster.errors import InternalError
from knaster.limits import Budget
from knaster.program.model import Program
from knaster.results.heap_table import EffectTable, StateTable
from knaster.results.question import Target


def certify_table(proof: object, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` where a table does not prove that no target is reachable."""
    if isinstance(proof, StateTable):
        from knaster.results.certify_states import certify_states

        certify_states(proof, program, targets, budget)
    elif isinstance(proof, EffectTable):
        from knaster.results.certify_effects import certify_effects

        certify_effects(proof, program, targets, budget)
    else:
        raise InternalError("this is no proof about a program with references")
