"""Which lapses a proof by invariants does not exclude: the steps at which a run may leave what C defines."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.limits import Budget
from knaster.checkers.open_conditions import Condition, unexcluded_kinds
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.questions.undefined_steps import Lapse


def lapses_left(found: Sequence[Lapse], proof: Invariants, budget: Budget) -> set[Lapse]:
    """Return the lapses that a proof, which has to hold, does not exclude; of those of one line and kind, all."""
    asked = [
        Condition(lapse.place, lapse.condition, (lapse.line, lapse.what))
        for lapse in found
        if lapse.condition is not None
    ]
    left = unexcluded_kinds(asked, proof, budget)
    return {lapse for lapse in found if lapse.condition is None or (lapse.line, lapse.what) in left}
