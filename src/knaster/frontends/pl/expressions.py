"""Expressions of PL: integers with + - *, comparisons, and && || ! between truth values."""

from __future__ import annotations

from collections.abc import Collection

from knaster.base.hints import did_you_mean
from knaster.frontends.pl.lexer import Words
from knaster.program.expression import (
    CHOICE,
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Comparison,
    Const,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
)
from knaster.program.types import Int

NUMBER = Int(None)
DEEPEST = 80  # brackets inside brackets
_CONNECTIVES = {"||": Operator.OR, "&&": Operator.AND}
_COMPARISONS = {sign.value: sign for sign in Comparison}
_SIGNS = {"+": IntegerOperator.ADD, "-": IntegerOperator.SUBTRACT, "*": IntegerOperator.MULTIPLY}
_STRENGTH = {"||": 1, "&&": 2, **dict.fromkeys(_COMPARISONS, 3), "+": 4, "-": 4, "*": 5}


class Expressions:
    """Reads expressions over the variables that are in scope."""

    def __init__(self, words: Words, scope: Collection[str]) -> None:
        self._words, self._scope, self._depth = words, scope, 0

    def condition(self) -> Expr:
        """Read what is true or false; a number is true where it is not 0, `*` is either."""
        if self._words.word == "*" and self._words.following == ")":
            self._words.take()
            return CHOICE
        return self._truth(*self._binary(1))

    def number(self) -> Expr:
        """Read a number; `nondet()` is any."""
        span = self._words.span
        value, is_truth = self._binary(3)
        if is_truth:
            self._words.refuse("a number is expected here, and this is true or false", span=span)
        return value

    def _binary(self, least: int) -> tuple[Expr, bool]:
        """Read operators that bind at least so strongly; tell whether the result is a truth value."""
        left, is_truth = self._unary()
        while (strength := _STRENGTH.get(self._words.word, 0)) >= least:
            span = self._words.span
            sign = self._words.take()
            right, right_is_truth = self._binary(strength + 1)
            if sign in _CONNECTIVES:
                both = self._truth(left, is_truth), self._truth(right, right_is_truth)
                left, is_truth = Binary(_CONNECTIVES[sign], *both), True
                continue
            if is_truth or right_is_truth:
                self._words.refuse(f"'{sign}' is between numbers", span=span)
            if sign in _SIGNS:
                left = Arithmetic(_SIGNS[sign], left, right, NUMBER, span)
            else:
                left, is_truth = Compare(_COMPARISONS[sign], left, right), True
        return left, is_truth

    def _unary(self) -> tuple[Expr, bool]:
        words, span = self._words, self._words.span
        self._depth += 1
        if self._depth > DEEPEST:
            words.refuse(f"more than {DEEPEST} expressions inside each other")
        try:
            if words.accept("!"):
                return Not(self._truth(*self._unary())), True
            if words.accept("-"):
                operand, is_truth = self._unary()
                if is_truth:
                    words.refuse("'-' is before a number", span=span)
                if isinstance(operand, Const):
                    return Const(-int(operand.value) if isinstance(operand.value, int) else 0), False
                return Arithmetic(IntegerOperator.SUBTRACT, Const(0), operand, NUMBER, span), False
            if words.accept("("):
                inner = self._binary(1)
                words.expect(")")
                return inner
            return self._atom()
        finally:
            self._depth -= 1

    def _atom(self) -> tuple[Expr, bool]:
        words, span = self._words, self._words.span
        if words.word.isdigit():
            return Const(int(words.take())), False
        if words.accept("true"):
            return TRUE, True
        if words.accept("false"):
            return FALSE, True
        if words.accept("nondet"):
            words.expect("(")
            words.expect(")")
            return Choice(NUMBER, span, "nondet()"), False
        name = words.name("a variable")
        if name not in self._scope:
            words.refuse(f"'{name}' is not in scope", did_you_mean(name, self._scope) or "declare it with 'var'", span)
        return Var(name), False

    def _truth(self, value: Expr, is_truth: bool) -> Expr:
        if is_truth:
            return value
        return Compare(Comparison.DIFFERENT, value, Const(0))
