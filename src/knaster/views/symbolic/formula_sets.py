"""Formulae as sets: from a Boolean expression, the BDDs of the states in which it can be false and can be true.

An expression with choices can be false and can be true in the same state; because every `Choice` is its own bit, the
two sets of states are found bottom-up, exactly, without a BDD variable for any choice.
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


def values(store: Store, expr: Expr, read: Reading) -> Values:
    """Return the states in which `expr` can be false and those in which it can be true."""
    stack: list[Values] = []
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
                false, true = stack.pop()
                stack.append(Values(true, false))
            case Binary(operator):
                right, left = stack.pop(), stack.pop()
                stack.append(_combine(operator, left, right))
            case Conditional():
                otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                stack.append(
                    Values(
                        condition.true & then.false | condition.false & otherwise.false,
                        condition.true & then.true | condition.false & otherwise.true,
                    )
                )
            case _:
                raise UnsupportedError(f"'{type(node).__name__}' in a relation of Boolean variables")
    return stack.pop()


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
