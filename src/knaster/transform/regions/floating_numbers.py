"""Floating-point numbers of a program with memory as bits in the reduced program, and what is computed from them.

A number is kept as the unsigned integer that its bits are; operations are `FloatTerm`s, which nobody evaluates but on
these bits.  The bits themselves are used by nothing else: an integer is never read where such a number stands, so what
C leaves open of them (the sign and the digits of what is no number) is seen by nobody.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.program.algebra import conjunction, negation
from knaster.program.checks.static_types import type_of
from knaster.program.expression import TRUE, Comparison, Conditional, Const, Convert, Expr
from knaster.program.floating_point import from_number, round_to, to_bits
from knaster.program.memory import Addresses, Floating, FloatTerm
from knaster.program.types import BOOL, Bool, Int, Type
from knaster.semantics.memory.failure import VALUE
from knaster.transform.regions.refusal import Refused

if TYPE_CHECKING:
    from knaster.base.errors import Span
    from knaster.transform.regions.expressions import Translation

DOUBLE = Floating(64)
_BYTE = Int(8, False)
_OF_ONE = ("fabs", "floor", "ceil", "trunc", "round", "rint", "sqrt")
FUNCTIONS = {
    **{f"{name}{suffix}": (name, 1) for name in _OF_ONE for suffix in ("", "f")},
    **{f"nearbyint{suffix}": ("rint", 1) for suffix in ("", "f")},
    **{f"fma{suffix}": ("fma", 3) for suffix in ("", "f")},
}
"""Functions of math.h that are operators of terms, and how many numbers they take."""
_SETS_ERRNO = ("sqrt", "fma")
TESTS = ("isnan", "isinf", "isfinite")
CONSTANTS = {
    **{name: (math.inf, DOUBLE) for name in ("inf", "huge_val")},
    **{name: (math.inf, Floating(32)) for name in ("inff", "huge_valf")},
    "nan": (math.nan, DOUBLE),
    "nanf": (math.nan, Floating(32)),
}


def kept_as(type: Any) -> Type:
    """Return the type of the variable that keeps a value of a type."""
    return Int(type.width, False) if isinstance(type, Floating) else type


def floating_type(expr: Any, types: Mapping[str, Any]) -> Floating | None:
    """Return the type of a floating-point number; that of constants alone is `double`; None of anything else."""
    if isinstance(expr, Conditional):
        one, other = floating_type(expr.then, types), floating_type(expr.otherwise, types)
        return other if is_constant(expr.then) else one
    if isinstance(expr, Const):
        return DOUBLE if isinstance(expr.value, float) else None
    found = type_of(expr, types)
    return found if isinstance(found, Floating) else None


def is_constant(expr: Any) -> bool:
    """Tell whether an expression is one of some constants, which may have any floating-point type that has them."""
    if isinstance(expr, Conditional):
        return is_constant(expr.then) and is_constant(expr.otherwise)
    return isinstance(expr, Const)


def compare_numbers(use: Translation, sign: Comparison, left: Any, right: Any, under: Expr) -> Expr:
    """Return a comparison of two numbers, of which one has a floating-point type."""
    kinds = {floating_type(side, use.before) for side in (left, right) if not is_constant(side)}
    kind = kinds.pop() if kinds else DOUBLE
    if kinds or kind is None:
        raise Refused("numbers of two floating-point types are compared", use.span)
    one, other = use.number(left, kind, under), use.number(right, kind, under)
    return compare_bits(sign, one, other, kind)


def compare_bits(sign: Comparison, one: Expr, other: Expr, type: Floating) -> Expr:
    """Return a comparison of two numbers by their bits; what is no number compares with nothing."""
    if sign is Comparison.DIFFERENT:
        return negation(compare_bits(Comparison.EQUAL, one, other, type))
    if sign in (Comparison.GREATER, Comparison.AT_LEAST):
        sign = Comparison.LESS if sign is Comparison.GREATER else Comparison.AT_MOST
        one, other = other, one
    return FloatTerm(sign.value, (one, other), type, BOOL)


def arithmetic(sign: str, left: Expr, right: Expr, type: Floating) -> Expr:
    """Return a number that is computed of two; times 1, and over 1, each is itself."""
    one = Const(to_bits(1.0, type))
    if sign in ("*", "/") and right == one:
        return left
    return right if sign == "*" and left == one else FloatTerm(sign, (left, right), type, type)


def constant_bits(value: Any, type: Floating, span: Span) -> Const:
    """Return the bits of a constant, which is a number of the type."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Refused("what is no number is used as a floating-point number", span)
    exact = from_number(value, type) if isinstance(value, int) else round_to(value, type)
    if exact != value and not math.isnan(value):
        raise Refused("a constant is none of its floating-point type", span)
    return Const(to_bits(exact, type))


