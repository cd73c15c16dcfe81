"""Expressions as things to compute with: substitution, connectives that simplify, the atoms of a formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.base.records import replace
from knaster.program.evaluate import arithmetic, compare
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    Not,
    Operator,
    Updated,
    Var,
    operands,
    postorder,
)
from knaster.program.state import Undefined
from knaster.program.types import BOOL, Int

OPPOSITE = {
    Comparison.EQUAL: Comparison.DIFFERENT,
    Comparison.DIFFERENT: Comparison.EQUAL,
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.AT_LEAST: Comparison.LESS,
    Comparison.GREATER: Comparison.AT_MOST,
    Comparison.AT_MOST: Comparison.GREATER,
}


def rebuilt(node: Expr, parts: list[Expr]) -> Expr:
    """Return a node with other operands; constants are folded."""
    match node:
        case Not():
            return negation(parts[0])
        case Binary(operator):
            return _connect(operator, parts[0], parts[1])
        case Conditional():
            if isinstance(parts[0], Const):
                return parts[1] if parts[0].value else parts[2]
            return parts[1] if parts[1] == parts[2] else Conditional(*parts)
        case Arithmetic(operator, _, _, type, span):
            left, right = parts
            if isinstance(left, Const) and isinstance(right, Const):
                try:
                    return Const(arithmetic(operator, int(left.value), int(right.value), type, span))  # type: ignore[arg-type]
                except Undefined:
                    pass
            return Arithmetic(operator, left, right, type, span)
        case Compare(operator):
            left, right = parts
            if isinstance(left, Const) and isinstance(right, Const):
                return Const(compare(operator, left.value, right.value))
            return Compare(operator, left, right)
        case Convert(_, type, span):
            return _convert(parts[0], type, span)
        case Element(_, _, span):
            return Element(parts[0], parts[1], span)
        case Updated(_, _, _, span):
            return Updated(parts[0], parts[1], parts[2], span)
        case _:
            return _with_operands(node, parts)


def _with_operands(node: Expr, parts: list[Expr]) -> Expr:
    """Return an operation of floating-point numbers with other operands; every other node as it is."""
    from knaster.program.memory import FloatTerm  # only programs with such numbers pay for it

    return replace(node, operands=tuple(parts)) if isinstance(node, FloatTerm) else node


def _convert(part: Expr, type: object, span: object) -> Expr:
    if isinstance(part, Const) and isinstance(part.value, int):
        if type == BOOL:
            return Const(part.value != 0)
        if isinstance(type, Int):
            return Const(type.wrap(int(part.value)))
    if isinstance(type, Int) and type.width is None and isinstance(part, Arithmetic) and part.type == type:
        return part
    return Convert(part, type, span)  # type: ignore[arg-type]


def substitute(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return an expression in which variables are replaced by expressions, all at once."""
    stack: list[Expr] = []
    for node in postorder(expr):
        match node:
            case Var(name):
                stack.append(values.get(name, node))
            case Const() | Choice():
                stack.append(node)
            case _:
                count = len(operands(node))
                parts = stack[-count:]
                del stack[-count:]
                stack.append(rebuilt(node, parts))
    return stack.pop()


def negation(expr: Expr) -> Expr:
    """Return the negation, pushed into a comparison."""
    match expr:
        case Const(value):
            return Const(not value)
        case Not(operand):
            return operand
        case Compare(operator, left, right):
            return Compare(OPPOSITE[operator], left, right)
        case _:
            return Not(expr)


def conjunction(parts: Iterable[Expr]) -> Expr:
    """Return the conjunction."""
    return _fold(Operator.AND, parts, TRUE)


def disjunction(parts: Iterable[Expr]) -> Expr:
    """Return the disjunction."""
    return _fold(Operator.OR, parts, FALSE)


def _fold(operator: Operator, parts: Iterable[Expr], unit: Expr) -> Expr:
    found: Expr = unit
    for part in parts:
        found = _connect(operator, found, part)
    return found


def _connect(operator: Operator, left: Expr, right: Expr) -> Expr:
    match operator, left, right:
        case Operator.AND, Const(value), other:
            return other if value else FALSE
        case Operator.AND, other, Const(value):
            return other if value else FALSE
        case Operator.OR, Const(value), other:
            return TRUE if value else other
        case Operator.OR, other, Const(value):
            return TRUE if value else other
        case _:
            return Binary(operator, left, right)


def conjuncts(expr: Expr) -> list[Expr]:
    """Return the parts of a conjunction."""
    found, stack = [], [expr]
    while stack:
        match stack.pop():
            case Binary(Operator.AND, left, right):
                stack += [right, left]
            case Const(True):
                pass
            case part:
                found.append(part)
    return found


def atoms(expr: Expr) -> list[Expr]:
    """Return the comparisons and truth values of which a formula is made, each once, in the order of the text."""
    found: dict[Expr, None] = {}
    stack = [expr]
    while stack:
        match stack.pop():
            case Const():
                pass
            case Not(operand):
                stack.append(operand)
            case Convert(operand, type) if type == BOOL and isinstance(operand, Var | Arithmetic):
                stack.append(Compare(Comparison.DIFFERENT, operand, Const(0)))
            case Binary(_, left, right):
                stack += [right, left]
            case Conditional(condition, then, otherwise):
                stack += [otherwise, then, condition]
            case Compare(operator, left, right) as node:
                parts = _split(operator, left, right)
                if parts is None:
                    found.setdefault(node)
                else:
                    stack += reversed(parts)
            case node:
                found.setdefault(node)
    return list(found)


def _split(operator: Comparison, left: Expr, right: Expr) -> list[Expr] | None:
    """Return the parts of a comparison whose operands are conditional, or truth values in disguise."""
    for one, other, first in ((left, right, True), (right, left, False)):
        match one:
            case Conditional(condition, then, otherwise):
                pairs = [(then, other), (otherwise, other)] if first else [(other, then), (other, otherwise)]
                return [condition, *(Compare(operator, a, b) for a, b in pairs)]
            case Convert(inner, Int()) if isinstance(inner, Compare | Not | Binary) and isinstance(other, Const):
                return [inner]
    return None


def literal_of(expr: Expr, sign: bool) -> Expr:
    """Return an expression or its negation."""
    return expr if sign else negation(expr)


def decision(
    vectors: frozenset[tuple[bool, ...]], literals: Sequence[Expr], possible: frozenset[tuple[bool, ...]] | None = None
) -> Expr:
    """Return a formula that holds where the literals have one of some combinations of signs.

    Combinations that are not `possible` need not be told apart; without it all are.
    """
    count = 1 << len(literals) if possible is None else len(possible)
    if not vectors or len(vectors) == count:
        return TRUE if vectors else FALSE

    def half(some: frozenset[tuple[bool, ...]], sign: bool) -> frozenset[tuple[bool, ...]]:
        return frozenset(vector[1:] for vector in some if vector[0] is sign)

    parts = {}
    for sign in (False, True):
        rest = None if possible is None else half(possible, sign)
        if rest is None or rest:
            parts[sign] = decision(half(vectors, sign), literals[1:], rest)
    low, high = parts.get(False, parts.get(True)), parts.get(True, parts.get(False))
    assert low is not None and high is not None
    first = literals[0]
    if low == high:
        return low
    if high == FALSE:
        return conjunction([negation(first), low])
    if low == FALSE:
        return conjunction([first, high])
    if high == TRUE:
        return Binary(Operator.OR, first, low)
    if low == TRUE:
        return Binary(Operator.OR, negation(first), high)
    return Conditional(first, high, low)
