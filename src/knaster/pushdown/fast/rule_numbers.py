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
        self.leaves: list[int] = []  # the expression of each weight; NONE until asked for where rules are labels
        self._given = 0

    def extend(self, rules: Sequence[Rule[W]], rows: Iterable[Row]) -> list[int | None]:
        """Add rules with their rows of a rule table; return their numbers, None for a rule of weight 0."""
        weights = {id(rule.weight): rule.weight for rule in rules}  # large systems share few weights
        zeros = {key for key, weight in weights.items() if weight == self._domain.zero}
        numbers: list[int | None] = []
        kept: list[Row] = []
        for rule, row in zip(rules, rows, strict=True):
            if id(rule.weight) in zeros:
                numbers.append(None)
            else:
                numbers.append(len(self.rule))
                self.rule.append(rule)
                kept.append(row)
        self.place += [self._given + place for place, number in enumerate(numbers) if number is not None]
        self._given += len(numbers)
        self.left += [source << SHIFT | symbol + 1 for source, symbol, _, _, _ in kept]
        self.to += [target for _, _, target, _, _ in kept]
        self.head += [target << SHIFT | first + 1 for _, _, target, first, _ in kept]
        self.pops += [first == NONE for _, _, _, first, _ in kept]
        self.second += [second for _, _, _, _, second in kept]
        if self._labelled:
            self.leaves += [NONE] * len(kept)
        else:
            leaf = {key: self._expressions.weight(weight) for key, weight in weights.items() if key not in zeros}
            self.leaves += [leaf[id(rule.weight)] for rule in self.rule[len(self.leaves) :]]
        return numbers

    def leaf(self, number: int) -> int:
        """Return the expression of a rule's weight."""
        leaf = self.leaves[number]
        if leaf == NONE:
            leaf = self.leaves[number] = self._expressions.labelled_leaf(number, self.rule[number].weight)
        return leaf

    def completed_call(self, number: int, callee: int) -> int:
        """Return the expression of a call by a push rule whose callee has returned: g(1, callee), or f · callee."""
        merge = self.rule[number].merge
        if merge is None:
            return self._expressions.product(self.leaf(number), callee)
        return self._expressions.merge_call(merge, callee, number if self._labelled else None)

    def unfinished_call(self, number: int, callee: int) -> int:
        """Return the expression of a call by a push rule whose callee goes on: f · callee."""
        return self._expressions.product(self.leaf(number), callee)
