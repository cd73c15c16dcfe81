"""Connectives: from a Boolean expression, the same in those that programs with references have."""

from __future__ import annotations

from collections.abc import Callable

from knaster.program.algebra import rebuilt
from knaster.program.expression import Binary, Expr, Not, Operator, operands, postorder


def rewrite(expr: Expr, leaf: Callable[[Expr], Expr]) -> Expr:
    """Return an expression without `=` and `=>`, with other variables and choices where `leaf` says so."""
    stack: list[Expr] = []
    for node in postorder(expr):
        count = len(operands(node))
        parts = stack[len(stack) - count :]
        del stack[len(stack) - count :]
        match node:
            case Binary(Operator.EQUAL):
                stack.append(Not(Binary(Operator.XOR, *parts)))
            case Binary(Operator.IMPLIES):
                stack.append(Binary(Operator.OR, Not(parts[0]), parts[1]))
            case _:
                stack.append(rebuilt(node, parts) if count else leaf(node))
    return stack.pop()


def plain(expr: Expr) -> Expr:
    """Return an expression without `=` and `=>`."""
    return rewrite(expr, lambda node: node)
