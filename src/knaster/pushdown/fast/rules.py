"""Rules and automaton in the numbers that the dependence graph works with; rules can be added and removed.

A *key* packs a state and a symbol into one integer, so that a transition is a key and a target state.  The empty word
is the symbol -1, which is NONE in a row: names of symbols may still be added.  A rule of weight 0 never fires and is
left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from knaster.pushdown.fast.expression import Expressions
from knaster.pushdown.numbering import NONE
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import Rule

W = TypeVar("W")

Row = tuple[int, int, int, int, int]  # (p, g, p', first, second), NONE for a symbol that is not there

SHIFT = 32
LOW = (1 << SHIFT) - 1
EMPTY_WORD = -1


def pack(state: int, symbol: int) -> int:
    """Return the key of a state and a symbol."""
    return state << SHIFT | symbol + 1


def state_of(key: int) -> int:
    """Return the state of a key."""
    return key >> SHIFT


def symbol_of(key: int) -> int:
    """Return the symbol of a key."""
    return (key & LOW) - 1


class NumberedRules(Generic[W]):
    """The rules <p, g> -> <p', u> by column: `left` the key (p, g), `to` p', `head` the key (p', first symbol of u).

    For a rule that pops, `head` is the key of p' and the empty word; `second` is NONE unless two symbols are pushed.
    """

    def __init__(self, domain: Semiring[W], expressions: Expressions[W], labelled: bool) -> None:
        self.left: list[int] = []
        self.to: list[int] = []
        self.head: list[int] = []
        self.pops: list[bool] = []
        self.second: list[int] = []
        self.rule: list[Rule[W]] = []
        self.place: list[int] = []  # of the rule among all that were given
        self._domain = domain
        self._expressions = expressions
        self._labelled = labelled
        self.leaves: list[int] = []  # the expression of each weight, NONE until `leaf` is asked
        self._given = 0

    def extend(self, rules: Sequence[Rule[W]], rows: Iterable[Row]) -> list[int | None]:
        """Add rules with their rows of a rule table; return their numbers, None for a rule of weight 0."""
        zero, is_zero = self._domain.zero, {}
        numbers: list[int | None] = []
        for rule, (source, symbol, target, first, second) in zip(rules, rows, strict=True):
            place = self._given
            self._given += 1
            key = id(rule.weight)  # large systems share few weights
            if key not in is_zero:
                is_zero[key] = rule.weight == zero
            if is_zero[key]:
                numbers.append(None)
                continue
            numbers.append(len(self.left))
            self.left.append(source << SHIFT | symbol + 1)
            self.to.append(target)
            self.head.append(target << SHIFT | first + 1)
            self.pops.append(first == NONE)
            self.second.append(second)
            self.rule.append(rule)
            self.place.append(place)
            self.leaves.append(NONE)
        return numbers

    def leaf(self, number: int) -> int:
        """Return the expression of a rule's weight."""
        leaf = self.leaves[number]
        if leaf == NONE:
            weight = self.rule[number].weight
            make = self._expressions
            leaf = make.labelled(number, weight) if self._labelled else make.weight(weight)
            self.leaves[number] = leaf
        return leaf

    def completed(self, number: int, callee: int) -> int:
        """Return the expression of a call by a push rule whose callee has returned: g(1, callee), or f · callee."""
        merge = self.rule[number].merge
        if merge is None:
            return self._expressions.product(self.leaf(number), callee)
        return self._expressions.merged(merge, callee, number if self._labelled else None)

    def unfinished(self, number: int, callee: int) -> int:
        """Return the expression of a call by a push rule whose callee goes on: f · callee."""
        return self._expressions.product(self.leaf(number), callee)
