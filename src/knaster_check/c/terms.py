"""Terms of SMT-LIB, and the bounds that the value of an integer never leaves (R. E. Moore, Interval Analysis, 1966)."""

from __future__ import annotations

from collections.abc import Sequence

from knaster_check.c.nodes import FAR, limits
from knaster_check.program import Type

Bound = int | None  # None: there is none


class Unsuitable(Exception):
    """An arithmetic has no term for something."""


class Term:
    """An operator of SMT-LIB applied to terms; `fact` is something that is true of a variable or an element.

    `free` is a name that has to be declared, `bound` the names of a quantifier.  A term never changes.
    """

    __slots__ = ("bound", "fact", "free", "head", "high", "low", "parts", "sort")

    def __init__(
        self,
        head: str,
        sort: str,
        parts: tuple[Term, ...] = (),
        low: Bound = None,
        high: Bound = None,
        fact: tuple[Term, ...] = (),
        free: bool = False,
        bound: tuple[Term, ...] = (),
    ) -> None:
        self.head, self.sort, self.parts = head, sort, parts
        self.low, self.high = low, high
        self.fact, self.free, self.bound = fact, free, bound


def truth(head: str, *parts: Term) -> Term:
    """Return a term that is true or false."""
    return Term(head, "Bool", parts)


def conjunction(parts: Sequence[Term]) -> Term:
    """Return that all of some terms hold."""
    return parts[0] if len(parts) == 1 else truth("and", *parts)


def bounds(operator: str, left: Term, right: Term) -> tuple[Bound, Bound]:
    """Return bounds of the mathematical result of an operator."""
    a, b, c, d = left.low, left.high, right.low, right.high
    if operator in ("+", "-"):
        c, d = (c, d) if operator == "+" else (None if d is None else -d, None if c is None else -c)
        return None if a is None or c is None else a + c, None if b is None or d is None else b + d
    if a is None or b is None:
        return None, None
    size = max(abs(a), abs(b))
    match operator:
        case "/":
            return (0, size) if a >= 0 and c is not None and c >= 0 else (-size, size)
        case "%":
            size = min(size, max(abs(c), abs(d), 1) - 1) if c is not None and d is not None else size
            return (0 if a >= 0 else -size), (0 if b <= 0 else size)
        case ">>":
            return min(a, 0), max(b, 0)
        case _ if c is None or d is None:
            return None, None
        case "*":
            corners = a * c, a * d, b * c, b * d
            return min(corners), max(corners)
        case "<<":
            return (min(a << d, 0), max(b << d, 0)) if 0 <= c <= d < FAR else (None, None)
    most = (1 << max(number.bit_length() for number in (a, b, c, d))) - 1  # no more bits than both have
    return (0 if min(a, c) >= 0 else -most - 1), most


def fits(term: Term, type: Type) -> bool:
    """Tell whether every value between the bounds of a term is one of an integer type."""
    return fits_bounds(term.low, term.high, type)


def fits_bounds(low: Bound, high: Bound, type: Type) -> bool:
    """Tell whether every value between two bounds is one of an integer type."""
    least, most = limits(type[1], type[2])
    # mutant(or): both are None or none
    if least is None or most is None:
        return True
    return low is not None and high is not None and least <= low and high <= most


def lower(one: Bound, other: Bound) -> Bound:
    """Return the lower of two bounds."""
    return None if one is None or other is None else min(one, other)


def upper(one: Bound, other: Bound) -> Bound:
    """Return the upper of two bounds."""
    return None if one is None or other is None else max(one, other)
