"""Formulae as sets: from a Boolean expression, the BDDs of the states in which it can be false and can be true.

An expression with choices can be false and can be true in the same state; because every `Choice` is its own bit, the
two sets of states are found bottom-up, exactly, without a BDD variable for any choice.

The operands of a long conjunction or disjunction are kept until it ends and then joined in pairs, pairs of pairs, …:
one by one each would be joined with all before it, in time with the square of their number.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.errors import UnsupportedError
from knaster.base.named_tuples import NamedTuple
from knaster.bdd.store import Bdd, Store
from knaster.program.expression import Binary, Choice, Conditional, Const, Expr, Not, Operator, Var, postorder

Reading = Callable[[Var], Bdd]  # the function that a variable stands for


class Values(NamedTuple):
    """Where an expression can be false, and where it can be true."""

    false: Bdd
    true: Bdd


class _Chain(NamedTuple):
    """The operands of a conjunction or a disjunction that may go on."""

    operator: Operator
    operands: list[Values]


def values(store: Store, expr: Expr, read: Reading) -> Values:
    """Return the states in which `expr` can be false and those in which it can be true."""
    stack: list[Values | _Chain] = []
    for node in postorder(expr):
        match node:
            case Const(value):
                stack.append(Values(store.const(not value), store.const(bool(value))))
            case Var():
                function = read(node)
                stack.append(Values(~function, function))
            case Choice():
                stack.append(Values(store.true, store.true))
            case Not():
                false, true = _join(stack.pop())
                stack.append(Values(true, false))
            case Binary(Operator.AND | Operator.OR as operator):
                right, left = stack.pop(), stack.pop()
                stack.append(_Chain(operator, _operands(operator, left, right)))
            case Binary(operator):
                second, first = _join(stack.pop()), _join(stack.pop())
                stack.append(_combine(operator, first, second))
            case Conditional():
                otherwise, then, condition = _join(stack.pop()), _join(stack.pop()), _join(stack.pop())
                stack.append(
                    Values(
                        condition.true & then.false | condition.false & otherwise.false,
                        condition.true & then.true | condition.false & otherwise.true,
                    )
                )
            case _:
                raise UnsupportedError(f"'{type(node).__name__}' in a relation of Boolean variables")
    return _join(stack.pop())


def _operands(operator: Operator, left: Values | _Chain, right: Values | _Chain) -> list[Values]:
    """Return the operands of two parts of a chain; the longer list is the one that grows."""
    first = left.operands if isinstance(left, _Chain) and left.operator is operator else [_join(left)]
    second = right.operands if isinstance(right, _Chain) and right.operator is operator else [_join(right)]
    longer, shorter = (first, second) if len(first) >= len(second) else (second, first)
    longer += shorter
    return longer


def _join(part: Values | _Chain) -> Values:
    """Return the sets of a part of an expression, those of a chain by joining neighbours again and again."""
    if isinstance(part, Values):
        return part
    parts = part.operands
    while len(parts) > 1:
        pairs = [_combine(part.operator, *parts[place : place + 2]) for place in range(0, len(parts) - 1, 2)]
        parts = pairs + parts[len(parts) & ~1 :]
    return parts[0]


def possible(store: Store, expr: Expr, read: Reading) -> Bdd:
    """Return the states in which `expr` can be true."""
    return values(store, expr, read).true


def equation(store: Store, left: Bdd, expr: Expr, read: Reading) -> Bdd:
    """Return where `expr` can have the value of `left`."""
    false, true = values(store, expr, read)
    return left.ite(true, false)


def _combine(operator: Operator, left: Values, right: Values) -> Values:
    match operator:
        case Operator.AND:
            return Values(left.false | right.false, left.true & right.true)
        case Operator.OR:
            return Values(left.false & right.false, left.true | right.true)
        case Operator.IMPLIES:
            return Values(left.true & right.false, left.false | right.true)
        case Operator.XOR:
            same, different = _same(left, right), _different(left, right)
            return Values(same, different)
        case Operator.EQUAL:
            return Values(_different(left, right), _same(left, right))


def _same(left: Values, right: Values) -> Bdd:
    return left.true & right.true | left.false & right.false


def _different(left: Values, right: Values) -> Bdd:
    return left.true & right.false | left.false & right.true
