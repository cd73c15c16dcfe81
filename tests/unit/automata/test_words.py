"""What formulas say of words: the definitions, written down once more as unrollings."""

from __future__ import annotations

from random import Random

import pytest

from knaster.automata.ltl import Atom, Binary, Constant, Formula, Operator, Unary
from knaster.automata.words import Word, holds
from knaster.base.errors import UsageError
from support.generators.ltl import random_formula, random_word


def holds_at(formula: Formula, word: Word, at: int) -> bool:
    """The meaning by looking as far as a cycle goes twice."""
    letters = word.stem + word.cycle * 12
    rest = range(at, min(at + 2 * len(word.stem + word.cycle) + 1, len(letters)))
    match formula:
        case Constant(value):
            return value
        case Atom(text):
            return text in letters[at]
        case Unary(Operator.NOT, inner):
            return not holds_at(inner, word, at)
        case Unary(Operator.NEXT, inner):
            return holds_at(inner, word, _wrap(at + 1, word))
        case Unary(Operator.EVENTUALLY, inner):
            return any(holds_at(inner, word, _wrap(k, word)) for k in rest)
        case Unary(_, inner):
            return all(holds_at(inner, word, _wrap(k, word)) for k in rest)
        case Binary(Operator.AND, a, b):
            return holds_at(a, word, at) and holds_at(b, word, at)
        case Binary(Operator.OR, a, b):
            return holds_at(a, word, at) or holds_at(b, word, at)
        case Binary(Operator.IMPLIES, a, b):
            return not holds_at(a, word, at) or holds_at(b, word, at)
        case Binary(Operator.IFF, a, b):
            return holds_at(a, word, at) == holds_at(b, word, at)
        case Binary(Operator.RELEASE, a, b):
            return not until(word, at, rest, lambda k: not holds_at(a, word, k), lambda k: not holds_at(b, word, k))
        case Binary(operator, a, b):
            found = until(word, at, rest, lambda k: holds_at(a, word, k), lambda k: holds_at(b, word, k))
            return found or (operator is Operator.WEAK and all(holds_at(a, word, _wrap(k, word)) for k in rest))


def until(word: Word, at: int, rest: range, left: object, right: object) -> bool:
    assert callable(left) and callable(right)
    return any(right(_wrap(k, word)) and all(left(_wrap(j, word)) for j in range(at, k)) for k in rest)


def _wrap(at: int, word: Word) -> int:
    size = len(word.stem) + len(word.cycle)
    return at if at < size else len(word.stem) + (at - len(word.stem)) % len(word.cycle)


def test_the_definitions() -> None:
    random = Random(2)
    for _ in range(400):
        formula, word = random_formula(random, random.randrange(5)), random_word(random)
        assert holds(formula, word) == holds_at(formula, word, 0)


def test_by_hand() -> None:
    word = Word.of([["p"], []], [["q"], []])
    assert holds("G F q", word) and not holds("F G q", word) and holds("p & X !p & X X q", word)
    assert holds("p U (!p U q)", word) and not holds("p U q", word) and holds("(!q) W q", word)


def test_a_word_ends_never() -> None:
    with pytest.raises(UsageError, match="cycle"):
        holds("p", Word.of([["p"]], []))
