"""The obligations of a proof about sets: each is an implication, and whoever answers it is counted."""

from __future__ import annotations

from collections.abc import Iterable

from knaster_check.boolean.circuit import FALSE, TRUE, Circuit, Literal
from knaster_check.boolean.sat import refute
from knaster_check.refused import Refused
from knaster_check.work import STEP, Tick

BY_FORM = "by form"


class Obligations:
    """What has been answered so far, by whom and how often."""

    def __init__(self, tick: Tick) -> None:
        self.tick = tick
        self.answered: dict[str, int] = {}

    def count(self, who: str) -> None:
        """Note that somebody has answered an obligation."""
        self.answered[who] = self.answered.get(who, 0) + 1

    def require(
        self, circuit: Circuit, premises: Iterable[Literal], conclusion: Literal, reason: str, place: str = ""
    ) -> None:
        """Refuse where the premises do not imply the conclusion, whatever the variables are."""
        if not self.follows(circuit, premises, conclusion):
            raise Refused(reason, place)

    def follows(self, circuit: Circuit, premises: Iterable[Literal], conclusion: Literal) -> bool:
        """Tell whether the premises imply the conclusion, whatever the variables are."""
        self.tick(STEP + circuit.take_work())
        known = [literal for literal in premises if literal != TRUE]
        if conclusion == TRUE or conclusion in known or FALSE in known:
            self.count(BY_FORM)
            return True
        who = refute(circuit.clauses([*known, -conclusion]), self.tick)
        if who is not None:
            self.count(who)
        return who is not None
