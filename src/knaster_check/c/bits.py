"""Integers as bit-vectors with a sign, wide enough for every value between their bounds.

So operators are those of mathematics until the text says that a result wraps.
"""

from __future__ import annotations

from knaster_check.c.nodes import FAR, limits
from knaster_check.c.terms import Bound, Term, Unsuitable, bounds, fits, fits_bounds, lower, truth, upper
from knaster_check.program import Type

_INDEX = 64  # bits of an index
_MOST = 4096  # bits of a number


class Bits:
    """Integers as bit-vectors with a sign; `invented` counts the names for bits of floating-point numbers."""

    def __init__(self) -> None:
        self.invented = 0

    def sort(self, type: Type) -> str:
        """Return the sort of variables and elements of a type."""
        match type:
            case ("bool",):
                return "Bool"
            case ("int", int(width), _):
                return f"(_ BitVec {width})"
            case ("array", element, _):
                return f"(Array (_ BitVec {_INDEX}) {self.sort(element)})"
        raise Unsuitable(f"{type[0]} without a width is no bit-vector")

    def load(self, term: Term, type: Type) -> Term:
        """Return a variable or an element as a value."""
        if type[0] != "int":
            return term
        low, high = limits(type[1], type[2])
        if type[2]:
            return Term(term.head, term.sort, term.parts, low, high, free=term.free)
        return Term("(_ zero_extend 1)", _bits(type[1] + 1), (term,), low, high)

    def keep(self, term: Term, type: Type) -> Term:
        """Return a value of a type as an element."""
        return self._resize(term, type[1]) if type[0] == "int" else term

    def number(self, value: int) -> Term:
        """Return a constant."""
        return self._literal(value, _width(value, value))

    def _literal(self, value: int, width: int) -> Term:
        return Term(f"(_ bv{value % (1 << width)} {width})", _bits(width), (), value, value)

    def index(self, term: Term) -> Term:
        """Return an index of an array that is in range."""
        return self._resize(term, _INDEX)

    def wrap(self, term: Term, type: Type) -> Term:
        """Return the value of a type that is congruent to a number."""
        _, width, signed = type
        if fits(term, type):
            return term
        low, high = limits(width, signed)
        cut = self._resize(term, width)
        return Term(cut.head, cut.sort, cut.parts, low, high) if signed else self.load(cut, type)

    def compute(self, operator: str, left: Term, right: Term, type: Type) -> Term:
        """Return the result of an operator; 0 where it is undefined."""
        low, high = bounds(operator, left, right)
        if operator in ("<<", ">>"):
            return self._shift(operator, left, right, type)
        if operator in _CONGRUENT and type[1] is not None and not fits_bounds(low, high, type):
            parts = self._resize(left, type[1]), self._resize(right, type[1])
            found = Term(_CONGRUENT[operator], _bits(type[1]), parts, *limits(type[1], True))
            return found if type[2] else self.load(found, type)
        width = self._enough(left, right, low, high)
        parts = self._resize(left, width), self._resize(right, width)
        found = Term(_CONGRUENT.get(operator) or _QUOTIENTS[operator], _bits(width), parts, low, high)
        if operator in _QUOTIENTS:
            zero = self._literal(0, width)
            found = Term("ite", found.sort, (truth("=", parts[1], zero), zero, found), low, high)
        return self.wrap(found, type)

    def _shift(self, operator: str, left: Term, right: Term, type: Type) -> Term:
        far = FAR if type[1] is None else type[1]
        inside = truth("and", self.compare(">=", right, self.number(0)), self.compare("<", right, self.number(far)))
        low, high = bounds(operator, left, right)
        if operator == ">>":
            width = max(_width_of(left), far.bit_length() + 1)
            found = Term("bvashr", _bits(width), (self._resize(left, width), self._resize(right, width)), low, high)
        elif type[1] is not None:
            width = type[1]
            found = Term("bvshl", _bits(width), (self._resize(left, width), self._resize(right, width)))
            found = Term(found.head, found.sort, found.parts, *limits(width, True))
        else:
            if right.low is None or right.low != right.high or not 0 <= right.low < far:
                raise Unsuitable("a number without a width is shifted by any distance")
            width = self._enough(left, left, low, high)
            distance = self._literal(right.low, width)
            found = Term("bvshl", _bits(width), (self._resize(left, width), distance), low, high)
        found = Term(
            "ite", found.sort, (inside, found, self._literal(0, width)), lower(found.low, 0), upper(found.high, 0)
        )
        # mutant(is): what is wrapped is as good as what is loaded
        return self.wrap(found, type) if operator == ">>" or type[1] is None or type[2] else self.load(found, type)

    def compare(self, operator: str, left: Term, right: Term) -> Term:
        """Return a comparison of two numbers."""
        width = max(_width_of(left), _width_of(right))
        one, other = self._resize(left, width), self._resize(right, width)
        if operator in ("==", "!="):
            same = truth("=", one, other)
            return same if operator == "==" else truth("not", same)
        return truth({"<": "bvslt", "<=": "bvsle", ">": "bvsgt", ">=": "bvsge"}[operator], one, other)

    def choose(self, condition: Term, one: Term, other: Term) -> Term:
        """Return one of two numbers."""
        width = max(_width_of(one), _width_of(other))
        parts = condition, self._resize(one, width), self._resize(other, width)
        return Term("ite", _bits(width), parts, lower(one.low, other.low), upper(one.high, other.high))

    def _resize(self, term: Term, width: int) -> Term:
        more = width - _width_of(term)
        if more == 0:
            return term
        # mutant(<): it is not 0 here
        if more < 0:
            return Term(f"(_ extract {width - 1} 0)", _bits(width), (term,))
        return Term(f"(_ sign_extend {more})", _bits(width), (term,), term.low, term.high)

    def _enough(self, left: Term, right: Term, low: Bound, high: Bound) -> int:
        """Return a width that has both operands and the result."""
        if low is None or high is None:
            raise Unsuitable("a number may be any integer")
        width = max(_width(low, high), _width_of(left), _width_of(right))
        if width > _MOST:
            raise Unsuitable("a number is too wide")
        return width


_CONGRUENT = {"+": "bvadd", "-": "bvsub", "*": "bvmul", "&": "bvand", "|": "bvor", "^": "bvxor"}
_QUOTIENTS = {"/": "bvsdiv", "%": "bvsrem"}


def _width(low: int, high: int) -> int:
    """Return how many bits two numbers and what is between them need, with a sign."""
    # mutant(-): a number and its negative have as many bits
    return 1 + max((number if number >= 0 else -1 - number).bit_length() for number in (low, high))


def _width_of(term: Term) -> int:
    return int(term.sort.removeprefix("(_ BitVec ").removesuffix(")"))


def _bits(width: int) -> str:
    return f"(_ BitVec {width})"
