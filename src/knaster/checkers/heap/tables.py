"""The checker that fits a table of a program with references."""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.evidence.proofs.effect_table import EffectTable
from knaster.evidence.proofs.state_table import StateTable
from knaster.evidence.questions.question import Target
from knaster.program.model import Program


def certify_table(proof: object, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` where a table does not prove that no target is reachable."""
    if isinstance(proof, StateTable):
        from knaster.checkers.heap.state_table import certify_states

        certify_states(proof, program, targets, budget)
    elif isinstance(proof, EffectTable):
        from knaster.checkers.heap.effect_table import certify_effects

        certify_effects(proof, program, targets, budget)
    else:
        raise InternalError("this is no proof about a program with references")
