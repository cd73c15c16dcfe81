"""What an infinite run is to refute: that every run ends, or that a formula holds on every run.

A run that *stays* is over or, where it *waits*, in a deadlock; one that goes *deeper* comes back with more below.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.program import Program
from knaster_check.refused import expect, text_of, truth_of
from knaster_check.table import Verdict
from knaster_check.temporal.formula import atoms, normal_form, read_formula
from knaster_check.temporal.graph import FAIRNESS
from knaster_check.temporal.letters import Meaning, meaning_of
from knaster_check.temporal.words import Letters, holds

FIELDS = ("formula", "fair", "deeper", "stays", "waits", "stem", "cycle")


class Refutation:
    """Which runs count, what is to be refuted, and how the run says that it ends."""

    def __init__(self, program: Program, data: Mapping[str, Any]) -> None:
        expect(data["fair"] in FAIRNESS, "there is no such fairness")
        self.fair: str = data["fair"]
        self.deeper, self.stays, self.waits = (truth_of(data[name], name) for name in ("deeper", "stays", "waits"))
        self.formula = None if data["formula"] is None else text_of(data["formula"], "the formula")
        expect(not (self.stays and self.formula is None), "a run that ends does not refute that every run does")
        expect(not (self.deeper and self.stays), "a run that stays goes deeper")
        expect(self.stays or not self.waits, "a run that goes on waits")
        tree = None if self.formula is None else read_formula(self.formula)
        self.negation = None if tree is None else normal_form(tree, False)
        self.meanings: dict[str, Meaning] = {} if tree is None else {a: meaning_of(program, a) for a in atoms(tree)}

    def is_refuted(self, stem: Letters, cycle: Letters) -> bool:
        """Tell whether a run with this word is not as it should be."""
        return self.negation is None or holds(self.negation, stem, cycle)

    def verdict(self, steps: int) -> Verdict:
        """Return what the run shows."""
        claim = "endless" if self.formula is None else "violated"
        return Verdict(claim, answered={"replayed": steps}, formula=self.formula or "", fair=self.fair)
