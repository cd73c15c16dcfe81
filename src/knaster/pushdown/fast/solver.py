"""FWPDS: post* and pre* by path expressions; a weight is computed when it is asked for.

Lal (PhD thesis, University of Wisconsin, 2009), chapter 4.  One saturation without weights gives the dependence graph
(`post.py`, `pre.py`); each intragraph is turned into path expressions (`paths.py`) when one of its vertices is needed;
calls are variables, whose equations are solved callees first (`equations.py`).

Merge functions must satisfy path extension, so that g(a, b) = a · g(1, b) (specification E22).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar, overload

from knaster.errors import UsageError
from knaster.pushdown.answer import Answer
from knaster.pushdown.automaton import Automaton, number_automaton
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
        dot = self.expressions.reversed_product if forward else self.expressions.product
        self.paths = PathExpressions(graph.into, graph.out, self.expressions, dot)
        self.equations = Equations(domain, self.expressions, self.evaluator, self.expression, limit)

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

    def answer(self, system: PushdownSystem[W]) -> Answer[W]:
        """Return the answer as an automaton whose weights are computed when they are read."""
        graph, numbered = self.dependence.graph, self.automaton
        empty = numbered.empty
        symbols = [symbol_of(key) for key in graph.key]
        return Answer(
            system,
            self.dependence.forward,
            [state_of(key) for key in graph.key],
            [empty if symbol == EMPTY_WORD else symbol for symbol in symbols],
            graph.target,
            LazyWeights(self),
            numbered.final,
            numbered.controls,
            numbered.states,
            numbered.symbols,
            self.dependence.middle,
        )


class LazyWeights(Sequence[W]):
    """The weights of all transitions, each computed when it is read."""

    def __init__(self, solver: FastSolver[W]) -> None:
        self.solver = solver

    def __len__(self) -> int:
        return len(self.solver)

    @overload
    def __getitem__(self, place: int) -> W: ...

    @overload
    def __getitem__(self, place: slice) -> list[W]: ...

    def __getitem__(self, place: int | slice) -> W | list[W]:
        if isinstance(place, slice):
            return [self.solver.weight(vertex) for vertex in range(*place.indices(len(self)))]
        return self.solver.weight(range(len(self))[place])


def fast_post_star(system: PushdownSystem[W], automaton: Automaton[W], *, limit: int = LIMIT) -> Answer[W]:
    """Return what `post_star` returns, by path expressions."""
    return FastSolver(system, automaton, forward=False, limit=limit).answer(system)


def fast_pre_star(system: PushdownSystem[W], automaton: Automaton[W], *, limit: int = LIMIT) -> Answer[W]:
    """Return what `pre_star` returns, by path expressions."""
    return FastSolver(system, automaton, forward=True, limit=limit).answer(system)


def require_path_extension(system: PushdownSystem[W]) -> None:
    """Raise `UsageError` where a merge function has no path extension."""
    if not system.has_path_extension():
        raise UsageError("path expressions need merge functions with path extension; use post* without them")
