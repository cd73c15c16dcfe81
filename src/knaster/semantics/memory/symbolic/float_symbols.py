"""Floating-point inputs as terms: a number is its bits, and a comparison is one of integers (IEEE 754, section 5.10).

The bits without the sign, negated where the sign is set, are ordered as the numbers are, and both zeros are 0; what is
no number compares with nothing.  Operations that round are terms of their own (`FloatTerm`), for solvers that have the
theory of floating-point numbers.  Which bits a computed number has that is none is left open: nobody gets to see them.
"""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Span
from knaster.program.expression import Comparison
from knaster.program.floating_point import from_number, to_bits
from knaster.program.memory import Floating, FloatTerm
from knaster.program.types import Int
from knaster.semantics.memory.failure import VALUE, Fault, Unclear
from knaster.semantics.memory.floats import OPEN_BITS, NotANumber
from knaster.semantics.memory.symbolic.symbols import Symbol, both, compare_symbols, either, operand_of

_FRACTION = {32: 23, 64: 52}  # bits of a number behind its exponent
_WHY = "a function of a floating-point input is no term"


class FloatSymbol:
    """A floating-point number that depends on inputs, by its bits; `computed` where it is no copy of an input."""

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("bits", "computed", "type")

    def __init__(self, bits: Symbol, type: Floating, computed: bool = False) -> None:
        self.bits, self.type, self.computed = bits, type, computed

    @property
    def raw(self) -> Any:
        """How it stands in memory: whether a computed one is a number is decided."""
        return NotANumber() if self.computed and test_float("isnan", self) else self.bits

    def __bool__(self) -> bool:
        return bool(compare_floats(Comparison.DIFFERENT, self, 0.0))

    def __eq__(self, other: object) -> bool:
        return bool(compare_floats(Comparison.EQUAL, self, other))

    def __lt__(self, other: Any) -> bool:
        return bool(compare_floats(Comparison.LESS, self, other))

    def __le__(self, other: Any) -> bool:
        return bool(compare_floats(Comparison.AT_MOST, self, other))

    def __gt__(self, other: Any) -> bool:
        return bool(compare_floats(Comparison.GREATER, self, other))

    def __ge__(self, other: Any) -> bool:
        return bool(compare_floats(Comparison.AT_LEAST, self, other))

    def __float__(self) -> float:
        raise Unclear(_WHY)  # whoever computes with numbers of Python asks for one

    def __index__(self) -> int:
        raise Unclear(_WHY)

    def __abs__(self) -> FloatSymbol:
        return FloatSymbol(magnitude(self).converted(self.bits.type), self.type, True)


def _raw(value: Any, type: Floating) -> Any:
    return value.bits if isinstance(value, FloatSymbol) else to_bits(float(value), type)


def magnitude(value: FloatSymbol) -> Any:
    """Return the bits of a number without its sign."""
    return value.bits & (1 << value.type.width - 1) - 1


def _infinite(type: Floating) -> int:
    fraction = _FRACTION[type.width]
    return ((1 << type.width - 1 - fraction) - 1) << fraction


def is_signed(value: FloatSymbol) -> Any:
    """Return that the sign of a number is set."""
    return compare_symbols(Comparison.AT_LEAST, value.bits, 1 << value.type.width - 1)


def test_float(name: str, value: FloatSymbol) -> Any:
    """Return what `isnan`, `isinf`, `isfinite` or `signbit` say."""
    signs = {"isnan": Comparison.GREATER, "isinf": Comparison.EQUAL, "isfinite": Comparison.LESS}
    if name == "signbit" and isinstance(value.raw, NotANumber):
        raise Unclear(OPEN_BITS)
    found = is_signed(value)
    if name in signs:
        found = compare_symbols(signs[name], magnitude(value), _infinite(value.type))
    return found.converted(Int(32)) if isinstance(found, Symbol) else int(found)


def _key(raw: Any, type: Floating) -> Any:
    """Return a number that is ordered as those are that have these bits."""
    sign, mask = 1 << type.width - 1, (1 << type.width - 1) - 1
    if isinstance(raw, int):
        return -(raw & mask) if raw & sign else raw & mask
    return either(compare_symbols(Comparison.AT_LEAST, raw, sign), 0 - (raw & mask), raw & mask)


