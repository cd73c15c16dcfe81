"""A door behind which there is no solver: every variable has a value, and a term is computed at once.

Bit-vectors are pairs of a width and a natural number, as SMT-LIB means them; an operand of another width is a mistake.
So each operator of a translation can be tried on every value of small types, thousands in a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from knaster.smt.door import Answer, Formula, Sort


class Bits(NamedTuple):
    """A bit-vector."""

    width: int
    value: int

    @property
    def signed(self) -> int:
        """The number that it is in two's complement."""
        return self.value - (1 << self.width) if self.value >> self.width - 1 else self.value


class ConcreteDoor:
    """Computes terms; `values` are those of the variables."""

    name = "arithmetic"
    has_integers = True

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        self.values = dict(values or {})

    def variable(self, name: str, sort: Sort) -> Formula:
        """Return the value of a variable."""
        return self.values[name]

    def bound_variable(self, name: str, sort: Sort) -> Formula:
        """Refuse: nothing is bound here."""
        raise ValueError(name)

    def truth(self, value: bool) -> Formula:
        """Return true or false."""
        return value

    def bits(self, value: int, width: int) -> Formula:
        """Return the bit-vector that is congruent to a number."""
        assert width > 0
        return Bits(width, value % (1 << width))

    def integer(self, value: int) -> Formula:
        """Return a number."""
        return value

    def constant_array(self, sort: Sort, element: Formula) -> Formula:
        """Return an array that has one element everywhere."""
        return {None: element}

    def exists(self, variables: Sequence[Formula], body: Formula) -> Formula:
        """Refuse: nothing is bound here."""
        raise ValueError(variables)

    def ask(self, formulas: Sequence[Formula], work: int, shown: Sequence[Formula] = ()) -> tuple[Answer, list[bool]]:
        """Tell whether all formulas hold."""
        return (Answer.SATISFIABLE if all(formulas) else Answer.UNSATISFIABLE), list(shown)

    def term(self, operator: str, *operands: Formula, indices: Sequence[int] = ()) -> Formula:
        """Return the value of an operator of SMT-LIB."""
        if operator == "select":
            array, index = operands
            return array.get(index, array[None])
        if operator == "store":
            array, index, element = operands
            return {**array, index: element}
        if operator in _ANY:
            return _ANY[operator](*operands)
        if operator in _INTEGERS:
            assert all(type(operand) is int for operand in operands), (operator, operands)
            return _INTEGERS[operator](*operands)
        first = operands[0]
        assert all(isinstance(operand, Bits) and operand.width == first.width for operand in operands)
        if operator in _VECTORS:
            return self.bits(_VECTORS[operator](*operands), first.width)
        if operator in _ORDERS:
            return _ORDERS[operator](*operands)
        return _resize(operator, first, *indices)


def _ite(condition: bool, then: Formula, otherwise: Formula) -> Formula:
    assert type(condition) is bool and type(then) is type(otherwise)
    assert not isinstance(then, Bits) or then.width == otherwise.width
    return then if condition else otherwise


def _same(one: Formula, other: Formula) -> bool:
    assert type(one) is type(other) and (not isinstance(one, Bits) or one.width == other.width)
    return bool(one == other)


def _resize(operator: str, operand: Bits, first: int, *more: int) -> Bits:
    if operator == "extract":
        (low,) = more
        assert operand.width > first >= low >= 0
        return Bits(first - low + 1, operand.value >> low & (1 << first - low + 1) - 1)
    width = operand.width + first
    assert first > 0 and operator in ("sign_extend", "zero_extend")
    number = operand.signed if operator == "sign_extend" else operand.value
    return Bits(width, number % (1 << width))


def _quotient(one: int, other: int) -> int:
    size = abs(one) // abs(other)
    return size if (one < 0) == (other < 0) else -size


_ANY: dict[str, Any] = {
    "not": lambda a: not a,
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "xor": lambda a, b: a != b,
    "=>": lambda a, b: not a or b,
    "=": _same,
    "ite": _ite,
}
_INTEGERS: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a // b if b > 0 else -(a // -b) if b else 99,  # by 0: any function of the dividend
    "mod": lambda a, b: a % abs(b) if b else 77,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
}
_VECTORS: dict[str, Any] = {
    "bvadd": lambda a, b: a.value + b.value,
    "bvsub": lambda a, b: a.value - b.value,
    "bvmul": lambda a, b: a.value * b.value,
    "bvand": lambda a, b: a.value & b.value,
    "bvor": lambda a, b: a.value | b.value,
    "bvxor": lambda a, b: a.value ^ b.value,
    "bvudiv": lambda a, b: a.value // b.value if b.value else -1,
    "bvurem": lambda a, b: a.value % b.value if b.value else a.value,
    "bvsdiv": lambda a, b: _quotient(a.signed, b.signed) if b.value else (1 if a.signed < 0 else -1),
    "bvsrem": lambda a, b: a.signed - b.signed * _quotient(a.signed, b.signed) if b.value else a.signed,
    "bvshl": lambda a, b: a.value << b.value,
    "bvlshr": lambda a, b: a.value >> b.value,
    "bvashr": lambda a, b: a.signed >> b.value,
}
_ORDERS: dict[str, Any] = {
    "bvult": lambda a, b: a.value < b.value,
    "bvule": lambda a, b: a.value <= b.value,
    "bvslt": lambda a, b: a.signed < b.signed,
    "bvsle": lambda a, b: a.signed <= b.signed,
}
