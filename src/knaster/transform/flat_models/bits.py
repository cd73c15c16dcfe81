"""Bits: from value sets, each variable as truth values, and each expression as formulae over them.

A variable with n values is the number of its value in bits; one with one value is nothing at all.  An expression is a
list of cases: a value, and the formula that says when it has that one.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.program.evaluate import compare
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Compare,
    Conditional,
    Const,
    Expr,
    Not,
    Operator,
    Var,
    operands,
    postorder,
)
from knaster.semantics.heap.evaluate import number
from knaster.transform.flat_models.value_sets import Plain, ValueSets

Cases = dict[Plain, Expr]


def both(left: Expr, right: Expr) -> Expr:
    """Return that two formulae hold."""
    if left == TRUE or right == FALSE:
        return right
    return left if right == TRUE or left == FALSE else Binary(Operator.AND, left, right)


def either(left: Expr, right: Expr) -> Expr:
    """Return that one of two formulae holds."""
    if left == FALSE or right == TRUE:
        return right
    return left if right == FALSE or left == TRUE else Binary(Operator.OR, left, right)


class Bits:
    """The variables of one model in bits."""

    def __init__(self, sets: ValueSets) -> None:
        self.sets = sets

    def names(self, procedure: str, name: str) -> tuple[str, ...]:
        """Return the variables that stand for a variable."""
        count = (len(self.sets.of(procedure, name)) - 1).bit_length()
        return tuple(f"{name}'{bit}" if count > 1 else name for bit in range(count))

    def constant(self, procedure: str, name: str, value: Plain) -> list[Expr]:
        """Return the bits of a value of a variable."""
        index = self.sets.of(procedure, name).index(value)
        return [Const(bool(index >> bit & 1)) for bit in range(len(self.names(procedure, name)))]

    def assigned(self, procedure: str, owner: str, name: str, value: Expr) -> list[Expr]:
        """Return the bits of a variable of an owner to which an expression of a procedure is assigned."""
        cases = self.cases(procedure, value)
        known = self.sets.of(owner, name)
        found: list[Expr] = []
        for bit in range(len(self.names(owner, name))):
            formula: Expr = FALSE
            for each, guard in cases.items():
                if known.index(each) >> bit & 1:
                    formula = either(formula, guard)
            found.append(formula)
        return found

    def condition(self, procedure: str, expr: Expr) -> Expr:
        """Return when a condition holds."""
        return self.cases(procedure, expr).get(True, FALSE)

    def cases(self, procedure: str, expr: Expr) -> Cases:
        """Return the values of an expression, each with when it has that one."""
        stack: list[Cases] = []
        for node in postorder(expr):
            count = len(operands(node))
            given = stack[len(stack) - count :]
            del stack[len(stack) - count :]
            stack.append(self._node(procedure, node, given))
        return stack.pop()

    def _node(self, procedure: str, node: Expr, given: Sequence[Cases]) -> Cases:
        match node:
            case Const(bool() | int() as value):
                return {value: TRUE}
            case Var(name):
                return {value: self._is(procedure, name, value) for value in self.sets.of(procedure, name)}
            case Not():
                return {not value: guard for value, guard in given[0].items()}
            case Conditional():
                condition = given[0].get(True, FALSE)
                found: Cases = {}
                for part, guard in ((given[1], condition), (given[2], Not(condition))):
                    for value, when in part.items():
                        found[value] = either(found.get(value, FALSE), both(guard, when))
                return found
        found = {}
        for left, first in given[0].items():
            for right, second in given[1].items():
                value = _apply(node, left, right)
                found[value] = either(found.get(value, FALSE), both(first, second))
        return found

    def _is(self, procedure: str, name: str, value: Plain) -> Expr:
        """Return that a variable has a value."""
        formula: Expr = TRUE
        bits = self.constant(procedure, name, value)
        for variable, bit in zip(self.names(procedure, name), bits, strict=True):
            formula = both(formula, Var(variable) if bit == TRUE else Not(Var(variable)))
        return formula


def _apply(node: Expr, left: Plain, right: Plain) -> Plain:
    match node:
        case Binary(Operator.AND):
            return bool(left) and bool(right)
        case Binary(Operator.OR):
            return bool(left) or bool(right)
        case Binary():
            return bool(left) != bool(right)
        case Compare(operator=comparison):
            return compare(comparison, left, right)
        case Arithmetic(operator=integer):
            return number(integer, left, right)
    raise AssertionError(node)