def _is_number(raw: Any, type: Floating) -> Any:
    mask, most = (1 << type.width - 1) - 1, _infinite(type)
    return raw & mask <= most if isinstance(raw, int) else compare_symbols(Comparison.AT_MOST, raw & mask, most)


def compare_floats(sign: Comparison, one: Any, other: Any) -> Any:
    """Return whether a comparison holds, a truth value or a symbol for one; one of the two is a symbol at least."""
    type = one.type if isinstance(one, FloatSymbol) else other.type
    if any(isinstance(value, FloatSymbol) and value.type != type for value in (one, other)):
        raise Unclear("numbers of two floating-point types are compared")
    if not all(isinstance(value, FloatSymbol | float | int) for value in (one, other)):
        raise Unclear("a floating-point input is compared with something else")
    if sign is Comparison.DIFFERENT:
        equal = compare_floats(Comparison.EQUAL, one, other)
        return equal.negation() if isinstance(equal, Symbol) else not equal
    first, second = _raw(one, type), _raw(other, type)
    ordered = both(_is_number(first, type), _is_number(second, type))
    if ordered is False:
        return False
    return both(ordered, compare_symbols(sign, _key(first, type), _key(second, type)))


def compute_float_symbol(sign: str, one: Any, other: Any, type: Floating) -> FloatSymbol:
    """Return the result of an operation, of whose operands one at least is a symbol."""
    if isinstance(one, FloatSymbol) and isinstance(other, float) and abs(other) == 1 and sign in ("*", "/"):
        return FloatSymbol(one.bits, type, True) if other == 1 else _negated(one)
    if isinstance(other, FloatSymbol) and isinstance(one, float) and abs(one) == 1 and sign == "*":
        return compute_float_symbol(sign, other, one, type)
    return apply_operator(sign, (one, other), type)


def apply_operator(operator: str, operands: tuple[Any, ...], type: Floating) -> FloatSymbol:
    """Return what an operator computes from numbers of a type, of which one at least is a symbol."""
    if not all(isinstance(value, float | int | FloatSymbol) for value in operands):
        raise Unclear("a floating-point input meets something else")
    return _make(operator, [_raw(value, type) for value in operands], type, type)


def _make(operator: str, raws: list[Any], type: Floating | Int, result: Floating) -> FloatSymbol:
    symbol = next(raw for raw in raws if isinstance(raw, Symbol))
    term = FloatTerm(operator, tuple(map(operand_of, raws)), type, result)
    return FloatSymbol(symbol.made(term, Int(result.width, False), 0, (1 << result.width) - 1), result, True)


def to_float_type(value: Any, type: Floating) -> FloatSymbol:
    """Return a symbol, of a floating-point number or of an integer, as a number of a floating-point type."""
    if isinstance(value, FloatSymbol):
        return value if value.type == type else _make("convert", [value.bits], value.type, type)
    return _make("convert", [value], value.type if isinstance(value.type, Int) else Int(8, False), type)


def to_integer_type(value: FloatSymbol, type: Int, span: Span) -> Symbol:
    """Return a number without its fraction; undefined where it is none of the integer type, which is decided."""
    assert type.low is not None and type.high is not None
    least, end = from_number(type.low - 1, value.type), from_number(type.high + 1, value.type)
    sign = Comparison.GREATER if int(least) == type.low - 1 else Comparison.AT_LEAST  # else nothing is between them
    inside = both(compare_floats(sign, value, least), compare_floats(Comparison.LESS, value, end))
    if not inside:
        raise Fault(VALUE, span, "a floating-point number is made an integer that cannot hold it")
    term = FloatTerm("convert", (operand_of(value.bits),), value.type, type)
    return value.bits.made(term, type, type.low, type.high)


def _negated(value: FloatSymbol) -> FloatSymbol:
    """Return a number with the other sign."""
    half = 1 << value.type.width - 1
    flipped = (value.bits + half).converted(value.bits.type)  # mutant(+): half of what it is counted modulo
    number = _is_number(value.bits, value.type)
    return FloatSymbol(either(number, flipped, value.bits).converted(value.bits.type), value.type, True)
