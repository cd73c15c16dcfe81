"""The only expression tree: Boolean formulae and typed arithmetic, with nondeterministic choice.

Every `Choice` is its own independent value, so an expression is a tree and never shares a `Choice` between two places;
a front end that desugars must not copy a subexpression that may hold one.  `Conditional` exists for that reason:
`(c & a) | (!c & b)` would choose twice.

Boolean formulae are `Const`, `Var`, `Choice`, `Not`, `Binary` and `Conditional`.  The others are in
`program.operators`, and loaded when a program has some: nobody waits for them who reads a Boolean program.  Over other
types there are
`Arithmetic`, `Compare`, `Convert`, `Element` and `Updated`; every integer operator says in which type its result is, so
that nothing has to be guessed from its operands.  What can go wrong at run time carries the span of its text.

Programs with references (`program.objects`) have `Part`, `Field`, `Index`, `SizeOf`, `Member`, `New`, `Self` and
`Apply` as well.  There a `Conditional` evaluates only the operand that it takes, and an overflow is a failure.

Expressions may be very deep (10,000 levels), so everything here and everything that walks them is iterative:
`postorder` yields operands before operators, and a stack does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias

from knaster.base.errors import Span
from knaster.base.lazy import names_of
from knaster.base.records import dataclass, field
from knaster.program.types import BOOL, Type, Value

if TYPE_CHECKING:
    from knaster.program.operators import Apply as Apply
    from knaster.program.operators import Arithmetic as Arithmetic
    from knaster.program.operators import Compare as Compare
    from knaster.program.operators import Comparison as Comparison
    from knaster.program.operators import Convert as Convert
    from knaster.program.operators import Element as Element
    from knaster.program.operators import Field as Field
    from knaster.program.operators import HeapExpr as HeapExpr
    from knaster.program.operators import Index as Index
    from knaster.program.operators import IntegerOperator as IntegerOperator
    from knaster.program.operators import Member as Member
    from knaster.program.operators import New as New
    from knaster.program.operators import Part as Part
    from knaster.program.operators import Self as Self
    from knaster.program.operators import SizeOf as SizeOf
    from knaster.program.operators import TypedExpr as TypedExpr
    from knaster.program.operators import Updated as Updated

NOWHERE = Span(0, 0, 0)
TYPED = (
    "Apply",
    "Arithmetic",
    "Compare",
    "Comparison",
    "Convert",
    "Element",
    "Field",
    "Index",
    "IntegerOperator",
    "Member",
    "New",
    "Part",
    "Self",
    "SizeOf",
    "Updated",
    "HeapExpr",
)  # what `operators` defines; to be had from here too


class Operator(StrEnum):
    """A binary connective; the value is its canonical spelling."""

    AND = "&"
    OR = "|"
    XOR = "^"
    EQUAL = "="
    IMPLIES = "=>"


def reduce_flat(self: Expr) -> tuple[object, ...]:
    """Return what pickle wants: nodes that do not hold each other, so that no depth is too deep for it."""
    from knaster.program.flat import build_tree, flat

    return build_tree, (flat(self),)


@dataclass(frozen=True, slots=True)
class Const:
    """A value: true, false, a number, an array, a reference, null."""

    value: Value


@dataclass(frozen=True, slots=True)
class Var:
    """The value of a variable; primed, its value after the assignment (only in an assignment's constraint)."""

    name: str
    primed: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """An independent nondeterministic value of a type: a bit, or an input of a program over integers.

    `origin` says where an input comes from: `f()`, or the name of a variable that nobody initialised.
    """

    type: Type = BOOL
    span: Span = field(default=NOWHERE, compare=False)
    origin: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    __reduce__ = reduce_flat

    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """A binary connective applied to two operands."""

    __reduce__ = reduce_flat

    operator: Operator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional:
    """`condition ? then : otherwise`, choosing in the condition only once; of any type."""

    __reduce__ = reduce_flat

    condition: Expr
    then: Expr
    otherwise: Expr


if TYPE_CHECKING:
    Expr: TypeAlias = Const | Var | Choice | Not | Binary | Conditional | TypedExpr
else:
    Expr = Const | Var | Choice | Not | Binary | Conditional  # the others are loaded when a program has some

__getattr__, __dir__ = names_of(__name__, dict.fromkeys(TYPED, "knaster.program.operators"))

TRUE = Const(True)
FALSE = Const(False)
CHOICE = Choice()


OPERANDS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Not: lambda node: (node.operand,),
    Binary: attrgetter("left", "right"),
    Conditional: attrgetter("condition", "then", "otherwise"),
}  # how to get the operands of an operator; `operators` adds its own, and what is not here has none


def operands(expr: Expr) -> tuple[Expr, ...]:
    """Return the operands of the outermost operator of `expr`, left to right."""
    kind = type(expr)
    return OPERANDS[kind](expr) if kind in OPERANDS else ()


def postorder(expr: Expr) -> Iterator[Expr]:
    """Yield every node of `expr`, operands left to right before their operator.

    Operators before their operands, right to left, is that order backwards, and needs no marks.  Nothing is walked as
    often as expressions, so kinds are told apart by a table, and most of them are leaves.
    """
    if type(expr) not in OPERANDS:
        return iter((expr,))
    stack, order = [expr], []
    while stack:
        node = stack.pop()
        order.append(node)
        kind = type(node)
        if kind in OPERANDS:
            stack += OPERANDS[kind](node)
    return reversed(order)


def variables(expr: Expr) -> set[str]:
    """Return the names of the unprimed variables that `expr` reads."""
    return {node.name for node in postorder(expr) if isinstance(node, Var) and not node.primed}


def primed_variables(expr: Expr) -> set[str]:
    """Return the names of the variables whose next value `expr` speaks of."""
    return {node.name for node in postorder(expr) if isinstance(node, Var) and node.primed}


def is_boolean(expr: Expr) -> bool:
    """Tell whether `expr` is a Boolean formula over Boolean variables, as far as its form tells."""
    return all(
        isinstance(node, Var | Not | Binary | Conditional)
        or (isinstance(node, Const) and isinstance(node.value, bool))
        or (isinstance(node, Choice) and node.type == BOOL)
        for node in postorder(expr)
    )


def may_be_undefined(expr: Expr) -> bool:
    """Tell whether the value of `expr` may be undefined: division, shifts and indices that are not plainly right."""
    if type(expr) in _LEAVES:
        return False
    for node in postorder(expr):
        if type(node) not in _PLAIN:
            from knaster.program.operators import may_fail

            if may_fail(node):
                return True
    return False


_LEAVES = frozenset((Var, Const, Choice))
_PLAIN = frozenset((Var, Const, Choice, Not, Binary, Conditional))


def has_choice(expr: Expr) -> bool:
    """Tell whether the value of `expr` may depend on a nondeterministic value."""
    if type(expr) not in OPERANDS:
        return type(expr) is Choice
    return any(isinstance(node, Choice) for node in postorder(expr))
