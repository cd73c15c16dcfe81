"""FWPDS: post* and pre* by path expressions; a weight is computed when it is asked for.

Lal (PhD thesis, University of Wisconsin, 2009), chapter 4.  One saturation without weights gives the dependence graph
(`post.py`, `pre.py`); each intragraph is turned into path expressions (`paths.py`) when one of its vertices is needed;
calls are variables, whose equations are solved callees first (`equations.py`).

Merge functions must satisfy path extension, so that g(a, b) = a · g(1, b) (specification E22).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.pushdown.automaton import Automaton, number_automaton
from knaster.pushdown.fast.contexts import Contexts
from knaster.pushdown.fast.equations import Equations
from knaster.pushdown.fast.evaluate import Evaluator
from knaster.pushdown.fast.expression import EMPTY, EPSILON, Expressions
from knaster.pushdown.fast.lazy_answer import FastAnswer, OnDemand
from knaster.pushdown.fast.paths import PathExpressions
from knaster.pushdown.fast.post import PostDependence
from knaster.pushdown.fast.pre import PreDependence
from knaster.pushdown.fast.rule_numbers import EMPTY_WORD, LOW, SHIFT, NumberedRules, Row, pack, state_of
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.derivations import FindsRuns
from knaster.pushdown.saturation.least import LIMIT
from knaster.pushdown.system import PushdownSystem, Rule
from knaster.pushdown.tick import Tick

W = TypeVar("W")

PORTION = 20_000  # rules that are taken in between two ticks


class Procedures(Generic[W]):
    """The path expressions of intragraphs, made when one of their vertices is asked for, and again after an edit."""

    def __init__(self, dependence: PreDependence[W] | PostDependence[W], paths: PathExpressions) -> None:
        self._dependence, self._paths = dependence, paths
        self.rebuilt = 0  # intragraphs turned into path expressions

    def expression(self, vertex: int) -> int:
        """Return the path expression of a transition."""
        part, touched = self._dependence.intragraph(vertex), self._dependence.touched
        if part in touched:
            self._paths.solve(self._dependence.members(part), self._dependence.edges(part))
            touched.discard(part)
            self.rebuilt += 1
        return self._paths.expression(vertex)


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
        tick: Tick | None = None,
    ) -> None:
        require_path_extension(system)
        domain, table = system.domain, system.table
        self.domain = domain
        self.tick = tick
        self.automaton = number_automaton(table, automaton, domain)
        self.expressions: Expressions[W] = Expressions(domain.one)
        self.evaluator = Evaluator(domain, self.expressions, tick)
        self.rules = NumberedRules(domain, self.expressions, labelled)
        make = PreDependence if forward else PostDependence
        self.dependence: PreDependence[W] | PostDependence[W] = make(self.rules, self.automaton, self.expressions, tick)
        rows = list(zip(table.source, table.symbol, table.target, table.first, table.second, strict=True))
        numbers: list[int | None] = []
        for start in range(0, len(rows), PORTION):
            if tick is not None:
                tick()
            part = slice(start, start + PORTION)
            numbers += self.rules.extend(system.rules[part], rows[part])
        self.dependence.add([number for number in numbers if number is not None])
        self.dot = self.expressions.reversed_product if forward else self.expressions.product
        self.procedures = Procedures(self.dependence, PathExpressions(self.expressions, self.dot, tick))
        self._contexts: Contexts[W] | None = None
        self._below = 0
        self._version = 0
        right_side = self.procedures.expression
        self.equations = Equations(domain, self.expressions, self.evaluator, right_side, limit, labelled)

    def __len__(self) -> int:
        return len(self.dependence.graph)

    def expression(self, vertex: int) -> int:
        """Return the path expression of a transition."""
        return self.procedures.expression(vertex)

    def weight(self, vertex: int) -> W:
        """Return the weight of a transition."""
        return self.equations.weight(self.expression(vertex))

    def context(self, state: int) -> int:
        """Return the expression of all ways from a state of the answer to a final state."""
        graph, below = self.dependence.graph, self.dependence.below
        if self._contexts is None or self._below != len(below):
            arrows = ((state_of(graph.key[vertex]), graph.target[vertex], vertex) for vertex in below)
            paths = PathExpressions(self.expressions, self.dot, self.tick)
            self._contexts = Contexts(arrows, sorted(self.automaton.final), self.expressions, paths)
            self._below = len(below)
        return self._contexts.expression(state)

    def starting_with(self, control: int, symbols: Sequence[int]) -> int:
        """Return the expression of all configurations of a control state whose stacks start with some symbols."""
        total = EMPTY
        for state, path in self._read(control, symbols).items():
            total = self.expressions.union(total, self.dot(self.context(state), path))
        return total

    def exactly(self, control: int, symbols: Sequence[int]) -> int:
        """Return the expression of the configuration of a control state and a stack."""
        total = EMPTY
        for state, path in self._read(control, symbols or [EMPTY_WORD]).items():
            if state in self.automaton.final:
                total = self.expressions.union(total, path)
        return self.expressions.union(total, EPSILON) if not symbols and control in self.automaton.final else total

    def _read(self, control: int, symbols: Sequence[int]) -> dict[int, int]:
        """Return the states that the symbols lead to, each with the expression of all paths to it."""
        graph = self.dependence.graph
        reached = {control: EPSILON}
        for symbol in symbols:
            following: dict[int, int] = {}
            for state, path in reached.items():
                for vertex in graph.vertices_with(pack(state, symbol)):
                    target = graph.target[vertex]
                    more = self.dot(self.expression(vertex), path)
                    following[target] = self.expressions.union(following.get(target, EMPTY), more)
            reached = following
        return reached

    def edit(self, added: Sequence[tuple[Rule[W], Row]], removed: Sequence[int]) -> list[int | None]:
        """Change the rules; return the numbers of the added ones, None for a rule that cannot fire.

        What was computed and does not depend on the change is kept.
        """
        self._version += 1
        numbers = self.rules.extend([rule for rule, _ in added], [row for _, row in added])
        self.dependence.remove(removed)
        self.dependence.add([number for number in numbers if number is not None])
        touched = self.dependence.touched
        doubtful = [v for v in self.equations.solved_vertices() if self.dependence.intragraph(v) in touched]
        self.equations.reconsider(doubtful, shrinks=bool(removed))
        return numbers

    def _require(self, version: int) -> None:
        if version != self._version:
            raise UsageError("the rules were edited since this answer was given; ask again")

    def answer(self, system: PushdownSystem[W], log: FindsRuns | None = None) -> Answer[W]:
        """Return the answer as an automaton whose weights are computed when they are read."""
        graph, numbered = self.dependence.graph, self.automaton
        empty, version = numbered.empty, self._version
        symbols = [(key & LOW) - 1 for key in graph.key]

        def weight(vertex: int) -> W:
            self._require(version)
            return self.weight(vertex)

        def below(state: int) -> W:
            self._require(version)
            return self.equations.weight(self.context(state))

        return FastAnswer(
            system,
            self.dependence.forward,
            [key >> SHIFT for key in graph.key],
            [empty if symbol == EMPTY_WORD else symbol for symbol in symbols],
            list(graph.target),
            OnDemand(len(graph), weight),
            numbered.final,
            numbered.controls,
            numbered.states,
            numbered.symbols.copy(),
            list(self.dependence.middle),
            log,
            self.tick,
            below=below,
        )


def require_path_extension(system: PushdownSystem[W]) -> None:
    """Raise `UsageError` where a merge function has no path extension."""
    if not system.has_path_extension():
        raise UsageError("path expressions need merge functions with path extension; use post* without them")
