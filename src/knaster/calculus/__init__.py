"""The fixed-point calculus: write a model checker as a formula.  Knows no programs.

system = parse(text, file="reach.mu")
solution = evaluate(system, relations={"Edge": [(0, 1), (1, 2)]})
solution.queries, solution.counts, list(solution.relation("Reach"))
"""

from knaster.calculus.relation import Relation, Symbolic
from knaster.calculus.session import Session, Solution, evaluate
from knaster.calculus.system import System, parse

__all__ = ["Relation", "Session", "Solution", "Symbolic", "System", "evaluate", "parse"]
