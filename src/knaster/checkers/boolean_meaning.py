"""The meaning of an expression as a BDD, for the checkers: their own code, not the relations of the engines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from knaster.base.errors import InternalError
from knaster.bdd.store import Bdd, Store
from knaster.program.expression import Binary, Choice, Conditional, Const, Expr, Not, Operator, Var, postorder

Valuation = Mapping[str, Bdd]  # the function that each variable in scope stands for


def meaning(store: Store, expr: Expr, before: Valuation, after: Valuation, choices: Iterable[Bdd]) -> Bdd:
    """Return what an expression stands for, taking the next function of `choices` for each choice in it."""
    fresh = iter(choices)
    stack: list[Bdd] = []
    for node in postorder(expr):
        match node:
            case Const(value):
                stack.append(store.const(bool(value)))
            case Var(name, primed):
                stack.append(after[name] if primed else before[name])
            case Choice():
                stack.append(next(fresh))
            case Not():
                stack.append(~stack.pop())
            case Binary(operator):
                right, left = stack.pop(), stack.pop()
                stack.append(_apply(operator, left, right))
            case Conditional():
                otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                stack.append(condition.ite(then, otherwise))
            case _:
                raise InternalError(f"no certificate covers {type(node).__name__}")
    return stack.pop()


def _apply(operator: Operator, left: Bdd, right: Bdd) -> Bdd:
    match operator:
        case Operator.AND:
            return left & right
        case Operator.OR:
            return left | right
        case Operator.XOR:
            return left ^ right
        case Operator.EQUAL:
            return left.equiv(right)
        case Operator.IMPLIES:
            return left.imp(right)
