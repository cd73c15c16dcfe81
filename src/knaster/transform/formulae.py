"""Formulae for the programs that reductions write: conjunctions, numbers as bits, new names, variables renamed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from knaster.base.errors import InternalError
from knaster.base.records import dataclass
from knaster.program.expression import (
    CHOICE,
    FALSE,
    TRUE,
    Binary,
    Choice,
    Conditional,
    Const,
    Expr,
    Not,
    Operator,
    Var,
    postorder,
)
from knaster.program.model import Program


def all_of(parts: Iterable[Expr]) -> Expr:
    """Return the conjunction, balanced so that it is not deep."""
    return _join(Operator.AND, [part for part in parts if part != TRUE], TRUE)


def any_of(parts: Iterable[Expr]) -> Expr:
    """Return the disjunction, balanced so that it is not deep."""
    return _join(Operator.OR, [part for part in parts if part != FALSE], FALSE)


def _join(operator: Operator, parts: list[Expr], empty: Expr) -> Expr:
    while len(parts) > 1:
        pairs = [Binary(operator, *parts[i : i + 2]) for i in range(0, len(parts) - 1, 2)]
        parts = [*pairs, *parts[2 * len(pairs) :]]
    return parts[0] if parts else empty


def same(left: Expr, right: Expr) -> Expr:
    """Return that two formulae have the same value."""
    return Binary(Operator.EQUAL, left, right)


def implies(premise: Expr, conclusion: Expr) -> Expr:
    """Return the implication."""
    return Binary(Operator.IMPLIES, premise, conclusion)


@dataclass(frozen=True, slots=True)
class Number:
    """A number as bits of globals, the most significant first; without bits it is always 0."""

    bits: tuple[str, ...]

    def equals(self, value: int, primed: bool = False) -> Expr:
        """Return that it has this value."""
        return all_of(
            Var(name, primed) if bit else Not(Var(name, primed))
            for name, bit in zip(self.bits, self._digits(value), strict=True)
        )

    def same_as(self, other: Number) -> Expr:
        """Return that two numbers are equal."""
        return all_of(same(Var(one), Var(two)) for one, two in zip(self.bits, other.bits, strict=True))

    def constants(self, value: int) -> tuple[Expr, ...]:
        """Return the values of the bits."""
        return tuple(Const(bit) for bit in self._digits(value))

    def value(self, state: object) -> int:
        """Return the number in a state."""
        assert hasattr(state, "__getitem__")
        return sum(bool(state[name]) << place for place, name in enumerate(reversed(self.bits)))

    def _digits(self, value: int) -> tuple[bool, ...]:
        return tuple(bool(value >> place & 1) for place in reversed(range(len(self.bits))))


class Fresh:
    """Names that no variable and no procedure of a program has."""

    def __init__(self, program: Program) -> None:
        self._taken = {*program.globals, *(procedure.name for procedure in program.procedures)}
        for procedure in program.procedures:
            self._taken.update(procedure.frame)

    def name(self, wanted: str) -> str:
        """Return a new name, this one if it is free."""
        while wanted in self._taken:
            wanted += "_"
        self._taken.add(wanted)
        return wanted

    def number(self, wanted: str, values: int) -> Number:
        """Return a new number that has so many values, from 0 on."""
        width = max(0, values - 1).bit_length()
        return Number(tuple(self.name(wanted if width == 1 else f"{wanted}_{bit}") for bit in reversed(range(width))))


def rename_variables(expr: Expr, name_of: Callable[[str], str]) -> Expr:
    """Return a Boolean formula with its variables under other names."""
    return _replace_variables(expr, lambda node: Var(name_of(node.name), node.primed))


def prime_variables(expr: Expr, names: Collection[str]) -> Expr:
    """Return a Boolean formula that reads the new values of some variables."""
    return _replace_variables(expr, lambda node: Var(node.name, node.name in names))


def _replace_variables(expr: Expr, variable: Callable[[Var], Expr]) -> Expr:
    stack: list[Expr] = []
    for node in postorder(expr):
        match node:
            case Var():
                stack.append(variable(node))
            case Const() | Choice():
                stack.append(node)
            case Not():
                stack.append(Not(stack.pop()))
            case Binary(operator):
                right, left = stack.pop(), stack.pop()
                stack.append(Binary(operator, left, right))
            case Conditional():
                otherwise, then, condition = stack.pop(), stack.pop(), stack.pop()
                stack.append(Conditional(condition, then, otherwise))
            case _:
                raise InternalError(f"{type(node).__name__} in a Boolean program")
    return stack.pop()


def choices(names: Sequence[str]) -> tuple[Expr, ...]:
    """Return an arbitrary value for each name."""
    return (CHOICE,) * len(names)
