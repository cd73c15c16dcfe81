"""Answers by path expressions, and runs that justify them.

The question is an expression of its own: the product of the answer and the asked configurations is a graph whose edges
carry a mark that names the transition read, followed by the transition's expression.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from knaster.pushdown.automaton import Automaton
from knaster.pushdown.fast.expression import EPSILON
from knaster.pushdown.fast.expression_runs import Way, Ways
from knaster.pushdown.fast.paths import PathExpressions
from knaster.pushdown.fast.regions import ROOT, Edge
from knaster.pushdown.fast.rule_numbers import state_of
from knaster.pushdown.fast.solver import FastSolver
from knaster.pushdown.runs.run_search import Read, RunSearch
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.least import LIMIT
from knaster.pushdown.saturation.query import Pairs, product
from knaster.pushdown.system import PushdownSystem
from knaster.pushdown.tick import Tick

W = TypeVar("W")


def solve_fast(
    system: PushdownSystem[W],
    automaton: Automaton[W],
    *,
    forward: bool,
    witnesses: bool = False,
    limit: int = LIMIT,
    tick: Tick | None = None,
) -> Answer[W]:
    """Return the answer of post* or, `forward`, of pre*; with `witnesses` it can be asked for runs."""
    solver = FastSolver(system, automaton, forward=forward, labelled=witnesses, limit=limit, tick=tick)
    return solver.answer(system, ExpressionLog(solver) if witnesses else None)


class ExpressionLog(Generic[W]):
    """Finds runs for the answer of a solver whose leaves are labelled by rules."""

    def __init__(self, solver: FastSolver[W]) -> None:
        self.solver = solver
        self._ways = Ways(solver)

    def search(self, answer: Answer[W], configurations: Automaton[W]) -> RunSearch[Way[W], W]:
        """Return a search for runs to or from the asked configurations."""
        solver, pairs = self.solver, product(answer, configurations)
        paths = self._paths(pairs)
        roots = [(Way[W](paths.expression(node)), pairs.nodes[node][0]) for node in pairs.starts]
        roots += [(Way[W](self._mark(t)), state_of(solver.dependence.graph.key[t])) for t in pairs.empty]
        return RunSearch(solver.domain, self._ways, roots, forward=answer.forward, tick=solver.tick)

    def any_search(self) -> RunSearch[Way[W], W]:
        """Return a search for runs of any expressions."""
        return RunSearch(self.solver.domain, self._ways, tick=self.solver.tick)

    def _paths(self, pairs: Pairs) -> PathExpressions:
        edges: list[Edge] = [(ROOT, node, EPSILON) for node in pairs.ends]
        for after, arrows in enumerate(pairs.into):
            edges += [(after, node, self._mark(t)) for node, t in arrows]
        paths = PathExpressions(self.solver.expressions, self.solver.dot, self.solver.tick)
        paths.solve(range(len(pairs.nodes)), edges)
        return paths

    def _mark(self, t: int) -> int:
        make = self.solver.expressions
        return make.product(make.labelled_leaf(Read(t), self.solver.domain.one), self.solver.expression(t))
