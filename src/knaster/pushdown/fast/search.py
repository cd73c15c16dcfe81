"""Finding runs that make up a weight, from path expressions over rules.

Lal (PhD thesis, University of Wisconsin, 2009), section 4.2.1.  The leaves of expressions carry the rules, so a run is
a way through an expression; the equations keep the history of recursive variables, so that every way is well-founded.
Runs are found one after the other, from the left: an alternative is taken only if its weight, put in its place, is
still wanted.  Because weights distribute, every such alternative holds a run that is wanted, so nothing is undone.  An
alternative that is worth as much as all together is preferred: where combine chooses, as it does between lengths, the
run has the whole weight.

Notation: `left` the weight of the run so far and `after` the combined weight of everything that follows a place, both
within its procedure; the *bound* of a weight is the value of the whole run if that weight stood in the place.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from knaster.pushdown.fast.equations import Equations
from knaster.pushdown.fast.expression import EPSILON, MERGED, PRODUCT, STAR, UNION, VARIABLE, Expressions
from knaster.pushdown.semiring import Semiring

W = TypeVar("W")

Wanted = Callable[[W], bool]


class _Past(NamedTuple, Generic[W]):
    """Weights and versions as they were when a version of a recursive variable was found."""

    weights: Mapping[int, W]
    versions: Mapping[int, int]


class _Item(NamedTuple, Generic[W]):
    """An expression to be turned into labels, what comes after it, and the past in which it is looked at."""

    expression: int
    after: W
    past: _Past[W] | None


class _Return(NamedTuple):
    """The end of a merged call."""


class _Frame(NamedTuple, Generic[W]):
    """An open merged call: the caller's weight before it, its expression, what follows its return."""

    left: W
    call: int
    after: W


@dataclass(slots=True)
class _State(Generic[W]):
    """A run in the making: `todo` from right to left."""

    todo: list[_Item[W] | _Return]
    left: W
    frames: list[_Frame[W]] = field(default_factory=list)
    labels: list[Hashable] = field(default_factory=list)


class WaySearch(Generic[W]):
    """Finds ways through expressions: the labels on the way, in order, and their value."""

    def __init__(self, domain: Semiring[W], expressions: Expressions[W], equations: Equations[W]) -> None:
        self._domain = domain
        self._graph = expressions
        self._equations = equations
        self._pasts: dict[tuple[int, int], _Past[W]] = {}

    def find(self, expression: int, wanted: Wanted[W]) -> tuple[list[Hashable], W]:
        """Return the labels and the value of a way whose value is wanted.

        Requires: `wanted` holds for the weight of the expression; a + b is wanted iff a or b is.
        """
        one = self._domain.one
        self._equations.weight(expression)
        state: _State[W] = _State([_Item(expression, one, None)], one)
        while state.todo:
            item = state.todo.pop()
            if isinstance(item, _Return):
                frame = state.frames.pop()
                state.left = self._domain.extend(frame.left, self._merge(frame.call, state.left))
            else:
                self._replace(state, item, wanted)
        return state.labels, state.left

    def _replace(self, state: _State[W], item: _Item[W], wanted: Wanted[W]) -> None:
        """Put the parts of an expression in its place."""
        graph, (expression, after, past) = self._graph, item
        kind, left, right = graph.kind[expression], graph.left[expression], graph.right[expression]
        if kind == PRODUCT:
            state.todo.append(_Item(right, after, past))
            state.todo.append(_Item(left, self._domain.extend(self._weight(right, past), after), past))
        elif kind == UNION:
            state.todo.append(_Item(self._choose(state, item, wanted), after, past))
        elif kind == STAR:
            self._unroll(state, item, wanted)
        elif kind == VARIABLE:
            self._enter(state, item)
        elif kind == MERGED:
            state.labels.append(graph.labels[expression])
            state.frames.append(_Frame(state.left, expression, after))
            state.left = self._domain.one
            state.todo += [_Return(), _Item(right, self._domain.one, past)]
        elif expression != EPSILON:
            state.left = self._domain.extend(state.left, self._weight(expression, past))
            if expression in graph.labels:
                state.labels.append(graph.labels[expression])

    def _choose(self, state: _State[W], item: _Item[W], wanted: Wanted[W]) -> int:
        """Return an alternative that is wanted, if possible one that makes the other superfluous."""
        first, second = self._graph.left[item.expression], self._graph.right[item.expression]
        whole = self._bound(state, self._weight(item.expression, item.past), item.after)
        bounds = [self._bound(state, self._weight(each, item.past), item.after) for each in (first, second)]
        if bounds[0] == whole:
            return first
        if bounds[1] == whole:
            return second
        return first if wanted(bounds[0]) else second

    def _unroll(self, state: _State[W], item: _Item[W], wanted: Wanted[W]) -> None:
        """Go round a loop as often as is needed for a wanted value."""
        domain, body = self._domain, self._graph.right[item.expression]
        weight = self._weight(body, item.past)
        powers = [domain.one]
        while not wanted(self._bound(state, powers[-1], item.after)):
            powers.append(domain.extend(powers[-1], weight))
        for power in powers[:-1]:  # the last round has nothing of the loop after it
            state.todo.append(_Item(body, domain.extend(power, item.after), item.past))

    def _enter(self, state: _State[W], item: _Item[W]) -> None:
        """Replace a variable by its right side, at the first time at which it was worth as much here as it is now."""
        variable, after, past = item
        root, history = self._equations.derivation(variable)
        if not history:
            state.todo.append(_Item(root, after, None))
            return
        latest = len(history) - 1
        if past is not None and variable in past.versions:
            latest = past.versions[variable]
        whole = self._bound(state, history[latest].weight, after)
        version = bisect_left(
            range(latest), True, key=lambda number: self._bound(state, history[number].weight, after) == whole
        )
        state.todo.append(_Item(root, after, self._past(variable, root, version)))

    def _past(self, variable: int, root: int, version: int) -> _Past[W]:
        """Return the weights below the right side of a variable when one of its versions was found."""
        key = (variable, version)
        found = self._pasts.get(key)
        if found is None:
            versions = self._equations.derivation(variable)[1][version].versions
            found = self._pasts[key] = _Past(self._equations.weights_then(root, versions), versions)
        return found

    def _weight(self, expression: int, past: _Past[W] | None) -> W:
        if past is not None and expression in past.weights:
            return past.weights[expression]
        return self._equations.weight(expression)

    def _bound(self, state: _State[W], weight: W, after: W) -> W:
        """Return the value of the whole run if `weight` stood in the place in question."""
        extend = self._domain.extend
        value = extend(extend(state.left, weight), after)
        for frame in reversed(state.frames):
            value = extend(extend(frame.left, self._merge(frame.call, value)), frame.after)
        return value

    def _merge(self, call: int, callee: W) -> W:
        return self._graph.merges[self._graph.left[call]](self._domain.one, callee)
