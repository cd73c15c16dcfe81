"""Formulas of z3 over integers as expressions of the model, in words that a reader of C understands.

Linear comparisons are brought to a form without subtraction: what is added stands on the left, what is subtracted on
the right.  A quotient or remainder by a positive constant is written with C's operators, which round towards zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from knaster.program.algebra import conjunction, disjunction
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    IntegerOperator,
    Not,
    Operator,
    postorder,
)
from knaster.program.types import INTEGER, Bool, Int, Type
from knaster.smt.library import z3
from knaster.smt.terms import Formula

_LARGEST = 100_000  # nodes of a formula
_FLIPPED = {
    Comparison.LESS: Comparison.GREATER,
    Comparison.AT_MOST: Comparison.AT_LEAST,
    Comparison.GREATER: Comparison.LESS,
    Comparison.AT_LEAST: Comparison.AT_MOST,
    Comparison.EQUAL: Comparison.EQUAL,
    Comparison.DIFFERENT: Comparison.DIFFERENT,
}
_NEGATED = {
    Comparison.LESS: Comparison.AT_LEAST,
    Comparison.AT_MOST: Comparison.GREATER,
    Comparison.GREATER: Comparison.AT_MOST,
    Comparison.AT_LEAST: Comparison.LESS,
    Comparison.EQUAL: Comparison.DIFFERENT,
    Comparison.DIFFERENT: Comparison.EQUAL,
}


class NotRead(Exception):
    """The formula has something that no expression of the model says: a quantifier, an array that is written."""


Sum = dict[Expr | None, int]  # the factor of each term; None is the constant
Read = Expr | Sum  # a formula, or an integer as a sum


def read(formula: Formula, names: Mapping[int, tuple[Expr, Type]]) -> Expr:
    """Return a Boolean formula as an expression; `names` says what each variable stands for, by its z3 id.

    Integers in the result are mathematical ones.  Raises `NotRead` where there is no such expression.
    """
    made: dict[int, Read] = {}
    todo = [formula]
    while todo:
        node = todo[-1]
        waiting = [child for child in node.children() if child.get_id() not in made]
        if waiting and node.get_id() not in made and node.get_id() not in names:
            todo += waiting
            continue
        todo.pop()
        if node.get_id() not in made:
            if len(made) > _LARGEST:
                raise NotRead("the formula is too large")
            made[node.get_id()] = _read_name(*names[node.get_id()]) if node.get_id() in names else _node(node, made)
    return _truth(made[formula.get_id()])


def _read_name(expr: Expr, type: Type) -> Read:
    if isinstance(type, Bool) or not isinstance(type, Int):
        return expr
    return {expr if type == INTEGER else Convert(expr, INTEGER): 1}


def _node(node: Formula, made: Mapping[int, Read]) -> Read:
    if not z3.is_app(node):
        raise NotRead("a quantifier")
    parts = [made[child.get_id()] for child in node.children()]
    kind = node.decl().kind()
    if z3.is_int_value(node):
        return {None: node.as_long()}
    match kind:
        case z3.Z3_OP_TRUE:
            return TRUE
        case z3.Z3_OP_FALSE:
            return FALSE
        case z3.Z3_OP_AND:
            return conjunction(dict.fromkeys(map(_truth, parts)))
        case z3.Z3_OP_OR:
            return disjunction(dict.fromkeys([_truth(part) for part in parts]))
        case z3.Z3_OP_NOT:
            return negate(_truth(parts[0]))
        case z3.Z3_OP_IMPLIES:
            return disjunction(dict.fromkeys([negate(_truth(parts[0])), _truth(parts[1])]))
        case z3.Z3_OP_EQ | z3.Z3_OP_DISTINCT:
            return _equal(parts, kind == z3.Z3_OP_EQ)
        case z3.Z3_OP_LE:
            return comparison(Comparison.AT_MOST, _sum(parts[0]), _sum(parts[1]))
        case z3.Z3_OP_GE:
            return comparison(Comparison.AT_LEAST, _sum(parts[0]), _sum(parts[1]))
        case z3.Z3_OP_LT:
            return comparison(Comparison.LESS, _sum(parts[0]), _sum(parts[1]))
        case z3.Z3_OP_GT:
            return comparison(Comparison.GREATER, _sum(parts[0]), _sum(parts[1]))
        case z3.Z3_OP_ITE:
            return _choice(parts)
        case z3.Z3_OP_SELECT:
            return _element(parts, node)
        case _:
            return _arithmetic(kind, parts)


def _arithmetic(kind: int, parts: list[Read]) -> Read:
    sums = [_sum(part) for part in parts]
    match kind:
        case z3.Z3_OP_ADD:
            return _add(sums)
        case z3.Z3_OP_SUB:
            return _add([sums[0], *(_times(part, -1) for part in sums[1:])])
        case z3.Z3_OP_UMINUS:
            return _times(sums[0], -1)
        case z3.Z3_OP_MUL:
            return _product(sums)
        case z3.Z3_OP_IDIV | z3.Z3_OP_MOD:
            return _read_quotient(kind, sums)
        case _:
            raise NotRead("an operator")


def _read_quotient(kind: int, sums: list[Sum]) -> Sum:
    """Return z3's quotient or remainder by a positive constant, which rounds down, in C's operators."""
    divisor = _constant(sums[1])
    if divisor is None or divisor <= 0:
        raise NotRead("a quotient by what is no positive constant")
    dividend, by = expression(sums[0]), Const(divisor)
    remainder: Expr = Arithmetic(IntegerOperator.REMAINDER, dividend, by, INTEGER)
    more = Arithmetic(IntegerOperator.ADD, remainder, by, INTEGER)
    natural: Expr = Arithmetic(IntegerOperator.REMAINDER, more, by, INTEGER)
    if kind == z3.Z3_OP_MOD:
        return {natural: 1}
    rest = Arithmetic(IntegerOperator.SUBTRACT, dividend, natural, INTEGER)
    return {Arithmetic(IntegerOperator.DIVIDE, rest, by, INTEGER): 1}


def _sum(part: Read) -> Sum:
    if not isinstance(part, dict):
        raise NotRead("a truth value as a number")
    return part


def _truth(part: Read) -> Expr:
    if isinstance(part, dict):
        raise NotRead("a number as a truth value")
    return part


def _constant(part: Sum) -> int | None:
    kept = {term: factor for term, factor in part.items() if factor}
    return kept.get(None, 0) if set(kept) <= {None} else None


def _add(parts: list[Sum]) -> Sum:
    total: Sum = {}
    for part in parts:
        for term, factor in part.items():
            total[term] = total.get(term, 0) + factor
    return total


def _times(part: Sum, factor: int) -> Sum:
    return {term: own * factor for term, own in part.items()}


def _product(parts: list[Sum]) -> Sum:
    total: Sum = {None: 1}
    for part in parts:
        one, other = _constant(total), _constant(part)
        if one is not None:
            total = _times(part, one)
        elif other is not None:
            total = _times(total, other)
        else:
            total = {Arithmetic(IntegerOperator.MULTIPLY, expression(total), expression(part), INTEGER): 1}
    return total


def expression(part: Sum) -> Expr:
    """Return a sum as an expression of mathematical integers."""
    found: Expr | None = None
    for term, factor in sorted(part.items(), key=lambda item: (item[0] is None, item[1] < 0)):
        if not factor:
            continue
        size: Expr = Const(abs(factor))
        if term is not None:
            size = term if abs(factor) == 1 else Arithmetic(IntegerOperator.MULTIPLY, Const(abs(factor)), term, INTEGER)
        if found is None:
            found = size if factor > 0 else Arithmetic(IntegerOperator.SUBTRACT, Const(0), size, INTEGER)
            if term is None:
                found = Const(factor)
        else:
            sign = IntegerOperator.ADD if factor > 0 else IntegerOperator.SUBTRACT
            found = Arithmetic(sign, found, size, INTEGER)
    return Const(0) if found is None else found


def comparison(operator: Comparison, left: Sum, right: Sum) -> Expr:
    """Return a comparison of sums, divided by what all factors have in common."""
    total = {term: factor for term, factor in _add([left, _times(right, -1)]).items() if factor}
    offset = total.pop(None, 0)
    if not total:
        from knaster.program.evaluate import compare

        return TRUE if compare(operator, offset, 0) else FALSE
    if operator is Comparison.LESS:
        operator, offset = Comparison.AT_MOST, offset + 1
    elif operator is Comparison.GREATER:
        operator, offset = Comparison.AT_LEAST, offset - 1
    shared = gcd(*total.values())
    total = {term: factor // shared for term, factor in total.items()}
    if operator is Comparison.AT_MOST:
        bound = -offset // shared
    elif operator is Comparison.AT_LEAST:
        bound = -(offset // shared)
    elif offset % shared:
        return FALSE if operator is Comparison.EQUAL else TRUE
    else:
        bound = -offset // shared
    return _balance(operator, total, bound)


def _balance(operator: Comparison, total: Sum, bound: int) -> Expr:
    """Return `total operator bound` with what is subtracted on the other side."""
    if all(factor < 0 for factor in total.values()):
        total, bound, operator = _times(total, -1), -bound, _FLIPPED[operator]
    plus: Sum = {term: factor for term, factor in total.items() if factor > 0}
    minus: Sum = {term: -factor for term, factor in total.items() if factor < 0}
    if minus and bound in (1, -1):
        strict = {(Comparison.AT_MOST, -1): Comparison.LESS, (Comparison.AT_LEAST, 1): Comparison.GREATER}
        if (operator, bound) in strict:
            operator, bound = strict[operator, bound], 0
    if bound < 0 and minus:
        plus[None] = -bound
    else:
        minus[None] = bound
    return Compare(operator, expression(plus), expression(minus))


def _equal(parts: list[Read], same: bool) -> Expr:
    if len(parts) != 2:
        raise NotRead("more than two values that differ")
    left, right = parts
    if isinstance(left, dict) or isinstance(right, dict):
        return comparison(Comparison.EQUAL if same else Comparison.DIFFERENT, _sum(left), _sum(right))
    if not isinstance(left, Compare | Not | Binary | Const) and not isinstance(right, Compare | Not | Binary | Const):
        return Compare(Comparison.EQUAL if same else Comparison.DIFFERENT, left, right)
    return Binary(Operator.EQUAL if same else Operator.XOR, left, right)


def _choice(parts: list[Read]) -> Read:
    condition = _truth(parts[0])
    if isinstance(parts[1], dict) and isinstance(parts[2], dict):
        return {Conditional(condition, expression(parts[1]), expression(parts[2])): 1}
    return Conditional(condition, _truth(parts[1]), _truth(parts[2]))


def _element(parts: list[Read], node: Formula) -> Read:
    if isinstance(parts[0], dict):
        raise NotRead("a number as an array")
    found = Element(parts[0], expression(_sum(parts[1])))
    return {Convert(found, INTEGER): 1} if z3.is_int(node) else found


def negate(expr: Expr) -> Expr:
    """Return the negation of a formula, pushed inwards once."""
    match expr:
        case Const(value):
            return FALSE if value else TRUE
        case Not(operand):
            return operand
        case Compare(operator, left, right) if operator in (Comparison.EQUAL, Comparison.DIFFERENT):
            return Compare(_NEGATED[operator], left, right)
        case Compare(operator, left, right):
            return _loosen(Compare(_NEGATED[operator], left, right))
        case Binary(Operator.AND, left, right):
            return Binary(Operator.OR, negate(left), negate(right)) if _shallow(expr) else Not(expr)
        case Binary(Operator.OR, left, right):
            return Binary(Operator.AND, negate(left), negate(right)) if _shallow(expr) else Not(expr)
        case _:
            return Not(expr)


def _shallow(expr: Expr) -> bool:
    return sum(1 for _ in postorder(expr)) < 500


def _loosen(expr: Compare) -> Expr:
    """Return a strict comparison with a constant as one that is not strict."""
    if isinstance(expr.right, Const) and isinstance(expr.right.value, int):
        if expr.operator is Comparison.LESS:
            return Compare(Comparison.AT_MOST, expr.left, Const(expr.right.value - 1))
        if expr.operator is Comparison.GREATER:
            return Compare(Comparison.AT_LEAST, expr.left, Const(expr.right.value + 1))
    return expr
