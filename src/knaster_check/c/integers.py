"""Integers as integers of the solver, which wrap where their bounds do not exclude it."""

from __future__ import annotations

from knaster_check.c.nodes import FAR, limits
from knaster_check.c.terms import Bound, Term, Unsuitable, bounds, fits, lower, truth, upper
from knaster_check.program import BOOL, Type


class Integers:
    """Integers as integers of the solver."""

    def sort(self, type: Type) -> str:
        """Return the sort of variables and elements of a type."""
        if type[0] == "array":
            return f"(Array Int {self.sort(type[1])})"
        return "Bool" if type == BOOL else "Int"

    def load(self, term: Term, type: Type) -> Term:
        """Return a variable or an element as a value; it is a fact that it has its type."""
        if type[0] != "int" or type[1] is None:
            return term
        low, high = limits(type[1], type[2])
        assert low is not None and high is not None
        fact = truth("<=", self.number(low), term), truth("<=", term, self.number(high))
        return Term(term.head, term.sort, term.parts, low, high, fact, term.free)

    def keep(self, term: Term, type: Type) -> Term:
        """Return a value of a type as an element."""
        return term

    def number(self, value: int) -> Term:
        """Return a constant."""
        return Term(str(value) if value >= 0 else f"(- {-value})", "Int", (), value, value)

    def index(self, term: Term) -> Term:
        """Return an index of an array that is in range."""
        return term

    def wrap(self, term: Term, type: Type) -> Term:
        """Return the value of a type that is congruent to a number: once around, or by a remainder."""
        _, width, signed = type
        low, high = limits(width, signed)
        # mutant(or): both are None or none, and what fits may be wrapped as well
        if low is None or high is None or fits(term, type):
            return term
        size, value = 1 << width, term
        if term.low is None or term.high is None or term.low < low - size or term.high > high + size:
            around = self._term("mod", self._term("-", term, self.number(low)), self.number(size))
            return self._term("+", around, self.number(low), low=low, high=high)
        if term.low < low:
            more = self._term("+", value, self.number(size))
            value = self._term("ite", truth("<", value, self.number(low)), more, value)
        if term.high > high:
            less = self._term("-", value, self.number(size))
            value = self._term("ite", truth("<", self.number(high), value), less, value)
        return Term(value.head, value.sort, value.parts, low, high)

    def compute(self, operator: str, left: Term, right: Term, type: Type) -> Term:
        """Return the result of an operator; 0 where it is undefined."""
        low, high = bounds(operator, left, right)
        far = FAR if type[1] is None else type[1]
        if operator == "&" and left.low is not None and left.low == left.high:
            left, right = right, left
        by = right.low if right.low is not None and right.low == right.high else None
        match operator:
            case "+" | "-" | "*":
                found = self._term(operator, left, right)
            case "/" | "%":
                found = self._divide(operator, left, right)
            case "<<" | ">>" if by is not None and not 0 <= by < far:
                found, low, high = self.number(0), 0, 0
            case "<<" | ">>" if by is not None:
                found = self._term("*" if operator == "<<" else "div", left, self.number(1 << by))
            case "&" if by is not None and by >= 0 and by & by + 1 == 0:
                found, low, high = self._term("mod", left, self.number(by + 1)), 0, by
            case _:
                raise Unsuitable("integers have no bits")
        return self.wrap(Term(found.head, found.sort, found.parts, low, high), type)

    def _divide(self, operator: str, left: Term, right: Term) -> Term:
        """Return a quotient that is truncated towards 0, or its remainder; SMT-LIB rounds down for divisors from 1."""
        zero = self.number(0)

        def size(term: Term) -> Term:
            return self._term("ite", truth("<", term, zero), self._term("-", zero, term), term)

        quotient = self._term("div", size(left), size(right))
        unlike = truth("xor", truth("<", left, zero), truth("<", right, zero))
        found = self._term("ite", unlike, self._term("-", zero, quotient), quotient)
        if operator == "%":
            found = self._term("-", left, self._term("*", right, found))
        return self._term("ite", truth("=", right, zero), zero, found)

    def compare(self, operator: str, left: Term, right: Term) -> Term:
        """Return a comparison of two numbers."""
        same = truth("=", left, right)
        return same if operator == "==" else truth("not", same) if operator == "!=" else truth(operator, left, right)

    def choose(self, condition: Term, one: Term, other: Term) -> Term:
        """Return one of two numbers."""
        return self._term("ite", condition, one, other, low=lower(one.low, other.low), high=upper(one.high, other.high))

    def _term(self, head: str, *parts: Term, low: Bound = None, high: Bound = None) -> Term:
        return Term(head, "Int", parts, low, high)
