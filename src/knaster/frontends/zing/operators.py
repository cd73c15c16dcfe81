"""What an operator makes of its operands: an expression and its type, or a mistake in words."""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.frontends.zing.kinds import INT, LONG, Kinds, Method, narrows, words
from knaster.frontends.zing.mistakes import Mistakes
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Expr,
    IntegerOperator,
    Member,
    Not,
    Operator,
)
from knaster.program.objects import SetCell, Update
from knaster.program.types import BOOL, Enumeration, Int, Pointer, Struct, Type

PRECEDENCE = {
    symbol: level
    for level, symbols in enumerate(
        ("||", "&&", "|", "^", "&", "== !=", "< <= > >= in", "<< >>", "+ -", "* / %", "unary"), start=1
    )
    for symbol in symbols.split()
}
UNARY = PRECEDENCE["unary"]
_CONNECTIVES = {"&": Operator.AND, "|": Operator.OR, "^": Operator.XOR}


@dataclass(frozen=True, slots=True)
class Operand:
    """A part of an expression: its meaning, its type (None where a mistake hides it), and its first token.

    `update` is the change that `s + e` or `s - e` makes to a set; such a value can only be assigned to that set.
    `call` is there where it is a call and nothing else.
    """

    expr: Expr
    type: Type | None
    at: int
    update: Update | None = None
    call: Invocation | None = None


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call that was read: the method (None where a mistake hides it), what is passed, the places of `out`."""

    method: Method | None
    passed: tuple[Expr, ...]
    outs: tuple[Operand, ...]
    at: int  # the token of the method's name


class Operators:
    """Applies operators and reports what does not fit."""

    def __init__(self, kinds: Kinds, mistakes: Mistakes) -> None:
        self.kinds = kinds
        self.mistakes = mistakes

    def unary(self, symbol: str, at: int, operand: Operand) -> Operand:
        """Return `symbol operand`."""
        span = self.mistakes.tokens.span(at)
        if symbol == "!":
            self.require(operand, BOOL, "'!' negates a bool")
            return Operand(Not(operand.expr), BOOL, at)
        self.require_number(operand, f"the sign '{symbol}'")
        wide = _wider(operand)
        if symbol == "+":
            return Operand(operand.expr, wide, at)
        if symbol == "~":
            return Operand(Arithmetic(IntegerOperator.XOR, operand.expr, Const(-1), wide, span), wide, at)
        if isinstance(operand.expr, Const) and isinstance(operand.expr.value, int):
            value = -operand.expr.value
            return Operand(Const(value), INT if INT.holds(value) else LONG, at)
        return Operand(Arithmetic(IntegerOperator.SUBTRACT, Const(0), operand.expr, wide, span), wide, at)

    def binary(self, symbol: str, at: int, left: Operand, right: Operand) -> Operand:
        """Return `left symbol right`."""
        span = self.mistakes.tokens.span(at)
        if symbol in ("&&", "||"):
            self.require(left, BOOL, f"'{symbol}' joins two bools")
            self.require(right, BOOL, f"'{symbol}' joins two bools")
            if symbol == "&&":
                return Operand(Conditional(left.expr, right.expr, FALSE), BOOL, left.at)
            return Operand(Conditional(left.expr, TRUE, right.expr), BOOL, left.at)
        if symbol in ("==", "!="):
            return self._equal(symbol, at, left, right)
        if symbol in ("<", "<=", ">", ">="):
            self.require_number(left, f"'{symbol}'")
            self.require_number(right, f"'{symbol}'")
            return Operand(Compare(Comparison(symbol), left.expr, right.expr), BOOL, left.at)
        if symbol == "in":
            return self._member(at, left, right, span)
        if symbol in _CONNECTIVES and BOOL in (left.type, right.type):
            self.require(left, BOOL, f"'{symbol}' joins two bools or two ints")
            self.require(right, BOOL, f"'{symbol}' joins two bools or two ints")
            return Operand(Binary(_CONNECTIVES[symbol], left.expr, right.expr), BOOL, left.at)
        if symbol in ("+", "-") and isinstance(self.kinds.collection(left.type), SetCell):
            return self._update(symbol, left, right)
        self.require_number(left, f"'{symbol}'")
        self.require_number(right, f"'{symbol}'")
        wide = _wider(left) if symbol in ("<<", ">>") else _wider(left, right)
        return Operand(Arithmetic(IntegerOperator(symbol), left.expr, right.expr, wide, span), wide, left.at)

    def _equal(self, symbol: str, at: int, left: Operand, right: Operand) -> Operand:
        if isinstance(left.type, Struct) or isinstance(right.type, Struct):
            self.mistakes.add(at, "structs are not compared", "compare their fields")
        elif isinstance(left.type, Pointer) and isinstance(right.type, Pointer):
            pass  # identity; of unrelated classes it is always false
        elif not self.kinds.fits(left.type, right.type):
            self.mistakes.add(at, f"{words(left.type)} and {words(right.type)} cannot be compared")
        return Operand(Compare(Comparison(symbol), left.expr, right.expr), BOOL, left.at)

    def _member(self, at: int, left: Operand, right: Operand, span: Span) -> Operand:
        cell = self.kinds.collection(right.type)
        if not isinstance(cell, SetCell):
            if right.type is not None:
                self.mistakes.add(right.at, f"'in' asks for a set, this is {words(right.type)}")
        else:
            self.fit(cell.element, left, "the element")
        return Operand(Member(left.expr, right.expr, span), BOOL, left.at)

    def _update(self, symbol: str, left: Operand, right: Operand) -> Operand:
        cell = self.kinds.collection(left.type)
        assert isinstance(cell, SetCell)
        whole = right.type == left.type
        changed = right.expr if whole else self.fit(cell.element, right, f"an element of {cell.name}")
        update = Update(left.expr, symbol == "+", changed, whole)
        return Operand(left.expr, left.type, left.at, update)

    def require(self, operand: Operand, type: Type, why: str) -> None:
        """Report an operand of another type than the only one that makes sense."""
        if operand.type is not None and operand.type != type:
            self.mistakes.add(operand.at, f"{why}, this is {words(operand.type)}")

    def require_number(self, operand: Operand, what: str) -> None:
        """Report an operand that is no number."""
        if operand.type is not None and not isinstance(operand.type, Int | Enumeration):
            self.mistakes.add(operand.at, f"{what} asks for an int, this is {words(operand.type)}")

    def fit(self, wanted: Type | None, operand: Operand, what: str) -> Expr:
        """Return a value as one of the type where it goes, checked as it runs; report one that does not fit."""
        if not self.kinds.fits(wanted, operand.type):
            self.mistakes.add(operand.at, f"{what} is {words(wanted)}, this is {words(operand.type)}")
        elif operand.update is not None:
            self.mistakes.add(operand.at, "a set is changed in place", "write s = s + e or s = s - e")
        elif isinstance(wanted, Int) and narrows(wanted, operand.type):
            return self._narrow(wanted, operand)
        return operand.expr

    def _narrow(self, wanted: Int, operand: Operand) -> Expr:
        """Return a number of a narrower type: the value plus 0 in that type, which overflows where it does not fit."""
        if isinstance(operand.expr, Const):
            if isinstance(operand.expr.value, int) and not wanted.holds(operand.expr.value):
                self.mistakes.add(operand.at, f"{operand.expr.value} does not fit into {words(wanted)}")
            return operand.expr
        span = self.mistakes.tokens.span(operand.at)
        return Arithmetic(IntegerOperator.ADD, operand.expr, Const(0), wanted, span)

    def take(self, place: Operand, given: Type | None, at: int, message: str) -> None:
        """Report a place that cannot take a value of a type as it comes, with no step in which it could be checked."""
        if not self.kinds.fits(place.type, given):
            self.mistakes.add(at, message)
        elif narrows(place.type, given):
            self.mistakes.add(at, message, f"take it as {words(given)} and assign that")


def _wider(*given: Operand) -> Int:
    """Return the type in which numbers are computed."""
    return LONG if any(operand.type == LONG for operand in given) else INT
