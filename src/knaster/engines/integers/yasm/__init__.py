"""Predicate abstraction from above and below, with more predicates until one of the two sides decides.

A. Gurfinkel, O. Wei and M. Chechik, Model Checking Recursive Programs with Exact Predicate Abstraction (ATVA 2008).
`engine` is the loop of refinement, `equations` the semantics of both sides; then runs from the must sets, proofs from
the may sets, and predicates from where they differ.
"""

from __future__ import annotations

from dataclasses import dataclass

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.integers import UNITS
from knaster.engines.requirements import INTEGERS, SEQUENTIAL


@dataclass(frozen=True, eq=False, repr=False)
class YasmOptions(Options):
    """Predicate abstraction from both sides."""

    predicate: tuple[str, ...] = option((), "a predicate to begin with, as in 'main: x > 0'")
    refine: bool = option(True, "do not look for other predicates")
    refinements: int = option(30, "give up after so many rounds of new predicates")
    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")


CARD = Card(
    "yasm",
    "C: predicates, from above and below (YASM)",
    requires=(SEQUENTIAL, INTEGERS),
    run="knaster.engines.integers.yasm.engine:yasm",
    options=YasmOptions,
)
