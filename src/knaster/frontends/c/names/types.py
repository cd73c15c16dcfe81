"""The types of C that are read, how values of them become variables of the model, and C's conversions.

A struct is several variables, one for each field (`s.x`), an array of structs one array for each field; so structs need
no type in the model.  What is not read is a type too, `Foreign`: it is refused where something is declared with it, not
where it is only mentioned, as in the prototypes of a header.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.records import dataclass
from knaster.program import types as model


@dataclass(frozen=True, slots=True)
class Integer:
    """An integer type; plain char is signed."""

    width: int
    signed: bool = True


@dataclass(frozen=True, slots=True)
class Boolean:
    """`_Bool`."""


@dataclass(frozen=True, slots=True)
class Void:
    """No value."""


@dataclass(frozen=True, slots=True)
class Record:
    """A struct; `tag` tells two of them apart."""

    tag: str
    fields: tuple[tuple[str, CType], ...]


@dataclass(frozen=True, slots=True)
class Vector:
    """An array of fixed size; the length is 0 where the initialiser is to tell it."""

    element: CType
    length: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function; `parameters` is None where the declaration does not name them."""

    result: CType
    parameters: tuple[CType, ...] | None


@dataclass(frozen=True, slots=True)
class Foreign:
    """A type that is not read: what it is, and what to do about it."""

    what: str
    advice: str


CType = Integer | Boolean | Void | Record | Vector | Function | Foreign
Scalar = Integer | Boolean

INT = Integer(32)
CHAR = Integer(8)
POINTER = Foreign("pointers are not read", "pass values and return results, or use an array and an index")
FLOAT = Foreign("floating-point numbers are not read", "use integers, for example in thousandths")
UNION = Foreign("unions are not read", "use a struct")
FUNCTION_POINTER = Foreign("function pointers are not read", "call the functions by name, for example in a switch")
VARIABLE_LENGTH = Foreign("the length of this array is not a constant", "give it the largest length it can have")
BIT_FIELD = Foreign("bit-fields are not read", "use a whole integer and mask it")
VOLATILE = Foreign("volatile variables are not read", "call __VERIFIER_nondet_int() where one is read")
INCOMPLETE = Foreign("this struct is declared nowhere", "declare its fields before it is used")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One variable of the model that holds a part of a C object."""

    suffix: str  # `.x` for a field
    scalar: Scalar
    lengths: tuple[int, ...]  # of the arrays around the scalar, outermost first


def leaves(type: CType, suffix: str = "", lengths: tuple[int, ...] = ()) -> Iterator[Leaf]:
    """Yield the variables that an object of a type consists of, in the order of the text."""
    match type:
        case Integer() | Boolean():
            yield Leaf(suffix, type, lengths)
        case Vector(element, length):
            yield from leaves(element, suffix, (*lengths, length))
        case Record(_, fields):
            for name, field in fields:
                yield from leaves(field, f"{suffix}.{name}", lengths)


def common(left: Scalar, right: Scalar) -> Integer:
    """Return the type in which C computes with two operands (6.3.1.8); the ranks follow from the widths."""
    first, second = promote(left), promote(right)
    if first.width != second.width:
        return first if first.width > second.width else second
    return first if not first.signed else second


def promote(type: Scalar) -> Integer:
    """Return the type that C's integer promotions give a value of `type` (6.3.1.1)."""
    return type if isinstance(type, Integer) and type.width >= INT.width else INT


def in_model(type: Scalar, mathematical: bool) -> model.Type:
    """Return the type of a variable of the model that holds a value of `type`."""
    if isinstance(type, Boolean):
        return model.BOOL
    return model.INTEGER if mathematical and type.signed else model.Int(type.width, type.signed)


def array_of(element: model.Type, lengths: tuple[int, ...]) -> model.Type:
    """Return the type of an array of arrays, the outermost length first."""
    for length in reversed(lengths):
        element = model.Array(element, length)
    return element
