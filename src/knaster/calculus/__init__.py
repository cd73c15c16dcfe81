"""The fixed-point calculus: write a model checker as a formula.  Knows no programs.

system = parse(text, file="reach.mu")
solution = evaluate(system, relations={"Edge": [(0, 1), (1, 2)]})
solution.queries, solution.counts, list(solution.relation("Reach"))
"""

from knaster.calculus.answers.evaluation import Session
from knaster.calculus.answers.solution import Solution, evaluate
from knaster.calculus.answers.tuples import Relation
from knaster.calculus.fixpoints.external_relations import Given, Place, Symbolic
from knaster.calculus.fixpoints.fixpoint import Diverged
from knaster.calculus.language.system import System, parse

__all__ = [
    "Diverged",
    "Given",
    "Place",
    "Relation",
    "Session",
    "Solution",
    "Symbolic",
    "System",
    "evaluate",
    "parse",
]
