"""Answers by path expressions, and runs that justify them, for the functions of `knaster.pushdown.runs.witness`.

The question is an expression of its own: the product of the answer and the asked configurations is a graph whose edges
carry a mark that names the transition read, followed by the transition's expression.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

from knaster.pushdown.automaton import Automaton
from knaster.pushdown.fast.expression import EPSILON
from knaster.pushdown.fast.paths import PathExpressions
from knaster.pushdown.fast.regions import ROOT, Edge
from knaster.pushdown.fast.rules import state_of
from knaster.pushdown.fast.solver import FastSolver
from knaster.pushdown.runs.search import Found
from knaster.pushdown.saturation.least import LIMIT
from knaster.pushdown.saturation.query import Query, Summary, product
from knaster.pushdown.saturation.saturated import Answer
from knaster.pushdown.system import PushdownSystem

W = TypeVar("W")


def solve_fast(
    system: PushdownSystem[W], automaton: Automaton[W], *, forward: bool, witnesses: bool = False, limit: int = LIMIT
) -> Answer[W]:
    """Return the answer of post* or, `forward`, of pre*; with `witnesses` it can be asked for runs."""
    solver = FastSolver(system, automaton, forward=forward, labelled=witnesses, limit=limit)
    return solver.answer(system, ExpressionLog(solver) if witnesses else None)


class Read(NamedTuple):
    """The mark of a transition that reads a symbol of an asked configuration."""

    transition: int


class ExpressionLog(Generic[W]):
    """Finds runs for the answer of a solver whose leaves are labelled by rules."""

    def __init__(self, solver: FastSolver[W]) -> None:
        self.solver = solver

    def search(self, answer: Answer[W], configurations: Automaton[W]) -> ExpressionSearch[W]:
        """Return a search for runs to or from the asked configurations."""
        query = Query(answer, configurations)
        pairs = product(answer, query)
        final = [node for node, (q, c) in enumerate(pairs.nodes) if q in answer.final and c in query.final]
        return ExpressionSearch(self.solver, pairs, final)


class ExpressionSearch(Generic[W]):
    """Finds runs, each of which adds to the combined value `reached` of those before; `total` is all there is."""

    def __init__(self, solver: FastSolver[W], pairs: Summary[W], final: Sequence[int]) -> None:
        self._solver = solver
        self._domain = solver.domain
        paths = self._paths(pairs, final)
        roots = [(paths.expression(node), pairs.nodes[node][0]) for node in pairs.starts]
        roots += [(self._marked(t), state_of(solver.dependence.graph.key[t])) for t in pairs.empty]
        self._roots = roots
        self.reached = self.total = self._domain.zero
        for root, _ in roots:
            self.total = self._domain.combine(self.total, solver.equations.weight(root))

    def next_run(self) -> Found[W]:
        """Return a run whose value is not below `reached`, which it joins."""
        return self.run_with(self._adds)

    def run_with(self, wanted: Callable[[W], bool]) -> Found[W]:
        """Return a run with a wanted value.  Requires: `total` is wanted; a + b is wanted iff a or b is."""
        weight = self._solver.equations.weight
        choices = [choice for choice in self._roots if wanted(weight(choice[0]))]
        root, control = next((each for each in choices if weight(each[0]) == self.total), choices[0])
        labels, value = self._solver.ways.find(root, wanted)
        self.reached = self._domain.combine(self.reached, value)
        path = [label.transition for label in labels if isinstance(label, Read)]
        places = self._solver.rules.place
        numbers = [places[label] for label in labels if isinstance(label, int)]
        return Found(path if self._solver.dependence.forward else path[::-1], control, numbers, value)

    def _adds(self, value: W) -> bool:
        return bool(self._domain.combine(self.reached, value) != self.reached)

    def _paths(self, pairs: Summary[W], final: Sequence[int]) -> PathExpressions:
        edges: list[Edge] = [(ROOT, node, EPSILON) for node in final]
        for after, arrows in enumerate(pairs.into):
            edges += [(after, node, self._marked(t)) for node, t in arrows]
        paths = PathExpressions(self._solver.expressions, self._solver.dot)
        paths.solve(range(len(pairs.nodes)), edges)
        return paths

    def _marked(self, t: int) -> int:
        make = self._solver.expressions
        return make.product(make.labelled(Read(t), self._domain.one), self._solver.expression(t))
