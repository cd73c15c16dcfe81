"""The fixed-point calculus: write a model checker as a formula.  Knows no programs.

system = parse(text, file="reach.mu")
solution = evaluate(system, relations={"Edge": [(0, 1), (1, 2)]})
solution.queries, solution.counts, list(solution.relation("Reach"))
"""

from knaster.calculus.evaluation import Session
from knaster.calculus.fixpoint import Diverged
from knaster.calculus.given import Given, Place, Symbolic
from knaster.calculus.solution import Solution, evaluate
from knaster.calculus.system import System, parse
from knaster.calculus.tuples import Relation

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
