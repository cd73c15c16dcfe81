"""Regular expressions over weights as one shared graph without duplicates.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
section 4.1.1.  An expression is a number; equal expressions have equal numbers, and the parts of an expression have
smaller numbers than the expression itself, so ascending order is an order of evaluation.

Notation: ∅ no path, ε the empty path, r ∪ s, r · s (r happens first), r*, and two kinds of leaves: a weight, and a
variable, which stands for the weight of an out-node.  merge(g, r) is the weight g(1, r) of a completed call.
Simplified when made: r ∪ ∅ = r ∪ r = r, r · ε = ε · r = r, r · ∅ = ∅ · r = ∅, ∅* = ε* = ε, r** = (ε ∪ r)* = r*.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import suppress
from typing import Generic, TypeVar

from knaster.pushdown.merge import Merge

W = TypeVar("W")

NOTHING, UNIT, WEIGHT, VARIABLE, UNION, PRODUCT, STAR, MERGED = range(8)

SHIFT = 32
EMPTY = 0  # the expression ∅
EPSILON = 1  # the expression ε


class Expressions(Generic[W]):
    """The graph: expression e has the kind `kind[e]` and, where it has them, the operands `left[e]` and `right[e]`.

    A star and a merge have their operand on the right.  `left` of a weight is its place in `weights`, of a variable
    its number, of a merge its place in `merges`.  `varies[e]` tells whether a variable occurs in e.
    """

    def __init__(self, one: W) -> None:
        self.kind = [NOTHING, UNIT]
        self.left = [-1, -1]
        self.right = [-1, -1]
        self.varies = [False, False]
        self.weights: list[W] = []
        self.merges: list[Merge[W]] = []
        self.labels: dict[int, Hashable] = {}  # of leaves and merges that have one
        self._one = one
        self._leaves: dict[Hashable, int] = {}
        self._variables: dict[int, int] = {}
        self._unions: dict[int, int] = {}  # by both operands, packed into one number
        self._products: dict[int, int] = {}
        self._stars: dict[int, int] = {}
        self._merged: dict[tuple[int, int, Hashable], int] = {}

    def __len__(self) -> int:
        return len(self.kind)

    def weight(self, weight: W) -> int:
        """Return the leaf of a weight, the same one for equal weights; ε for 1."""
        key: Hashable = id(weight)
        found = self._leaves.get(key)
        if found is not None:
            return found
        if weight == self._one:
            found = EPSILON
        else:
            try:
                found = self._leaves.get(("weight", weight))
            except TypeError:  # a weight that cannot be hashed is only equal to itself
                found = None
            if found is None:
                found = self._leaf(weight)
                with suppress(TypeError):
                    self._leaves["weight", weight] = found
        self._leaves[key] = found
        self.weights.append(weight)  # whose identity is a key must not go away
        return found

    def labelled_leaf(self, label: Hashable, weight: W) -> int:
        """Return the leaf of a weight that is told apart from all others by its label, even where it is 1."""
        found = self._leaves.get(("label", label))
        if found is None:
            found = self._leaves["label", label] = self._leaf(weight)
            self.labels[found] = label
        return found

    def variable(self, number: int) -> int:
        """Return the variable with that number."""
        found = self._variables.get(number)
        if found is None:
            found = self._variables[number] = self._make(VARIABLE, number, -1, True)
        return found

    def union(self, first: int, second: int) -> int:
        """Return first ∪ second."""
        if first == second or second == EMPTY:
            return first
        if first == EMPTY:
            return second
        if first > second:
            first, second = second, first
        key = first << SHIFT | second
        found = self._unions.get(key)
        if found is None:
            varies = self.varies[first] or self.varies[second]
            found = self._unions[key] = self._make(UNION, first, second, varies)
        return found

    def product(self, first: int, second: int) -> int:
        """Return first · second."""
        if first == EPSILON or second == EMPTY:
            return second
        if second == EPSILON or first == EMPTY:
            return first
        key = first << SHIFT | second
        found = self._products.get(key)
        if found is None:
            varies = self.varies[first] or self.varies[second]
            found = self._products[key] = self._make(PRODUCT, first, second, varies)
        return found

    def reversed_product(self, first: int, second: int) -> int:
        """Return second · first: for paths whose last edge happens first."""
        return self.product(second, first)

    def star(self, body: int) -> int:
        """Return body*."""
        kind = self.kind[body]
        if kind == UNION and self.left[body] == EPSILON:
            body = self.right[body]
        elif kind == STAR:
            return body
        if body <= EPSILON:
            return EPSILON
        found = self._stars.get(body)
        if found is None:
            found = self._stars[body] = self._make(STAR, -1, body, self.varies[body])
        return found

    def merge_call(self, merge: Merge[W], callee: int, label: Hashable = None) -> int:
        """Return the weight merge(1, callee) of a completed call, told apart from others by its label if it has one."""
        key = (id(merge), callee, label)
        found = self._merged.get(key)
        if found is None:
            self.merges.append(merge)
            found = self._merged[key] = self._make(MERGED, len(self.merges) - 1, callee, self.varies[callee])
            if label is not None:
                self.labels[found] = label
        return found

    def operands(self, expression: int) -> Iterator[int]:
        """Yield the operands of an expression, the first one first."""
        kind = self.kind[expression]
        if kind >= UNION:
            if kind <= PRODUCT:
                yield self.left[expression]
            yield self.right[expression]

    def _leaf(self, weight: W) -> int:
        self.weights.append(weight)
        return self._make(WEIGHT, len(self.weights) - 1, -1, False)

    def _make(self, kind: int, left: int, right: int, varies: bool) -> int:
        self.kind.append(kind)
        self.left.append(left)
        self.right.append(right)
        self.varies.append(varies)
        return len(self.kind) - 1
