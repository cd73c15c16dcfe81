"""Formulas of linear temporal logic as trees, and the text of one.

A. Pnueli, The temporal logic of programs (FOCS 1977).  An atom is a text that somebody else understands; where it
stood in the text of the formula goes along, for whoever refuses it.

Notation: X next, F eventually, G always, U until, W weak until, R release.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TypeAlias

from knaster.base.records import dataclass, field


class Operator(Enum):
    """What a formula does with its operands; the value is its spelling."""

    NOT = "!"
    NEXT = "X"
    EVENTUALLY = "F"
    ALWAYS = "G"
    UNTIL = "U"
    WEAK = "W"
    RELEASE = "R"
    AND = "&"
    OR = "|"
    IMPLIES = "->"
    IFF = "<->"


@dataclass(frozen=True, slots=True)
class Constant:
    """True or false of every word."""

    value: bool


@dataclass(frozen=True, slots=True)
class Atom:
    """What a letter makes true or not."""

    text: str
    column: int = field(default=1, compare=False)  # where it begins in the text of the formula


@dataclass(frozen=True, slots=True)
class Unary:
    """`!`, `X`, `F` or `G` of a formula."""

    operator: Operator
    operand: Formula


@dataclass(frozen=True, slots=True)
class Binary:
    """An operator between two formulas."""

    operator: Operator
    left: Formula
    right: Formula


Formula: TypeAlias = "Constant | Atom | Unary | Binary"
TRUE, FALSE = Constant(True), Constant(False)
UNARY = (Operator.NOT, Operator.NEXT, Operator.EVENTUALLY, Operator.ALWAYS)
LEVELS = (  # of binary operators, those that bind most tightly first; with one they lean to the right
    (Operator.UNTIL, Operator.WEAK, Operator.RELEASE),
    (Operator.AND,),
    (Operator.OR,),
    (Operator.IMPLIES,),
    (Operator.IFF,),
)
_LEVEL = {operator: level for level, operators in enumerate(LEVELS, start=1) for operator in operators}


def negate(formula: Formula) -> Formula:
    """Return the formula that holds where another one does not."""
    if isinstance(formula, Unary) and formula.operator is Operator.NOT:
        return formula.operand
    return Unary(Operator.NOT, formula)


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Yield every formula in a formula, operands before what is made of them, one occurrence after the other."""
    match formula:
        case Unary(_, operand):
            yield from subformulas(operand)
        case Binary(_, left, right):
            yield from subformulas(left)
            yield from subformulas(right)
    yield formula


def atoms(formula: Formula) -> tuple[Atom, ...]:
    """Return the atoms of a formula, each once, in the order of the text."""
    return tuple(dict.fromkeys(each for each in subformulas(formula) if isinstance(each, Atom)))


def to_text(formula: Formula) -> str:
    """Return a text that reads as the formula, with as few parentheses as that needs."""
    return _text(formula, len(LEVELS))


def _text(formula: Formula, level: int) -> str:
    match formula:
        case Constant(value):
            return "true" if value else "false"
        case Atom(text):
            return text
        case Unary(operator, operand):
            space = "" if operator is Operator.NOT else " "
            return f"{operator.value}{space}{_text(operand, 0)}"
        case Binary(operator, left, right):
            own = _LEVEL[operator]
            associates = operator in (Operator.AND, Operator.OR)
            sides = _text(left, own if associates else own - 1), _text(right, own - 1 if associates else own)
            text = f"{sides[0]} {operator.value} {sides[1]}"
            return text if own <= level else f"({text})"
