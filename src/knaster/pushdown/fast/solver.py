"""FWPDS: post* and pre* by path expressions; a weight is computed when it is asked for.

Lal (PhD thesis, University of Wisconsin, 2009), chapter 4.  One saturation without weights gives the dependence graph
(`post.py`, `pre.py`); each intragraph is turned into path expressions (`paths.py`) when one of its vertices is needed;
calls are variables, whose equations are solved callees first (`equations.py`).

Merge functions must satisfy path extension, so that g(a, b) = a · g(1, b) (specification E22).
"""

from __future__ import annotations

from typing import Generic, TypeVar

from knaster.errors import UsageError
from knaster.pushdown.answer import Answer
from knaster.pushdown.automaton import Automaton, number_automaton
from knaster.pushdown.derivations import FindsRuns
from knaster.pushdown.fast.answer import FastAnswer, OnDemand
from knaster.pushdown.fast.contexts import Contexts
from knaster.pushdown.fast.equations import Equations
from knaster.pushdown.fast.evaluate import Evaluator
from knaster.pushdown.fast.expression import Expressions
from knaster.pushdown.fast.paths import PathExpressions
from knaster.pushdown.fast.post import PostDependence
from knaster.pushdown.fast.pre import PreDependence
from knaster.pushdown.fast.rules import EMPTY_WORD, NumberedRules, state_of, symbol_of
from knaster.pushdown.relation import LIMIT
from knaster.pushdown.system import PushdownSystem

W = TypeVar("W")


class FastSolver(Generic[W]):
    """One question to one system: the transitions of the answer, each with an expression and, on demand, a weight."""

    def __init__(
        self,
        system: PushdownSystem[W],
        automaton: Automaton[W],
        *,
        forward: bool,
        labelled: bool = False,
        limit: int = LIMIT,
    ) -> None:
        require_path_extension(system)
        domain, table = system.domain, system.table
        self.domain = domain
        self.automaton = number_automaton(table, automaton, domain)
        self.expressions: Expressions[W] = Expressions(domain.one)
        self.evaluator = Evaluator(domain, self.expressions)
        self.rules = NumberedRules(domain, self.expressions, labelled)
        make = PreDependence if forward else PostDependence
        self.dependence: PreDependence[W] | PostDependence[W] = make(self.rules, self.automaton, self.expressions)
        rows = zip(table.source, table.symbol, table.target, table.first, table.second, strict=True)
        self.dependence.add(self.rules.extend(system.rules, rows))
        graph = self.dependence.graph
        self.dot = self.expressions.reversed_product if forward else self.expressions.product
        self.paths = PathExpressions(graph.into, graph.out, self.expressions, self.dot)
        self._contexts: Contexts[W] | None = None
        self._transitions = 0
        self.equations = Equations(domain, self.expressions, self.evaluator, self.expression, limit, labelled)

    def __len__(self) -> int:
        return len(self.dependence.graph)

    def expression(self, vertex: int) -> int:
        """Return the path expression of a transition."""
        part = self.dependence.intragraph(vertex)
        if part in self.dependence.touched:
            self.dependence.touched.discard(part)
            self.paths.solve(self.dependence.members(part))
        return self.paths.expression(vertex)

    def weight(self, vertex: int) -> W:
        """Return the weight of a transition."""
        return self.equations.weight(self.expression(vertex))

    def context(self, state: int) -> int:
        """Return the expression of all ways from a state of the answer to a final state."""
        graph = self.dependence.graph
        if self._contexts is None or self._transitions != len(graph):
            self._transitions = len(graph)
            first = 0 if self.dependence.forward else self.automaton.controls
            arrows = (
                (state_of(key), graph.target[vertex], vertex)
                for vertex, key in enumerate(graph.key)
                if symbol_of(key) != EMPTY_WORD and state_of(key) >= first
            )
            self._contexts = Contexts(arrows, sorted(self.automaton.final), self.expressions, self.dot)
        return self._contexts.expression(state)

    def answer(self, system: PushdownSystem[W], log: FindsRuns | None = None) -> Answer[W]:
        """Return the answer as an automaton whose weights are computed when they are read."""
        graph, numbered = self.dependence.graph, self.automaton
        empty = numbered.empty
        symbols = [symbol_of(key) for key in graph.key]
        return FastAnswer(
            system,
            self.dependence.forward,
            [state_of(key) for key in graph.key],
            [empty if symbol == EMPTY_WORD else symbol for symbol in symbols],
            graph.target,
            OnDemand(len(graph), self.weight),
            numbered.final,
            numbered.controls,
            numbered.states,
            numbered.symbols,
            self.dependence.middle,
            log,
            below=lambda state: self.equations.weight(self.context(state)),
        )


def require_path_extension(system: PushdownSystem[W]) -> None:
    """Raise `UsageError` where a merge function has no path extension."""
    if not system.has_path_extension():
        raise UsageError("path expressions need merge functions with path extension; use post* without them")
