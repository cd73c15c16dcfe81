"""Names of their own for the values of an obligation, and expressions with these names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knaster.base.errors import InternalError
from knaster.program.expression import (
    FALSE,
    TRUE,
    Arithmetic,
    Binary,
    Choice,
    Compare,
    Conditional,
    Const,
    Convert,
    Element,
    Expr,
    Not,
    Operator,
    Updated,
    Var,
    postorder,
)
from knaster.program.memory import FloatTerm
from knaster.program.types import BOOL, Type, Value, belongs

NOTHING: Mapping[str, Expr] = {}


class Names:
    """Names that are given once, and the types of the variables among them."""

    def __init__(self) -> None:
        self.types: dict[str, Type] = {}
        self._number = 0
        self.inputs: set[str] = set()  # the variables among them that stand for inputs
        self.given: Value | None = None  # the value of the inputs that are read now, if somebody says it

    def name(self, word: str) -> Var:
        """Return a new name."""
        self._number += 1  # mutant: any numbers that differ will do
        return Var(f"{word}#{self._number}")

    def variable(self, word: str, type: Type) -> Var:
        """Return a new variable that may have any value of its type."""
        found = self.name(word)
        self.types[found.name] = type
        return found

    def truth(self) -> Var:
        """Return a new variable that is true or false."""
        return self.variable("taken", BOOL)

    def rename(self, expr: Expr, state: Mapping[str, Expr], after: Mapping[str, Expr] = NOTHING) -> Expr:
        """Return an expression over the values of a state; primed variables are those of `after`.

        Every input is a new variable.  Raises `KeyError` where the state has no such variable.
        """
        stack: list[Expr] = []
        for node in postorder(expr):
            match node:
                case Const():
                    stack.append(node)
                case Var(name, primed):
                    stack.append((after if primed else state)[name])
                case Choice(type):
                    stack.append(self._input(type))
                case Not():
                    stack.append(Not(stack.pop()))
                case Binary(operator):
                    right = stack.pop()
                    stack.append(Binary(operator, stack.pop(), right))
                case Conditional():
                    otherwise, then = stack.pop(), stack.pop()
                    stack.append(Conditional(stack.pop(), then, otherwise))
                case Arithmetic(integer, _, _, kind):
                    right = stack.pop()
                    stack.append(Arithmetic(integer, stack.pop(), right, kind))
                case Compare(comparison):
                    right = stack.pop()
                    stack.append(Compare(comparison, stack.pop(), right))
                case Convert(_, to):
                    stack.append(Convert(stack.pop(), to))
                case Element():
                    index = stack.pop()
                    stack.append(Element(stack.pop(), index))
                case Updated():
                    value, index = stack.pop(), stack.pop()
                    stack.append(Updated(stack.pop(), index, value))
                case FloatTerm(operator, operands, type, result):
                    parts = [stack.pop() for _ in operands][::-1]
                    stack.append(FloatTerm(operator, tuple(parts), type, result))
                case _:
                    raise InternalError(f"{node.__class__.__name__} is no part of a program over integers")
        return stack.pop()

    def _input(self, type: Type) -> Expr:
        if self.given is not None and belongs(self.given, type):
            return Const(self.given)
        found = self.variable("input", type)
        self.inputs.add(found.name)
        return found


def any_of(parts: Sequence[Expr]) -> Expr:
    """Return that one of several conditions holds."""
    found = parts[0] if parts else FALSE
    for part in parts[1:]:
        found = Binary(Operator.OR, found, part)
    return found


def all_of(parts: Sequence[Expr]) -> Expr:
    """Return that several conditions hold."""
    found = parts[0] if parts else TRUE
    for part in parts[1:]:
        found = Binary(Operator.AND, found, part)
    return found
