"""The value of a constant expression after `#if`: numbers and operators; a name that is no macro is 0."""

from __future__ import annotations

import re
from collections.abc import Sequence

from knaster.base.errors import Span
from knaster.frontends.c.text.tokens import Token
from knaster.program.evaluate import arithmetic
from knaster.program.expression import IntegerOperator
from knaster.program.state import Undefined
from knaster.program.types import INTEGER

_LEVELS = (("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"))
_STRENGTH = {sign: level for level, signs in enumerate((*_LEVELS, ("*", "/", "%")), 1) for sign in signs}
_DEEPEST = 200


class NoCondition(Exception):
    """What stands after `#if` is no constant expression."""


def holds(tokens: Sequence[Token]) -> bool:
    """Return whether the expression is different from 0; raise `NoCondition` where it is none."""
    reader = _Reader([token.text for token in tokens])
    value = reader.ternary(0)
    if reader.rest:
        raise NoCondition(reader.rest[-1])
    return value != 0


class _Reader:
    """The tokens that are still to be read, the next one last."""

    def __init__(self, texts: list[str]) -> None:
        self.rest = texts[::-1]

    def next(self) -> str:
        if not self.rest:
            raise NoCondition("")
        return self.rest.pop()

    def ternary(self, depth: int) -> int:
        condition = self.binary(1, depth)
        if not self.rest or self.rest[-1] != "?":
            return condition
        self.next()
        then = self.ternary(depth + 1)
        if self.next() != ":":
            raise NoCondition(":")
        otherwise = self.ternary(depth + 1)
        return then if condition else otherwise

    def binary(self, weakest: int, depth: int) -> int:
        left = self.unary(depth + 1)
        while self.rest and _STRENGTH.get(self.rest[-1], 0) >= weakest:
            sign = self.next()
            right = self.binary(_STRENGTH[sign] + 1, depth + 1)
            left = _apply(sign, left, right)
        return left

    def unary(self, depth: int) -> int:
        if depth > _DEEPEST:
            raise NoCondition("(")
        text = self.next()
        match text:
            case "!":
                return int(not self.unary(depth + 1))
            case "-":
                return -self.unary(depth + 1)
            case "+":
                return self.unary(depth + 1)
            case "~":
                return ~self.unary(depth + 1)
            case "(":
                value = self.ternary(depth + 1)
                if self.next() != ")":
                    raise NoCondition(")")
                return value
        if re.fullmatch(r"[A-Za-z_$]\w*", text):
            return 0
        number = integer_of(text)
        if number is None:
            raise NoCondition(text)
        return number


def integer_of(text: str) -> int | None:
    """Return the value of an integer constant of C, whatever its suffix; None where it is none."""
    digits = re.fullmatch(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uUlL]*", text)
    if digits is None:
        return None
    number = digits.group(1)
    try:
        octal = len(number) > 1 and number[0] == "0" and number[1].isdigit()
        return int(number, 8) if octal else int(number, 0)
    except ValueError:
        return None


def _apply(sign: str, left: int, right: int) -> int:
    match sign:
        case "||":
            return int(bool(left or right))
        case "&&":
            return int(bool(left and right))
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case ">":
            return int(left > right)
        case "<=":
            return int(left <= right)
        case ">=":
            return int(left >= right)
    try:
        return arithmetic(IntegerOperator(sign), left, right, INTEGER, Span(0, 0))
    except Undefined as undefined:
        raise NoCondition(undefined.what) from None
