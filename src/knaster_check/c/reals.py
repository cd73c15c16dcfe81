"""Floating-point numbers as terms of SMT-LIB: the theory of IEEE 754, rounded to the nearest number."""

from __future__ import annotations

from collections.abc import Sequence

from knaster_check.c.bits import Bits
from knaster_check.c.nodes import Node, limits
from knaster_check.c.terms import Term, truth

REALS = frozenset(
    ["real_of_bits", "real_of_integer", "real_of_real", "real_arithmetic", "real_function", "real_compare", "real_test"]
) | {"bits_of_real", "integer_of_real"}
"""The operators."""
_FORMS = {32: "8 24", 64: "11 53"}
_SIGNS = {"+": "fp.add", "-": "fp.sub", "*": "fp.mul", "/": "fp.div"}
_ORDERS = {"<": "fp.lt", "<=": "fp.leq", ">": "fp.gt", ">=": "fp.geq"}
_WHOLE = {"floor": "RTN", "ceil": "RTP", "trunc": "RTZ", "round": "RNA", "rint": "RNE", "nearbyint": "RNE"}
_NEAREST = Term("RNE", "RoundingMode")


def real_term(node: Node, parts: Sequence[Term], use: Bits) -> Term:
    """Return an operator of floating-point numbers applied to terms."""
    match node.head:
        case ("real_of_bits", width):
            return Term(f"(_ to_fp {_FORMS[width]})", _sort(width), (use.keep(parts[0], ("int", width, False)),))
        case ("real_of_integer" | "real_of_real", width):
            return Term(f"(_ to_fp {_FORMS[width]})", _sort(width), (_NEAREST, *parts))
        case ("real_arithmetic", sign, width):
            return Term(_SIGNS[sign], _sort(width), (_NEAREST, *parts))
        case ("bits_of_real", width):
            return _bits(parts[0], width, use)
        case ("real_function", "fabs", width):
            return Term("fp.abs", _sort(width), tuple(parts))
        case ("real_function", "fma", width):
            return Term("fp.fma", _sort(width), (_NEAREST, *parts))
        case ("real_function", "sqrt", width):
            return Term("fp.sqrt", _sort(width), (_NEAREST, *parts))
        case ("real_function", name, width):
            return Term("fp.roundToIntegral", _sort(width), (Term(_WHOLE[name], "RoundingMode"), *parts))
        case ("real_compare", "==" | "!=" as sign):
            same = truth("fp.eq", *parts)
            return same if sign == "==" else truth("not", same)
        case ("real_compare", sign):
            return truth(_ORDERS[sign], *parts)
        case ("real_test", name):
            return truth("fp.isNaN" if name == "isnan" else "fp.isInfinite", *parts)
    _, (_, width, signed) = node.head
    bits = width if signed else width + 1  # a bit for the sign, as all numbers have one here
    low, high = limits(width, signed)
    return Term(f"(_ fp.to_sbv {bits})", f"(_ BitVec {bits})", (Term("RTZ", "RoundingMode"), *parts), low, high)


def _sort(width: int) -> str:
    return f"(_ FloatingPoint {_FORMS[width]})"


def _bits(number: Term, width: int, use: Bits) -> Term:
    """Return the bits of a number: a new name, with a fact that says so; all that is no number has the same bits."""
    exponent, _ = map(int, _FORMS[width].split())
    use.invented += 1
    name, sort = f"|bits of a number {use.invented}|", f"(_ BitVec {width})"
    bits = Term(name, sort, free=True)
    none = Term(f"(_ bv{((1 << exponent + 1) - 1) << width - exponent - 2} {width})", sort)
    same = truth("=", Term(f"(_ to_fp {_FORMS[width]})", _sort(width), (bits,)), number)
    fact = Term("ite", "Bool", (truth("fp.isNaN", number), truth("=", bits, none), same))
    return use.load(Term(name, sort, fact=(fact,), free=True), ("int", width, False))
