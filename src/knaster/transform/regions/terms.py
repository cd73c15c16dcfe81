"""Pointers as terms of the reduced program: a number for the base, an index for the offset.

A term says `residue + stride * index` bytes into the base.  Numbers that are added to pointers are cut off far outside
of any object (`FAR`), so that nothing wraps: where such a pointer is used, that is out of bounds all the same; where it
is kept or compared, the reduced program stands at a place of its own, and says nothing (`clipped`).
"""

from __future__ import annotations

from math import gcd
from typing import Any

from knaster.base.records import dataclass, replace
from knaster.program.algebra import conjunction, disjunction
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
)
from knaster.program.types import Int
from knaster.transform.regions.pointer_sets import OBJECT, Base, join_offsets
from knaster.transform.regions.slots import BASE, INDEX

FAR = 1 << 48  # no pointer that is kept is further from its object, in steps
ZERO: Expr = Const(0)


@dataclass(frozen=True, slots=True)
class Shift:
    """How many bytes a null pointer was moved: `constant + scale * index`, of which nothing wraps."""

    constant: int = 0
    scale: int = 0
    index: Expr = ZERO

    def between(self, low: int, high: int) -> Expr:
        """Return that it is inside an interval."""
        low, high = low - self.constant, high - self.constant
        if self.scale == 0:
            return Const(low <= 0 <= high)
        near, far = (low, high) if self.scale > 0 else (high, low)
        first, last = -(-near // self.scale), far // self.scale
        if first > last:
            return FALSE
        above = Compare(Comparison.AT_LEAST, self.index, Const(first))
        return conjunction((above, Compare(Comparison.AT_MOST, self.index, Const(last))))


UNMOVED = Shift()


@dataclass(frozen=True, slots=True)
class Term:
    """A pointer."""

    bases: frozenset[Base]
    base: Expr
    residue: int = 0
    stride: int = 0
    index: Expr = ZERO
    reach: int = 0  # the index is at most so far from 0
    shift: Shift | None = UNMOVED  # where a null pointer stands; None: nobody can tell
    clipped: tuple[Expr, ...] = ()  # where the index was cut off
    codes: tuple[tuple[Base, int], ...] = ()  # what `base` is for bases that a move has led to, if not their numbers

    @property
    def has_objects(self) -> bool:
        """Whether it may point into an object."""
        return any(base.kind == OBJECT for base in self.bases)

    def aligned_to(self, residue: int, stride: int) -> tuple[Expr, int]:
        """Return the index in other steps, which fit, and how far it reaches."""
        if stride == 0:
            return ZERO, 0
        start, factor = (self.residue - residue) // stride, self.stride // stride
        return add(times(self.index, factor), start), abs(start) + factor * self.reach


def move(term: Term, index: Expr, known: tuple[int, int] | None, scale: int, is_index: bool) -> Term:
    """Return a pointer moved by a number of up to 64 bits that is in an interval; `is_index` by its type."""
    if isinstance(index, Const) and isinstance(index.value, int):
        distance = index.value * scale
        shift = term.shift and replace(term.shift, constant=term.shift.constant + distance)
        return _rest(term, term.residue + distance, term.stride, term.index, term.reach, shift, ())
    low, high = known if known is not None else (-FAR - 1, FAR + 1)
    clipped: list[Expr] = []
    if low < -FAR:
        clipped.append(Compare(Comparison.LESS, index, Const(-FAR)))
    if high > FAR:
        clipped.append(Compare(Comparison.GREATER, index, Const(FAR)))
    inside: Expr = index if is_index else Convert(index, INDEX)
    for number, condition in enumerate(clipped):
        inside = Conditional(condition, Const(-FAR if low < -FAR and number == 0 else FAR), inside)
    reach = min(FAR, max(abs(low), abs(high)))
    stride = gcd(term.stride, abs(scale))
    if stride == 0:
        return term
    own, added = term.stride // stride, scale // stride
    total = plus(times(term.index, own), times(inside, added))
    shift = None if term.shift is None or term.shift.scale else replace(term.shift, scale=scale, index=index)
    return _rest(term, term.residue, stride, total, own * term.reach + abs(added) * reach, shift, tuple(clipped))


def _rest(
    term: Term, residue: int, stride: int, index: Expr, reach: int, shift: Shift | None, clipped: tuple[Expr, ...]
) -> Term:
    clipped = (*term.clipped, *clipped)
    return Term(term.bases, term.base, residue, stride, index, reach, shift, clipped, term.codes)


def choose(condition: Expr, one: Term, other: Term) -> Term:
    """Return one pointer or the other, both with the numbers of their bases."""
    assert not one.codes and not other.codes
    bases = one.bases | other.bases
    residue, stride = join_offsets((one.residue, one.stride), (other.residue, other.stride))
    if not (one.has_objects and other.has_objects):
        own = one if one.has_objects else other
        residue, stride = own.residue, own.stride
    (first, near), (second, far) = one.aligned_to(residue, stride), other.aligned_to(residue, stride)
    index = first if first == second else Conditional(condition, first, second)
    base = one.base if one.base == other.base else Conditional(condition, one.base, other.base)
    shift = one.shift if one.shift == other.shift else None
    return Term(bases, base, residue, stride, index, max(near, far), shift, (*one.clipped, *other.clipped))


def equal(one: Expr, other: Expr) -> Expr:
    """Return that two numbers are equal."""
    if isinstance(one, Const) and isinstance(other, Const):
        return Const(one.value == other.value)
    return TRUE if one == other else Compare(Comparison.EQUAL, one, other)


def outside(index: Expr, low: int, high: int, reach: int) -> Expr:
    """Return that an index is not between bounds."""
    if isinstance(index, Const) and isinstance(index.value, int):
        return Const(not low <= index.value <= high)
    parts: list[Expr] = []
    if -reach < low:
        parts.append(Compare(Comparison.LESS, index, Const(low)))
    if reach > high:
        parts.append(Compare(Comparison.GREATER, index, Const(high)))
    return disjunction(parts)


def times(expr: Expr, factor: int) -> Expr:
    """Return a multiple of an index."""
    if factor == 1:
        return expr
    if factor == 0:
        return ZERO
    if isinstance(expr, Const) and isinstance(expr.value, int):
        return Const(expr.value * factor)
    if factor == -1:
        return Arithmetic(IntegerOperator.SUBTRACT, ZERO, expr, INDEX)
    return Arithmetic(IntegerOperator.MULTIPLY, expr, Const(factor), INDEX)


def plus(one: Expr, other: Expr) -> Expr:
    """Return the sum of two indices."""
    if isinstance(one, Const) and isinstance(one.value, int):
        return add(other, one.value)
    if isinstance(other, Const) and isinstance(other.value, int):
        return add(one, other.value)
    return Arithmetic(IntegerOperator.ADD, one, other, INDEX)


def add(expr: Expr, number: int) -> Expr:
    """Return an index and a number."""
    if isinstance(expr, Const) and isinstance(expr.value, int):
        return Const(expr.value + number)
    if number == 0:
        return expr
    sign = IntegerOperator.ADD if number > 0 else IntegerOperator.SUBTRACT
    return Arithmetic(sign, expr, Const(abs(number)), INDEX)


def plus_number(base: Expr, change: int) -> Expr:
    """Return the number of a base that is so much larger."""
    if isinstance(base, Const) and isinstance(base.value, int):
        return Const(base.value + change)
    return Arithmetic(IntegerOperator.ADD, base, Const(change), BASE)


def minus(one: Expr, other: Expr) -> Expr:
    """Return the difference of two indices."""
    if isinstance(other, Const) and isinstance(other.value, int):
        return add(one, -other.value)
    return Arithmetic(IntegerOperator.SUBTRACT, one, other, INDEX)


def fits(type: Any) -> bool:
    """Tell whether a number of a type is an index."""
    return isinstance(type, Int) and type.width is not None and type.width <= 64
