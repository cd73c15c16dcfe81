"""Guesses laws of calls: what a procedure leaves behind, as polynomials of what it is given.

`ackermann(2, n)` is `2 * n + 3`, multiplication by repeated addition is `n * m`, and a procedure that counts its steps
in a global adds a number to it that depends on one argument only.  A law is guessed from calls that were seen, by
linear algebra over monomials: R. Sharma, S. Gupta, B. Hariharan, A. Aiken, P. Liang and A. V. Nori, A Data Driven
Approach for Algebraic Loop Invariants (ESOP 2013), section 3.  Of all polynomials one with the fewest monomials is
taken, so a few calls suffice.  The machine's integers are a ring, so a law says what is left modulo 2 to the width of
its type, whether or not something overflows on the way there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from math import prod

from knaster.base.records import dataclass
from knaster.program.algebra import conjunction
from knaster.program.expression import (
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Operator,
    Var,
)
from knaster.program.model import old
from knaster.program.types import Int

Numbers = tuple[int, ...]
Held = tuple[tuple[int, int], ...]  # positions in what is given, and the numbers there
Monomial = tuple[int, ...]  # positions of its factors in what is given; without any it is 1
MARGIN = 3  # so many more calls than coefficients
_TERMS = 3  # monomials of a polynomial
_SQUARES = 3  # with more variables than that the degree is 1
_FACTOR = 1 << 10  # coefficients, but for the constant
_PRIME = (1 << 61) - 1  # coefficients are found modulo this


@dataclass(frozen=True, slots=True)
class Signature:
    """What calls of a procedure are given and leave behind: names of variables, and the types of all of them."""

    name: str
    given: tuple[str, ...]
    left: tuple[str, ...]
    types: Mapping[str, Int]


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A sum of monomials with coefficients."""

    terms: tuple[tuple[Monomial, int], ...]

    def value(self, given: Numbers) -> int:
        """Return the value for what is given."""
        return sum(factor * prod(given[position] for position in monomial) for monomial, factor in self.terms)

    def expression(self, signature: Signature, type: Int) -> Expr:
        """Return the value in a type as an expression over entry values."""
        found: Expr | None = None
        for monomial, factor in sorted(self.terms, key=lambda term: (not term[0], term[1] < 0)):
            minus = factor < 0 and found is not None
            size = -factor if minus else factor
            parts: list[Expr] = [_entry_value(signature, position, type) for position in monomial]
            parts = parts if parts and size == 1 else [Const(type.wrap(size)), *parts]
            part = parts[0]
            for other in parts[1:]:
                part = Arithmetic(IntegerOperator.MULTIPLY, part, other, type)
            operator = IntegerOperator.SUBTRACT if minus else IntegerOperator.ADD
            found = part if found is None else Arithmetic(operator, found, part, type)
        return Const(0) if found is None else found


def _entry_value(signature: Signature, position: int, type: Int) -> Expr:
    name = signature.given[position]
    return Var(old(name)) if signature.types[name] == type else Convert(Var(old(name)), type)


@dataclass(frozen=True, slots=True)
class Law:
    """Where calls are given these numbers at these positions, polynomials are the values of what is left."""

    held: Held
    values: tuple[Polynomial, ...]

    def applies(self, given: Numbers) -> bool:
        """Tell whether the law speaks of a call."""
        return all(given[position] == number for position, number in self.held)

    def result(self, signature: Signature, given: Numbers) -> Numbers:
        """Return what a call leaves behind."""
        types = [signature.types[name] for name in signature.left]
        return tuple(type.wrap(value.value(given)) for type, value in zip(types, self.values, strict=True))

    def expression(self, signature: Signature) -> Expr:
        """Return the law as a part of the guarantee of a procedure."""
        begins: list[Expr] = [
            Compare(Comparison.EQUAL, Var(old(signature.given[position])), Const(number))
            for position, number in self.held
        ]
        ends: list[Expr] = [
            Compare(Comparison.EQUAL, Var(name), value.expression(signature, signature.types[name]))
            for name, value in zip(signature.left, self.values, strict=True)
        ]
        return Binary(Operator.IMPLIES, conjunction(begins), conjunction(ends)) if begins else conjunction(ends)


def law_of_call(given: Numbers, left: Numbers) -> Law:
    """Return what one call did as a law that speaks of no other call."""
    return Law(tuple(enumerate(given)), tuple(Polynomial((((), value),) if value else ()) for value in left))


def guess_law(held: Held, calls: Mapping[Numbers, Numbers]) -> Law | None:
    """Return a law of these calls, which were all given what is held; None where there is none, or too few of them."""
    points = list(calls)
    free = [position for position in range(len(points[0])) if position not in dict(held)]
    columns = {
        monomial: [prod(point[i] for i in monomial) % _PRIME for point in points] for monomial in _monomials(free)
    }
    values = []
    for index in range(len(calls[points[0]])):
        found = _fit_polynomial(columns, points, [left[index] for left in calls.values()])
        if found is None:
            return None
        values.append(found)
    return Law(held, tuple(values))


def _monomials(free: Sequence[int]) -> Iterator[Monomial]:
    yield ()
    yield from ((position,) for position in free)
    if len(free) <= _SQUARES:
        yield from combinations_with_replacement(free, 2)


def _fit_polynomial(
    columns: Mapping[Monomial, Sequence[int]], points: Sequence[Numbers], values: Sequence[int]
) -> Polynomial | None:
    """Return the polynomial with the fewest monomials that has these values at these points, and is the only one."""
    for size in range(min(_TERMS, len(points) - MARGIN) + 1):
        for support in combinations(columns, size):
            factors = _solve_linear([columns[monomial] for monomial in support], values)
            if factors is None or any(abs(f) > _FACTOR for m, f in zip(support, factors, strict=True) if m):
                continue
            found = Polynomial(tuple(zip(support, factors, strict=True)))
            if all(found.value(point) == value for point, value in zip(points, values, strict=True)):
                return found
    return None


def _solve_linear(columns: Sequence[Sequence[int]], values: Sequence[int]) -> list[int] | None:
    """Return the only factors with which columns add up to values, modulo a prime; None where there are none."""
    pivots: dict[int, list[int]] = {}  # rows with a leading 1, by its column; reduced by each other
    for given in zip(*columns, values, strict=True):
        row = list(given)
        for lead, known in pivots.items():
            if row[lead]:
                row = [(a - row[lead] * b) % _PRIME for a, b in zip(row, known, strict=True)]
        new = next((column for column in range(len(columns)) if row[column] % _PRIME), None)
        if new is None:
            if row[-1] % _PRIME:
                return None
            continue
        inverse = pow(row[new], -1, _PRIME)
        row = [a * inverse % _PRIME for a in row]
        for lead, known in pivots.items():
            if known[new]:
                pivots[lead] = [(a - known[new] * b) % _PRIME for a, b in zip(known, row, strict=True)]
        pivots[new] = row
    if len(pivots) < len(columns):
        return None
    found = [pivots[column][-1] for column in range(len(columns))]
    return [number if number <= _PRIME // 2 else number - _PRIME for number in found]
