"""Types and values: Boolean, machine and mathematical integers, arrays, structs, enumerations, references.

A value of a type is a plain Python value: `bool`, `int` (in the range of its type), a `tuple` for an array or a struct,
and for a reference a `Reference` or None, which is null.  A variable without a type of its own is Boolean, so Boolean
programs pay nothing for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass


@dataclass(frozen=True, slots=True)
class Bool:
    """True and false."""


@dataclass(frozen=True, slots=True)
class Int:
    """Integers of `width` bits, two's complement where they are signed; with no width all integers."""

    width: int | None = None
    signed: bool = True

    @property
    def low(self) -> int | None:
        """The smallest value; None where there is none."""
        if self.width is None:
            return None
        return -(1 << self.width - 1) if self.signed else 0

    @property
    def high(self) -> int | None:
        """The largest value; None where there is none."""
        if self.width is None:
            return None
        return (1 << self.width - (1 if self.signed else 0)) - 1

    def wrap(self, value: int) -> int:
        """Return the value of this type that is congruent to an integer."""
        if self.width is None:
            return value
        value &= (1 << self.width) - 1
        return value - (1 << self.width) if self.signed and value >> self.width - 1 else value

    def holds(self, value: int) -> bool:
        """Tell whether an integer is a value of this type."""
        return self.wrap(value) == value


@dataclass(frozen=True, slots=True)
class Array:
    """A fixed number of elements of one type, indexed from 0; a value, not a place in memory."""

    element: Type
    length: int


@dataclass(frozen=True, slots=True)
class Pointer:
    """References to cells of one class of the heap; None (null) is one of its values."""

    target: str


OBJECT = "object"  # a pointer to any class


@dataclass(frozen=True, slots=True)
class Enumeration:
    """Named numbers 0, 1, 2, ...; a value is the number."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Struct:
    """Named parts; a value is a tuple of them."""

    name: str
    fields: tuple[tuple[str, Type], ...]


if TYPE_CHECKING:  # only programs with memory pay for theirs
    from knaster.program.memory import Addresses, Chunk, Floating

    Type: TypeAlias = Bool | Int | Array | Pointer | Enumeration | Struct | Addresses | Chunk | Floating
else:
    Type = Bool | Int | Array | Pointer | Enumeration | Struct


class Reference(NamedTuple):
    """The name of a cell of the heap: its class, and a number that tells it from the other cells of that class."""

    target: str
    number: int


Value = bool | int | tuple["Value", ...] | Reference | None

BOOL = Bool()
INTEGER = Int()  # mathematical


def default(type: Type) -> Value:
    """Return the value that a variable of a type begins with where the language says so: 0, false, null."""
    match type:
        case Bool():
            return False
        case Pointer():
            return None
        case Array(element, length):
            return (default(element),) * length
        case Struct(_, fields):
            return tuple(default(part) for _, part in fields)
        case _:
            return 0


def holds_all(type: Type, source: Type | None) -> bool:
    """Tell whether every value of another type is one of this integer type, truth values being 0 and 1."""
    if not isinstance(type, Int):
        return False
    if isinstance(source, Bool):
        return type.holds(0) and type.holds(1)
    if not isinstance(source, Int):
        return False
    if source.low is None or source.high is None:
        return type.width is None
    return type.holds(source.low) and type.holds(source.high)


def belongs(value: Value, type: Type) -> bool:
    """Tell whether `value` is a value of `type`."""
    match type:
        case Bool():
            return isinstance(value, bool)
        case Int():
            return isinstance(value, int) and not isinstance(value, bool) and type.holds(value)
        case Array(element, length):
            if not isinstance(value, tuple) or isinstance(value, Reference) or len(value) != length:
                return False
            return all(belongs(part, element) for part in value)
        case Pointer(target):
            return value is None or (isinstance(value, Reference) and target in (value.target, OBJECT))
        case Enumeration():
            return isinstance(value, int) and not isinstance(value, bool)
        case Struct(_, fields):
            if not isinstance(value, tuple) or isinstance(value, Reference) or len(value) != len(fields):
                return False
            return all(belongs(part, kind) for part, (_, kind) in zip(value, fields, strict=True))
    return False
