"""The only expression tree: Boolean formulae with nondeterministic choice.

Every `Choice` is its own independent bit, so an expression is a tree and never shares a `Choice` between two places;
a front end that desugars must not copy a subexpression that may hold one.  `Conditional` exists for that reason:
`(c & a) | (!c & b)` would choose twice.

Expressions may be very deep (10,000 levels), so everything here and everything that walks them is iterative:
`postorder` yields operands before operators, and a stack does the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Operator(StrEnum):
    """A binary connective; the value is its canonical spelling."""

    AND = "&"
    OR = "|"
    XOR = "^"
    EQUAL = "="
    IMPLIES = "=>"


@dataclass(frozen=True, slots=True)
class Const:
    """True or false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Var:
    """The value of a variable; primed, its value after the assignment (only in an assignment's constraint)."""

    name: str
    primed: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """An independent nondeterministic bit."""


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """A binary connective applied to two operands."""

    operator: Operator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional:
    """`condition ? then : otherwise`, choosing in the condition only once."""

    condition: Expr
    then: Expr
    otherwise: Expr


Expr = Const | Var | Choice | Not | Binary | Conditional

TRUE = Const(True)
FALSE = Const(False)
CHOICE = Choice()


def postorder(expr: Expr) -> Iterator[Expr]:
    """Yield every node of `expr`, operands left to right before their operator."""
    stack: list[tuple[Expr, bool]] = [(expr, False)]
    while stack:
        node, expanded = stack.pop()
        if expanded:
            yield node
            continue
        match node:
            case Not(operand):
                stack += [(node, True), (operand, False)]
            case Binary(_, left, right):
                stack += [(node, True), (right, False), (left, False)]
            case Conditional(condition, then, otherwise):
                stack += [(node, True), (otherwise, False), (then, False), (condition, False)]
            case _:
                yield node


def variables(expr: Expr) -> set[str]:
    """Return the names of the unprimed variables that `expr` reads."""
    return {node.name for node in postorder(expr) if isinstance(node, Var) and not node.primed}


def primed_variables(expr: Expr) -> set[str]:
    """Return the names of the variables whose next value `expr` speaks of."""
    return {node.name for node in postorder(expr) if isinstance(node, Var) and node.primed}


def has_choice(expr: Expr) -> bool:
    """Tell whether the value of `expr` may depend on a nondeterministic bit."""
    return any(isinstance(node, Choice) for node in postorder(expr))
