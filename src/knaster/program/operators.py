"""The nodes of the expression tree over other types than Boolean: integers, arrays, structs, references.

They are names of `program.expression`, which says what they are for; they stand here so that a Boolean program pays
nothing for them.
"""

from __future__ import annotations

from enum import StrEnum
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from knaster.base.errors import Span
from knaster.base.records import dataclass, field
from knaster.program.expression import NOWHERE, OPERANDS, Const, Expr, reduce_flat
from knaster.program.types import Int, Type


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


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """An integer operator on two operands of `type`; the result wraps into `type`.

    Undefined where a divisor is 0, and where a shift is negative or as wide as the type.
    """

    __reduce__ = reduce_flat

    operator: IntegerOperator
    left: Expr
    right: Expr
    type: Int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compare:
    """A comparison of two values of the same type."""

    __reduce__ = reduce_flat

    operator: Comparison
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Convert:
    """An integer or truth value as a value of another type: integers wrap, Boolean means different from 0."""

    __reduce__ = reduce_flat

    operand: Expr
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array; undefined where the index is out of range."""

    __reduce__ = reduce_flat

    array: Expr
    index: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Updated:
    """An array with one element replaced; undefined where the index is out of range."""

    __reduce__ = reduce_flat

    array: Expr
    index: Expr
    value: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a struct value, by its position."""

    __reduce__ = reduce_flat

    struct: Expr
    index: int
    name: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the cell that a reference names, by its position in the class; fails where the reference is null."""

    __reduce__ = reduce_flat

    object: Expr
    index: int
    name: str = field(default="", compare=False)
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """An element of an array or a set in the heap; fails where there is no array or no such element."""

    __reduce__ = reduce_flat

    array: Expr
    index: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SizeOf:
    """The number of elements of an array, a channel or a set in the heap."""

    __reduce__ = reduce_flat

    collection: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Member:
    """Whether a value is in a set of the heap."""

    __reduce__ = reduce_flat

    element: Expr
    collection: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class New:
    """A new cell of a class; an array whose declaration leaves its length open has one here."""

    __reduce__ = reduce_flat

    cell: str
    length: Expr | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Self:
    """The number of the thread that evaluates it."""


@dataclass(frozen=True, slots=True)
class Apply:
    """The result of a procedure, run to its end for its value alone: what it changes is forgotten."""

    __reduce__ = reduce_flat

    procedure: str
    arguments: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


HeapExpr: TypeAlias = Part | Field | Index | SizeOf | Member | New | Self | Apply
if TYPE_CHECKING:  # only programs with memory pay for theirs
    from knaster.program.memory import MemoryExpr

    TypedExpr: TypeAlias = Arithmetic | Compare | Convert | Element | Updated | HeapExpr | MemoryExpr
else:
    TypedExpr = Arithmetic | Compare | Convert | Element | Updated | HeapExpr


OPERANDS.update(
    {
        Arithmetic: attrgetter("left", "right"),
        Compare: attrgetter("left", "right"),
        Convert: lambda node: (node.operand,),
        Element: attrgetter("array", "index"),
        Updated: attrgetter("array", "index", "value"),
        Part: lambda node: (node.struct,),
        Field: lambda node: (node.object,),
        SizeOf: lambda node: (node.collection,),
        Index: attrgetter("array", "index"),
        Member: attrgetter("element", "collection"),
        New: lambda node: () if node.length is None else (node.length,),
        Apply: attrgetter("arguments"),
    }
)


_MAY_FAIL = frozenset((Arithmetic, Element, Updated))


def may_fail(expr: Expr) -> bool:
    """Tell whether the outermost operator of `expr` may have no result, whatever its operands have."""
    if type(expr) not in _MAY_FAIL:
        return False
    match expr:
        case Arithmetic(IntegerOperator.DIVIDE | IntegerOperator.REMAINDER, _, right):
            return not isinstance(right, Const) or right.value == 0
        case Arithmetic(IntegerOperator.LEFT | IntegerOperator.RIGHT, _, right, kind):
            if not isinstance(right, Const) or not isinstance(right.value, int):
                return True
            return not 0 <= right.value < (kind.width or 64)
        case Element() | Updated():
            return True
        case _:
            return False
