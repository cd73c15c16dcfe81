"""Incremental evaluation of expressions: only what a change reaches is computed again.

Lal (PhD thesis, University of Wisconsin, 2009), Figure 4.4 with its counters (specification E16), and differential
propagation as in section 4.2.2.  Differences: a change marks the expressions above it, so that unaffected parts are
not even visited; a star that changes reuses its old value, (w + d)* = w* · (d · w*)* (specification E18).

Notation: `_changed[e]` is the time at which the weight of e last changed, `_seen[e]` the time at which e last looked at
its operands, `_delta[e]` what its last change added and `_since[e]` the time of the change before that one.  Times
count changes of variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, cast

from knaster.pushdown.fast.expression import (
    EMPTY,
    EPSILON,
    MERGED,
    PRODUCT,
    STAR,
    UNION,
    VARIABLE,
    WEIGHT,
    Expressions,
)
from knaster.pushdown.semiring import (
    OffersDifference,
    OffersStar,
    Semiring,
    is_distributive,
    star,
)
from knaster.pushdown.tick import Tick

W = TypeVar("W")

NONE = -1
FRESH, STALE, FOUND = 0, 1, 2


class Evaluator(Generic[W]):
    """The weights of expressions, for given weights of the variables; a variable has none until it is set."""

    def __init__(self, domain: Semiring[W], expressions: Expressions[W], tick: Tick | None = None) -> None:
        self.evaluations = 0  # of unions, products, stars and merges
        self._domain = domain
        self._graph = expressions
        self._tick = tick
        self._offers_star = isinstance(domain, OffersStar)
        self._by_differences = isinstance(domain, OffersDifference) and is_distributive(domain)
        self._weight: list[W | None] = []
        self._state = bytearray()
        self._changed: list[int] = []
        self._seen: list[int] = []
        self._user_list: list[int] = []  # for every expression the first place in the two columns below, NONE if none
        self._user: list[int] = []
        self._next_user: list[int] = []
        self._delta: dict[int, W] = {}
        self._since: dict[int, int] = {}
        self.time = 0  # changes of variables so far
        self._grow()
        self._weight[EMPTY], self._weight[EPSILON] = domain.zero, domain.one
        self._state[EMPTY] = self._state[EPSILON] = FRESH

    def weight(self, expression: int) -> W:
        """Return the weight of an expression.  Requires: all variables that occur in it are set."""
        self._grow()
        if self._state[expression] == STALE:
            parts = sorted(self._stale_parts(expression))
            try:
                for number in parts:
                    if self._tick is not None:
                        self._tick()
                    self._refresh(number)
            finally:  # a domain or a tick may give up in the middle
                for number in parts:
                    if self._state[number] == FOUND:
                        self._state[number] = STALE
        return cast(W, self._weight[expression])

    def is_stale(self, expression: int) -> bool:
        """Tell whether the weight of an expression has to be computed, or computed again."""
        self._grow()
        return self._state[expression] == STALE

    def stale_variables(self, expression: int) -> list[int]:
        """Return the expressions of the variables without a weight that the weight of `expression` waits for."""
        self._grow()
        if self._state[expression] == FRESH:
            return []
        kind = self._graph.kind
        parts = self._stale_parts(expression)
        for number in parts:
            self._state[number] = STALE
        return sorted(number for number in parts if kind[number] == VARIABLE)

    def assigned_weight(self, variable: int) -> W | None:
        """Return the weight that the expression of a variable was given, if it was."""
        self._grow()
        return self._weight[variable]

    def assign(self, variable: int, weight: W, *, grows: bool = True) -> bool:
        """Set the expression of a variable; tell whether that is a change.  `grows` promises old ⊑ new."""
        self._grow()
        old = self._weight[variable]
        self._state[variable] = FRESH
        if old is not None and old == weight:
            return False
        self.time += 1
        self._note(variable, old, weight, None, grows)
        self._mark_users(variable)
        return True

    def stamp(self, variable: int) -> int:
        """Return when the expression of a variable last changed."""
        return self._changed[variable]

    def restore(self, variable: int, stamp: int) -> None:
        """Take the changes of a variable since `stamp` back.  Requires: it has the weight that it had then."""
        self._changed[variable] = stamp
        self._delta.pop(variable, None)

    def doubt(self, variable: int, seen: set[int]) -> Iterator[int]:
        """Let a variable and all in which it occurs be stale, without saying that it changed; yield what is not `seen`.

        What was stale already is visited too: there may be a new reason to doubt it.
        """
        self._grow()
        todo = [variable]
        while todo:
            number = todo.pop()
            if number not in seen:
                seen.add(number)
                self._state[number] = STALE
                todo += self._users(number)
                yield number

    def _grow(self) -> None:
        missing = len(self._graph) - len(self._weight)
        if missing:
            self._weight.extend([None] * missing)
            self._state.extend(bytes([STALE]) * missing)
            for column in (self._changed, self._seen, self._user_list):
                column.extend([NONE] * missing)

    def _stale_parts(self, expression: int) -> list[int]:
        """Return the stale expressions below and including a stale one, and mark them as found."""
        kind, left, right, state = self._graph.kind, self._graph.left, self._graph.right, self._state
        found = []
        todo = [expression]
        while todo:
            number = todo.pop()
            if state[number] == STALE:
                state[number] = FOUND
                found.append(number)
                sort = kind[number]
                if sort >= UNION:
                    todo.append(right[number])
                    if sort <= PRODUCT:
                        todo.append(left[number])
        return found

    def _refresh(self, number: int) -> None:
        """Bring the weight of an expression up to date.  Requires: its operands are."""
        old = self._weight[number]
        if old is None:
            self._weight[number] = self._compute(number)
            if self._graph.varies[number]:
                self._changed[number] = self._seen[number] = self.time
                self._register(number)
        else:
            seen = self._seen[number]
            changed = [operand for operand in self._graph.operands(number) if self._changed[operand] > seen]
            if changed:
                self._update(number, old, changed)
            self._seen[number] = self.time
        self._state[number] = FRESH

    def _update(self, number: int, old: W, changed: list[int]) -> None:
        """Compute a weight again, by differences where those of the changed operands are known."""
        seen = self._seen[number]
        if all(operand in self._delta and self._since[operand] <= seen for operand in changed):
            self.evaluations += 1
            added = self._add_changed(number, old, changed)
            new = self._domain.combine(old, added)
            if new != old:
                self._note(number, old, new, added, grows=True)
        else:
            new = self._compute(number)
            if new != old:
                self._note(number, old, new, None, grows=False)

    def _register(self, number: int) -> None:
        """Let the operands of an expression know that it uses them."""
        for operand in self._graph.operands(number):
            if self._graph.varies[operand]:
                self._next_user.append(self._user_list[operand])
                self._user_list[operand] = len(self._user)
                self._user.append(number)

    def compute(self, number: int, operands: Sequence[W]) -> W:
        """Return the weight of an expression for given weights of its operands."""
        kind, domain = self._graph.kind[number], self._domain
        self.evaluations += 1
        if kind == PRODUCT:
            return domain.extend(*operands)
        if kind == UNION:
            return domain.combine(*operands)
        if kind == STAR:
            return star(domain, operands[0])
        return self._graph.merges[self._graph.left[number]](domain.one, operands[0])

    def _compute(self, number: int) -> W:
        graph, weight = self._graph, self._weight
        if graph.kind[number] == WEIGHT:
            return graph.weights[graph.left[number]]
        right = cast(W, weight[graph.right[number]])
        if graph.kind[number] > PRODUCT:
            return self.compute(number, (right,))
        return self.compute(number, (cast(W, weight[graph.left[number]]), right))

    def _add_changed(self, number: int, old: W, changed: list[int]) -> W:
        graph, domain, delta = self._graph, self._domain, self._delta
        kind, left, right = graph.kind[number], graph.left[number], graph.right[number]
        if kind == STAR:
            if self._offers_star:
                return star(domain, cast(W, self._weight[right]))
            again = domain.extend(delta[right], old)
            return domain.extend(old, star(domain, again))
        if kind == MERGED:
            return graph.merges[left](domain.one, delta[right])
        if kind == UNION:
            parts = [delta[operand] for operand in changed]
        else:
            parts = []
            if left in changed:
                parts.append(domain.extend(delta[left], cast(W, self._weight[right])))
            if right in changed:
                parts.append(domain.extend(cast(W, self._weight[left]), delta[right]))
        return parts[0] if len(parts) == 1 else domain.combine(*parts)

    def _note(self, number: int, old: W | None, new: W, added: W | None, grows: bool) -> None:
        """Give an expression a new weight, and remember the difference where that can be used."""
        self._weight[number] = new
        self._since[number] = self._changed[number]
        self._changed[number] = self.time
        if grows and old is not None and self._by_differences:
            domain = cast(OffersDifference[W], self._domain)
            self._delta[number] = domain.diff(new if added is None else added, old)
        else:
            self._delta.pop(number, None)

    def _mark_users(self, number: int) -> None:
        """Mark every evaluated expression in which `number` occurs."""
        state = self._state
        todo = [number]
        while todo:
            for user in self._users(todo.pop()):
                if state[user] == FRESH:
                    state[user] = STALE
                    todo.append(user)

    def _users(self, number: int) -> Iterator[int]:
        """Yield the evaluated expressions of which `number` is an operand."""
        place = self._user_list[number]
        while place != NONE:
            yield self._user[place]
            place = self._next_user[place]
