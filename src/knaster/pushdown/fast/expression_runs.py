"""Runs described by path expressions: a place is an expression, in the past of a recursive variable if need be.

Lal (PhD thesis, University of Wisconsin, 2009), section 4.2.1.  The leaves of expressions carry the rules, so a run is
a way through an expression; the equations keep the history of recursive variables, so that every way is well-founded.
An alternative that is worth as much as all together is preferred: where combine chooses, as it does between lengths,
the run has the whole weight.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from knaster.base.named_tuples import NamedTuple
from knaster.pushdown.fast.expression import EPSILON, MERGED, PRODUCT, STAR, UNION, VARIABLE
from knaster.pushdown.fast.solver import FastSolver
from knaster.pushdown.runs.run_search import Bound, Emit, Enter, Leave, Wanted

W = TypeVar("W")


class _Past(NamedTuple, Generic[W]):
    """Weights and versions as they were when a version of a recursive variable was found."""

    weights: Mapping[int, W]
    versions: Mapping[int, int]


class Way(NamedTuple, Generic[W]):
    """An expression, and the past in which it is looked at."""

    expression: int
    past: _Past[W] | None = None


class Ways(Generic[W]):
    """The places of a solver whose leaves are labelled by rules."""

    is_relaxed = False

    def __init__(self, solver: FastSolver[W]) -> None:
        self._domain = solver.domain
        self._graph = solver.expressions
        self._equations = solver.equations
        self._rules = solver.rules
        self._pasts: dict[tuple[int, int], _Past[W]] = {}

    def weight(self, way: Way[W]) -> W:
        """Return the weight of an expression, now or in the past."""
        expression, past = way
        if past is not None and expression in past.weights:
            return past.weights[expression]
        return self._equations.weight(expression)

    def parts(self, way: Way[W], bound: Bound[W], wanted: Wanted[W]) -> Sequence[Any]:
        """Return the parts of an expression."""
        graph, (expression, past) = self._graph, way
        kind, left, right = graph.kind[expression], graph.left[expression], graph.right[expression]
        if kind == PRODUCT:
            return Way(left, past), Way(right, past)
        if kind == UNION:
            return (self._choose(way, Way(left, past), Way(right, past), bound, wanted),)
        if kind == STAR:
            return self._unroll(Way(right, past), bound, wanted)
        if kind == VARIABLE:
            return (self._enter(way, bound),)
        if kind == MERGED:
            label = graph.labels[expression]
            assert isinstance(label, int)
            return Enter(self._rules.place[label], self._rules.rule[label]), Way(right, past), Leave()
        if expression == EPSILON:
            return ()
        mark: Any = graph.labels.get(expression)
        return (Emit(self._rules.place[mark] if isinstance(mark, int) else mark, self.weight(way)),)

    def _choose(self, whole: Way[W], first: Way[W], second: Way[W], bound: Bound[W], wanted: Wanted[W]) -> Way[W]:
        """Return an alternative that is wanted, if possible one that makes the other superfluous."""
        all_of_it = bound(self.weight(whole))
        some_of_it = bound(self.weight(first))
        if some_of_it == all_of_it:
            return first
        if bound(self.weight(second)) == all_of_it:
            return second
        return first if wanted(some_of_it) else second

    def _unroll(self, body: Way[W], bound: Bound[W], wanted: Wanted[W]) -> Sequence[Way[W]]:
        """Go round a loop as often as is needed for a wanted value."""
        weight, power = self.weight(body), self._domain.one
        rounds = 0
        while not wanted(bound(power)):
            power = self._domain.extend(power, weight)
            rounds += 1
        return [body] * rounds

    def _enter(self, way: Way[W], bound: Bound[W]) -> Way[W]:
        """Replace a variable by its right side, at the first time at which it was worth as much here as it is now."""
        variable, past = way
        root, history = self._equations.derivation(variable)
        if not history:
            return Way(root)
        latest = len(history) - 1
        if past is not None and variable in past.versions:
            latest = past.versions[variable]
        whole = bound(history[latest].weight)
        version = bisect_left(range(latest), True, key=lambda number: bound(history[number].weight) == whole)
        return Way(root, self._past(variable, root, version))

    def _past(self, variable: int, root: int, version: int) -> _Past[W]:
        """Return the weights below the right side of a variable when one of its versions was found."""
        key = (variable, version)
        found = self._pasts.get(key)
        if found is None:
            versions = self._equations.derivation(variable)[1][version].versions
            found = self._pasts[key] = _Past(self._equations.weights_then(root, versions), versions)
        return found
