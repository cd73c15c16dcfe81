"""What a formula says of an infinite word that repeats itself: the meaning that everything else is compared with.

A *word* is a lasso of letters, first the stem and then the cycle for ever; a letter is the set of atoms that it makes
true.  Each subformula is evaluated at each position, from the definitions: until is a least, release a greatest fixed
point on the ring of positions.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.automata.ltl import Atom, Binary, Constant, Formula, Operator, Unary, subformulas
from knaster.automata.ltl_parser import parse_ltl
from knaster.base.errors import UsageError
from knaster.base.named_tuples import NamedTuple

Letter = frozenset[str]  # the texts of the atoms that hold
Truth = list[bool]  # of a formula, by position


class Word(NamedTuple):
    """The letters of the stem, and those of the cycle, of which there is at least one."""

    stem: tuple[Letter, ...]
    cycle: tuple[Letter, ...]

    @classmethod
    def of(cls, stem: Sequence[Sequence[str]], cycle: Sequence[Sequence[str]]) -> Word:
        """Return the word whose letters are given as lists of atoms."""
        return cls(tuple(map(frozenset, stem)), tuple(map(frozenset, cycle)))


def holds(formula: Formula | str, word: Word) -> bool:
    """Tell whether a formula holds on a word, at its first letter."""
    tree = parse_ltl(formula) if isinstance(formula, str) else formula
    if not word.cycle:
        raise UsageError("a word without a cycle ends, and formulas speak of words that do not")
    letters = word.stem + word.cycle
    following = [*range(1, len(letters)), len(word.stem)]
    truths: dict[Formula, Truth] = {}
    for each in subformulas(tree):
        if each not in truths:
            truths[each] = _evaluate(each, truths, letters, following)
    return truths[tree][0]


def _evaluate(formula: Formula, known: dict[Formula, Truth], letters: tuple[Letter, ...], after: list[int]) -> Truth:
    match formula:
        case Constant(value):
            return [value] * len(letters)
        case Atom(text):
            return [text in letter for letter in letters]
        case Unary(Operator.NOT, operand):
            return [not value for value in known[operand]]
        case Unary(Operator.NEXT, operand):
            return [known[operand][position] for position in after]
        case Unary(Operator.EVENTUALLY, operand):
            return _least([True] * len(letters), known[operand], after)
        case Unary(_, operand):
            return _greatest([False] * len(letters), known[operand], after)
        case Binary(operator, left, right):
            return _evaluate_binary(operator, known[left], known[right], after)


def _evaluate_binary(operator: Operator, left: Truth, right: Truth, after: list[int]) -> Truth:
    pairs = list(zip(left, right, strict=True))
    match operator:
        case Operator.AND:
            return [a and b for a, b in pairs]
        case Operator.OR:
            return [a or b for a, b in pairs]
        case Operator.IMPLIES:
            return [not a or b for a, b in pairs]
        case Operator.IFF:
            return [a == b for a, b in pairs]
        case Operator.UNTIL:
            return _least(left, right, after)
        case Operator.RELEASE:
            return _greatest(left, right, after)
        case _:  # p W q is q R (p | q)
            return _greatest(right, [a or b for a, b in pairs], after)


def _least(left: Truth, right: Truth, after: list[int]) -> Truth:
    """Return left until right: once round the ring from the end, twice because the cycle comes back."""
    found = [False] * len(right)
    for position in [*reversed(range(len(right)))] * 2:
        found[position] = right[position] or (left[position] and found[after[position]])
    return found


def _greatest(left: Truth, right: Truth, after: list[int]) -> Truth:
    """Return left releases right."""
    found = [True] * len(right)
    for position in [*reversed(range(len(right)))] * 2:
        found[position] = right[position] and (left[position] or found[after[position]])
    return found
