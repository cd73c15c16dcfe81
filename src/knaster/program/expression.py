"""The only expression tree: Boolean formulae and typed arithmetic, with nondeterministic choice.

Every `Choice` is its own independent value, so an expression is a tree and never shares a `Choice` between two places;
a front end that desugars must not copy a subexpression that may hold one.  `Conditional` exists for that reason:
`(c & a) | (!c & b)` would choose twice.

Boolean formulae are `Const`, `Var`, `Choice`, `Not`, `Binary` and `Conditional`.  Over other types there are
`Arithmetic`, `Compare`, `Convert`, `Element` and `Updated`; every integer operator says in which type its result is, so
that nothing has to be guessed from its operands.  What can go wrong at run time carries the span of its text.

Programs with references (`program.objects`) have `Part`, `Field`, `Index`, `SizeOf`, `Member`, `New`, `Self` and
`Apply` as well.  There a `Conditional` evaluates only the operand that it takes, and an overflow is a failure.

Expressions may be very deep (10,000 levels), so everything here and everything that walks them is iterative:
`postorder` yields operands before operators, and a stack does the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from knaster.errors import Span
from knaster.program.types import BOOL, Int, Type, Value

NOWHERE = Span(0, 0, 0)


class Operator(StrEnum):
    """A binary connective; the value is its canonical spelling."""

    AND = "&"
    OR = "|"
    XOR = "^"
    EQUAL = "="
    IMPLIES = "=>"


class IntegerOperator(StrEnum):
    """An operator on integers as in C: division truncates towards zero, a remainder has the sign of the dividend."""

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "%"
    AND = "&"
    OR = "|"
    XOR = "^"
    LEFT = "<<"
    RIGHT = ">>"


class Comparison(StrEnum):
    """A comparison of two values of one type; only integers have an order."""

    EQUAL = "=="
    DIFFERENT = "!="
    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="


def _flattened(self: Expr) -> tuple[object, ...]:
    """Return what pickle wants: nodes that do not hold each other, so that no depth is too deep for it."""
    from knaster.program.flat import built, flat

    return built, (flat(self),)


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

    __reduce__ = _flattened

    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary:
    """A binary connective applied to two operands."""

    __reduce__ = _flattened

    operator: Operator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Conditional:
    """`condition ? then : otherwise`, choosing in the condition only once; of any type."""

    __reduce__ = _flattened

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """An integer operator on two operands of `type`; the result wraps into `type`.

    Undefined where a divisor is 0, and where a shift is negative or as wide as the type.
    """

    __reduce__ = _flattened

    operator: IntegerOperator
    left: Expr
    right: Expr
    type: Int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two values of the same type."""

    __reduce__ = _flattened

    operator: Comparison
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Convert:
    """An integer or truth value as a value of another type: integers wrap, Boolean means different from 0."""

    __reduce__ = _flattened

    operand: Expr
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array; undefined where the index is out of range."""

    __reduce__ = _flattened

    array: Expr
    index: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Updated:
    """An array with one element replaced; undefined where the index is out of range."""

    __reduce__ = _flattened

    array: Expr
    index: Expr
    value: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a struct value, by its position."""

    __reduce__ = _flattened

    struct: Expr
    index: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the cell that a reference names, by its position in the class; fails where the reference is null."""

    __reduce__ = _flattened

    object: Expr
    index: int
    name: str = field(default="", compare=False)
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """An element of an array or a set in the heap; fails where there is no array or no such element."""

    __reduce__ = _flattened

    array: Expr
    index: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SizeOf:
    """The number of elements of an array, a channel or a set in the heap."""

    __reduce__ = _flattened

    collection: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Member:
    """Whether a value is in a set of the heap."""

    __reduce__ = _flattened

    element: Expr
    collection: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class New:
    """A new cell of a class; an array whose declaration leaves its length open has one here."""

    __reduce__ = _flattened

    cell: str
    length: Expr | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Self:
    """The number of the thread that evaluates it."""


@dataclass(frozen=True, slots=True)
class Apply:
    """The result of a procedure, run to its end for its value alone: what it changes is forgotten."""

    __reduce__ = _flattened

    procedure: str
    arguments: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


HeapExpr = Part | Field | Index | SizeOf | Member | New | Self | Apply
Expr = Const | Var | Choice | Not | Binary | Conditional | Arithmetic | Compare | Convert | Element | Updated | HeapExpr

TRUE = Const(True)
FALSE = Const(False)
CHOICE = Choice()


def operands(expr: Expr) -> tuple[Expr, ...]:
    """Return the operands of the outermost operator of `expr`, left to right."""
    match expr:
        case Not(operand) | Convert(operand):
            return (operand,)
        case Binary(_, left, right) | Arithmetic(_, left, right) | Compare(_, left, right):
            return left, right
        case Conditional(condition, then, otherwise):
            return condition, then, otherwise
        case Element(array, index):
            return array, index
        case Updated(array, index, value):
            return array, index, value
        case Part(inner) | Field(inner) | SizeOf(inner):
            return (inner,)
        case Index(left, right) | Member(left, right):
            return left, right
        case New(_, length) if length is not None:
            return (length,)
        case Apply(_, arguments):
            return arguments
        case _:
            return ()


def postorder(expr: Expr) -> Iterator[Expr]:
    """Yield every node of `expr`, operands left to right before their operator."""
    stack: list[tuple[Expr, bool]] = [(expr, False)]
    while stack:
        node, expanded = stack.pop()
        if expanded:
            yield node
            continue
        match node:
            case Var() | Const() | Choice():
                yield node
            case Not(operand):
                stack += [(node, True), (operand, False)]
            case Binary(_, left, right):
                stack += [(node, True), (right, False), (left, False)]
            case _:
                stack.append((node, True))
                stack += [(operand, False) for operand in reversed(operands(node))]


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
    for node in postorder(expr):
        match node:
            case Arithmetic(IntegerOperator.DIVIDE | IntegerOperator.REMAINDER, _, right):
                if not isinstance(right, Const) or right.value == 0:
                    return True
            case Arithmetic(IntegerOperator.LEFT | IntegerOperator.RIGHT, _, right, type):
                known = isinstance(right, Const) and isinstance(right.value, int)
                if not known or not 0 <= right.value < (type.width or 64):  # type: ignore[union-attr, operator]
                    return True
            case Element() | Updated():
                return True
    return False


def has_choice(expr: Expr) -> bool:
    """Tell whether the value of `expr` may depend on a nondeterministic value."""
    return any(isinstance(node, Choice) for node in postorder(expr))
