"""Predicate abstraction from above and below, with more predicates until one of the two sides decides.

A. Gurfinkel, O. Wei and M. Chechik, Model Checking Recursive Programs with Exact Predicate Abstraction (ATVA 2008).
In reading order:

    engine                 the loop of refinement
    equations              both sides: what can be reached, and what never ends, as least and greatest sets of states
    must_runs, may_runs    runs that stay in the must sets, and those that the may sets suggest; `execute` is one step
    lassos, lasso_path     the same for runs that never end
    abstract_path          a path of the may side into a target; `concrete_path` is a run along it
    predicates_from_runs   what predicates runs suggest; `user_predicates` are those of a user
    proof_forwards         invariants by path edges of the Boolean program; `proof_backwards` by the may sets themselves
    partial_answers        what both sides say that does not decide the question; `conditions` puts sets into few words
"""

from __future__ import annotations

from knaster.base.options import Options, option
from knaster.engines.card import Card
from knaster.engines.integers import UNITS
from knaster.engines.requirements import INTEGERS, NO_FORMULAS, SEQUENTIAL


class YasmOptions(Options):
    """Predicate abstraction from both sides."""

    predicate: tuple[str, ...] = option((), "a predicate to begin with, as in 'main: x > 0'")
    refine: bool = option(True, "do not look for other predicates")
    refinements: int = option(30, "give up after so many rounds of new predicates")
    units: int = option(UNITS, "C: give up beyond so many resource units of z3, a few minutes")


CARD = Card(
    "yasm",
    "C: predicates, from above and below (YASM)",
    paper=(
        "Gurfinkel, Wei and Chechik, *Model Checking Recursive Programs with Exact Predicate Abstraction* (ATVA 2008)"
    ),
    missing=("finite data and EG p of C (Boolean programs: `ranks`)",),
    requires=(SEQUENTIAL, INTEGERS, NO_FORMULAS),
    run="knaster.engines.integers.yasm.engine:yasm",
    options=YasmOptions,
)
