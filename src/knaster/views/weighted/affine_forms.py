"""The affine form of an expression: a constant and a coefficient for each variable, where there is one.

Over mathematical integers a form is the value.  With machine integers it is congruent to the value modulo 2^bits, which
holds for every operator of at least that width (C's wrap-around is exactly that), and for conversions that keep values.
Of Boolean programs `bits` is 1: exclusive or is addition, and negation adds 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from knaster.program.expression import (
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    Var,
    operands,
    postorder,
)
from knaster.program.model import Program
from knaster.program.types import BOOL, Bool, Int, Type, holds_all

Form = tuple[int, Mapping[str, int]]  # a constant, and coefficients
Read = tuple[Form | None, Type | None]  # a form and the type of the value, where they are known


def bits_of(program: Program) -> int | None:
    """Return the width modulo which forms are taken: that of most variables, 1 of truth values; None without bound."""
    widths: Counter[int | None] = Counter()
    for procedure in program.procedures:
        for type in program.types_in(procedure).values():
            if isinstance(type, Int):
                widths[type.width] += 1
    if not widths:
        return 1
    return max(widths, key=lambda width: (widths[width], width or 0))


def is_number(type: Type, bits: int | None) -> bool:
    """Tell whether variables of a type take part: integers, and truth values where all variables are Boolean."""
    return isinstance(type, Int) or (isinstance(type, Bool) and bits == 1)


def affine_form(expr: Expr, slots: Mapping[str, str], types: Mapping[str, Type], bits: int | None) -> Form | None:
    """Return the affine form of an expression over slots; None where it has none."""
    stack: list[Read] = []
    for node in postorder(expr):
        count = len(operands(node))
        parts = stack[len(stack) - count :] if count else []
        del stack[len(stack) - count :]
        stack.append(_read(node, parts, slots, types, bits))
    return stack[-1][0]


def _read(node: Expr, parts: list[Read], slots: Mapping[str, str], types: Mapping[str, Type], bits: int | None) -> Read:
    match node:
        case Const(value) if isinstance(value, int):
            return (int(value), {}), BOOL if isinstance(value, bool) else None
        case Var(name, False):
            slot = slots.get(name)
            return (None if slot is None else (0, {slot: 1})), types.get(name)
        case Choice(type):
            return None, type
        case Not():
            return _combine((1, {}), parts[0][0], -1), BOOL
        case Binary(operator):
            return _connect(operator, parts[0][0], parts[1][0], bits), BOOL
        case Conditional():
            return (parts[1][0] if parts[1][0] == parts[2][0] else None), parts[1][1] or parts[2][1]
        case Arithmetic(operator, _, _, type):
            return (_calculate(operator, parts[0][0], parts[1][0]) if _keeps(type, bits) else None), type
        case Convert(operand, type):
            return _convert(operand, parts[0], type, bits), type
        case Compare():
            return None, BOOL
    return None, None


def _keeps(type: Type, bits: int | None) -> bool:
    """Tell whether wrapping into a type keeps a value modulo 2^bits."""
    return isinstance(type, Int) and (type.width is None or (bits is not None and type.width >= bits))


def _convert(operand: Expr, part: Read, type: Type, bits: int | None) -> Form | None:
    form, source = part
    if isinstance(operand, Const) and isinstance(type, Int):
        return type.wrap(int(operand.value)), {}  # type: ignore[arg-type]
    return form if _keeps(type, bits) or type == source or holds_all(type, source) else None


def _calculate(operator: IntegerOperator, left: Form | None, right: Form | None) -> Form | None:
    if left is None or right is None:
        return None
    match operator:
        case IntegerOperator.ADD:
            return _combine(left, right, 1)
        case IntegerOperator.SUBTRACT:
            return _combine(left, right, -1)
        case IntegerOperator.MULTIPLY if not left[1]:
            return _combine((0, {}), right, left[0])
        case IntegerOperator.MULTIPLY if not right[1]:
            return _combine((0, {}), left, right[0])
        case IntegerOperator.LEFT if not right[1] and 0 <= right[0] < 64:
            return _combine((0, {}), left, 1 << right[0])
    return None


def _connect(operator: Operator, left: Form | None, right: Form | None, bits: int | None) -> Form | None:
    """Return the form of a connective: of two truth values modulo 2, or where one side is constant."""
    if operator is Operator.IMPLIES:
        return _connect(Operator.OR, _combine((1, {}), left, -1), right, bits)
    if operator in (Operator.AND, Operator.OR):
        deciding = int(operator is Operator.OR)
        for side, other in ((left, right), (right, left)):
            if side is not None and not side[1]:
                return (deciding, {}) if side[0] % 2 == deciding else other
        return left if left == right else None
    total = _combine(left, right, 1) if left is not None and bits == 1 else None
    return _combine((1, {}), total, 1) if operator is Operator.EQUAL else total


def _combine(left: Form | None, right: Form | None, factor: int) -> Form | None:
    """Return left + factor · right."""
    if left is None or right is None:
        return None
    names = {**left[1], **right[1]}
    sums = {name: left[1].get(name, 0) + factor * right[1].get(name, 0) for name in names}
    return left[0] + factor * right[0], {name: total for name, total in sums.items() if total}
