"""Justifications: from an expression and the values of its variables, few of these that force its value.

To *justify* a value is to name variables that guarantee, whatever the other variables are, that the expression *can*
take it: a false operand justifies a false conjunction, and a `Choice` justifies either value at no cost.  Each node
gets two costs, the number of new variables that justify 0 and 1; then one walk from the root takes the cheaper way at
every node.  An expression is a tree in its choices, so the choices of one operand never constrain another.

A value of another type than Boolean is justified by all variables that the expression reads.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from knaster.base.named_tuples import NamedTuple
from knaster.program.expression import (
    Binary,
    Choice,
    Conditional,
    Const,
    Expr,
    Not,
    Operator,
    Var,
    has_choice,
    postorder,
    primed_variables,
    variables,
)
from knaster.program.state import State
from knaster.program.types import Value

_NEVER = float("inf")
Costs = tuple[float, float]  # to justify 0, to justify 1


class Needs(NamedTuple):
    """The variables that justify a value: by their old values, and by their new ones (in a constraint)."""

    old: frozenset[str]
    new: frozenset[str] = frozenset()


_NOTHING = Needs(frozenset())


def justify(expr: Expr, wanted: Value, state: State, after: State | None, free: Container[str]) -> Needs:
    """Return few variables that guarantee that `expr` can be `wanted`; those in `free` are preferred.

    Requires: with every variable as in `state` (a primed one as in `after`), `expr` can be `wanted`.
    """
    match expr:
        case Const() | Choice():
            return _NOTHING
        case Var(name, primed=False) | Not(Var(name, primed=False)):
            return Needs(frozenset((name,)))
    costs = _costs(expr, state, after or state, free) if isinstance(wanted, bool) else None
    if costs is None or not isinstance(wanted, bool):
        return Needs(frozenset(variables(expr)), frozenset(primed_variables(expr)))
    old: set[str] = set()
    new: set[str] = set()
    todo: list[tuple[Expr, bool]] = [(expr, wanted)]
    while todo:
        node, value = todo.pop()
        match node:
            case Var(name, primed):
                (new if primed else old).add(name)
            case Not(operand):
                todo.append((operand, not value))
            case Binary() | Conditional():
                todo += _cheapest(_ways(node, value), costs)
    return Needs(frozenset(old), frozenset(new))


def is_definite(expr: Expr, state: State, known: Container[str]) -> bool:
    """Tell whether the known variables alone fix the value of `expr`, every choice being free."""
    match expr:
        case Const():
            return True
        case Choice():
            return False
        case Var(name) | Not(Var(name)):
            return name in known
    stack: list[bool | None] = []
    for node in postorder(expr):
        match node:
            case Const(bool(value)):
                stack.append(value)
            case Var(name) if name not in known:
                stack.append(None)
            case Var(name) if isinstance(truth := state[name], bool):
                stack.append(truth)
            case Choice():
                stack.append(None)
            case Not():
                operand = stack.pop()
                stack.append(None if operand is None else not operand)
            case Binary(operator):
                right = stack.pop()
                stack.append(_apply(operator, stack.pop(), right))
            case Conditional():
                otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                stack.append((then if condition else otherwise) if condition is not None else _agree(then, otherwise))
            case _:
                return not has_choice(expr) and all(name in known for name in variables(expr))
    return stack[0] is not None


def _costs(expr: Expr, state: State, after: State, free: Container[str]) -> dict[int, Costs] | None:
    """Return what each node costs; a node that occurs twice costs the same in both places.

    None where the expression is not Boolean throughout.
    """
    costs: dict[int, Costs] = {}
    for node in postorder(expr):
        match node:
            case Const(value):
                costs[id(node)] = (_NEVER, 0) if value else (0, _NEVER)
            case Var(name, primed):
                price = 0 if name in free else 1
                costs[id(node)] = (_NEVER, price) if (after if primed else state)[name] else (price, _NEVER)
            case Choice():
                costs[id(node)] = (0, 0)
            case Not(operand):
                zero, one = costs[id(operand)]
                costs[id(node)] = (one, zero)
            case Binary(operator, left, right):
                costs[id(node)] = _combine(operator, *costs[id(left)], *costs[id(right)])
            case Conditional(condition, then, otherwise):
                (not_taken, taken), (then_0, then_1) = costs[id(condition)], costs[id(then)]
                else_0, else_1 = costs[id(otherwise)]
                zero = min(taken + then_0, not_taken + else_0, then_0 + else_0)
                costs[id(node)] = zero, min(taken + then_1, not_taken + else_1, then_1 + else_1)
            case _:
                return None
    return costs


def _combine(operator: Operator, left_0: float, left_1: float, right_0: float, right_1: float) -> Costs:
    """Return the costs of a connective: the cheapest of its ways to be 0 and to be 1."""
    if operator is Operator.AND:
        return (left_0 if left_0 <= right_0 else right_0), left_1 + right_1
    if operator is Operator.OR:
        return left_0 + right_0, (left_1 if left_1 <= right_1 else right_1)
    if operator is Operator.IMPLIES:
        return left_1 + right_0, (left_0 if left_0 <= right_1 else right_1)
    same, different = min(left_1 + right_1, left_0 + right_0), min(left_1 + right_0, left_0 + right_1)
    return (different, same) if operator is Operator.EQUAL else (same, different)


_Way = tuple[tuple[Expr, bool], ...]


def _ways(node: Binary | Conditional, value: bool) -> tuple[_Way, ...]:
    """Return the ways to justify `value` at a node; all operands of one way must be justified."""
    match node:
        case Conditional(condition, then, otherwise):
            return (
                ((condition, True), (then, value)),
                ((condition, False), (otherwise, value)),
                ((then, value), (otherwise, value)),
            )
        case Binary(Operator.AND, left, right):
            return (((left, True), (right, True)),) if value else (((left, False),), ((right, False),))
        case Binary(Operator.OR, left, right):
            return (((left, True),), ((right, True),)) if value else (((left, False), (right, False)),)
        case Binary(Operator.IMPLIES, left, right):
            return (((left, False),), ((right, True),)) if value else (((left, True), (right, False)),)
        case Binary(operator, left, right):
            same = value == (operator is Operator.EQUAL)
            return (((left, True), (right, same)), ((left, False), (right, not same)))


def _cheapest(ways: tuple[_Way, ...], costs: Mapping[int, Costs]) -> _Way:
    if len(ways) == 1:
        return ways[0]
    return min(ways, key=lambda way: sum(costs[id(operand)][value] for operand, value in way))


def _apply(operator: Operator, left: bool | None, right: bool | None) -> bool | None:
    match operator:
        case Operator.AND:
            return False if left is False or right is False else None if left is None or right is None else True
        case Operator.OR:
            return True if left is True or right is True else None if left is None or right is None else False
        case Operator.IMPLIES:
            return True if left is False or right is True else None if left is None or right is None else False
        case Operator.XOR:
            return None if left is None or right is None else left != right
        case Operator.EQUAL:
            return None if left is None or right is None else left == right


def _agree(left: bool | None, right: bool | None) -> bool | None:
    return left if left is right else None