def convert_number(use: Translation, node: Convert, under: Expr) -> Expr:
    """Return a conversion from or to a floating-point type."""
    source = floating_type(node.operand, use.before)
    if source is None:
        assert isinstance(node.type, Floating)
        return _from_integer(use, node.operand, node.type, under)
    if isinstance(node.operand, Const) and isinstance(node.type, Floating):
        written: Any = node.operand.value
        return Const(to_bits(round_to(float(written), node.type), node.type))
    number = use.number(node.operand, source, under)
    if isinstance(node.type, Floating):
        return number if node.type == source else FloatTerm("convert", (number,), source, node.type)
    if isinstance(node.type, Bool):
        return compare_bits(Comparison.DIFFERENT, number, Const(0), source)
    if not isinstance(node.type, Int):
        raise Refused("a floating-point number is made something else", use.span)
    return _to_integer(use, node, number, source, under)


def _from_integer(use: Translation, operand: Any, type: Floating, under: Expr) -> Expr:
    if isinstance(operand, Const) and isinstance(operand.value, int):
        return Const(to_bits(from_number(int(operand.value), type), type))
    kind = type_of(operand, use.before)
    if isinstance(kind, Addresses) or not isinstance(kind, Int | Bool) or kind == Int(None):
        raise Refused("what has no integer type is made a floating-point number", use.span)
    number = use.value(operand, under)
    if isinstance(kind, Bool):
        number, kind = Convert(number, _BYTE), _BYTE
    return FloatTerm("convert", (number,), kind, type)


def _to_integer(use: Translation, node: Convert, number: Expr, source: Floating, under: Expr) -> Expr:
    """Return a number without its fraction; ask before that the integer type has it."""
    type = node.type
    assert isinstance(type, Int)
    if type.low is None or type.high is None:
        raise Refused("a floating-point number is made an integer without bounds", use.span)
    least, end = from_number(type.low - 1, source), from_number(type.high + 1, source)
    sign = Comparison.LESS if least == type.low - 1 else Comparison.AT_MOST  # else nothing is between them
    above = compare_bits(sign, Const(to_bits(least, source)), number, source)
    inside = conjunction((above, compare_bits(Comparison.LESS, number, Const(to_bits(end, source)), source)))
    span = node.span if node.span.line else use.span
    use.checks.add(VALUE, span, negation(inside), under)
    return Conditional(inside, FloatTerm("convert", (number,), source, type), Const(0))


def call_function(use: Translation, name: str, given: tuple[Any, ...], has_errno: bool) -> Expr | None:
    """Return what a function of math.h says; None where it is none that is taken."""
    if name in CONSTANTS:
        return Const(to_bits(*CONSTANTS[name]))
    if name in TESTS and len(given) == 1:
        return _test(use, name, given[0])
    operator, count = FUNCTIONS.get(name, ("", 0))
    if len(given) != count or not operator:
        return None
    if has_errno and operator in _SETS_ERRNO:
        raise Refused(f"'{name}' may set errno", use.span)
    type = Floating(32) if name.endswith("f") else DOUBLE
    return FloatTerm(operator, tuple(use.number(each, type) for each in given), type, type)


def _test(use: Translation, name: str, given: Any) -> Expr:
    type = floating_type(given, use.before)
    if type is None:
        raise Refused(f"'{name}' is asked of what is no floating-point number", use.span)
    number = use.number(given, type, TRUE)
    infinite = Const(to_bits(math.inf, type))
    size = FloatTerm("fabs", (number,), type, type)
    match name:
        case "isnan":
            found = negation(compare_bits(Comparison.EQUAL, number, number, type))
        case "isinf":
            found = compare_bits(Comparison.EQUAL, size, infinite, type)
        case _:
            found = compare_bits(Comparison.LESS, size, infinite, type)
    return Convert(found, Int(32))
