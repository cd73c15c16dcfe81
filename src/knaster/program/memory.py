"""What programs with memory have besides the model: addresses, loads and stores, objects that begin and end.

A program with memory (`Kind.MEMORY`) is C with pointers.  Scalars whose address nobody takes are variables of the
model; everything else is an *object*, a number of bytes that lives for a while.  An address is an object and an offset
into it; object 0 is no object (null, and numbers that were made pointers), negative ones are functions.  The value of a
struct is a `Snapshot` of its bytes.  `semantics/memory` says what a step does.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, TypeAlias

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field
from knaster.program.expression import NOWHERE, OPERANDS, Expr, reduce_flat
from knaster.program.types import Bool, Int


class Address(NamedTuple):
    """Where a pointer points: `base` is an object, 0 for none, negative for a function."""

    base: int
    offset: int


class Fragment(NamedTuple):
    """One byte of a pointer, or of something else whose bits are not known."""

    address: Any
    position: int
    size: int  # of the pointer


Cell = tuple[int, int, Any]  # offset, size in bytes, and an unsigned number, an address or a fragment


class Snapshot(NamedTuple):
    """The bytes of an object that were written, as they were at one moment."""

    size: int
    cells: tuple[Cell, ...]


NULL = Address(0, 0)
NULL_PAGE = (
    4096  # bytes; what is nearer to null is a part or an element of nothing, and no number that was made a pointer
)
WILD = Address(0, 0xDEAD0001)  # a pointer that cannot be used


@dataclass(frozen=True, slots=True)
class Addresses:
    """The type of pointers, of so many bytes."""

    size: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """The type of structs, unions and arrays as values: so many bytes."""

    size: int


@dataclass(frozen=True, slots=True)
class Floating:
    """The type of floating-point numbers of IEEE 754, of 32 or 64 bits."""

    width: int


CellType: TypeAlias = (
    Int | Bool | Addresses | Chunk | Floating
)  # what a load or a store moves; a truth value is one byte


def bytes_of(type: CellType) -> int:
    """Return how many bytes a value takes."""
    match type:
        case Addresses(size) | Chunk(size):
            return size
        case Int(int(width)) | Floating(width):
            return width // 8
        case _:
            return 1


# Expressions


@dataclass(frozen=True, slots=True)
class Load:
    """The value of a type that stands at an address; `text` is how the program writes it."""

    __reduce__ = reduce_flat

    address: Expr
    type: CellType
    span: Span = field(default=NOWHERE, compare=False)
    text: str = field(default="", compare=False)
    packed: bool = False  # it may stand anywhere


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of an object or of a function, by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Moved:
    """An address moved by so many elements of `scale` bytes; `part` where it is a part of a struct."""

    __reduce__ = reduce_flat

    address: Expr
    index: Expr
    scale: int
    span: Span = field(default=NOWHERE, compare=False)
    part: bool = False


@dataclass(frozen=True, slots=True)
class Distance:
    """How many elements of `scale` bytes lie between two addresses; `width` bits, signed."""

    __reduce__ = reduce_flat

    left: Expr
    right: Expr
    scale: int
    width: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class FloatOperation:
    """`+`, `-`, `*` or `/` of floating-point numbers of a type, rounded to it."""

    __reduce__ = reduce_flat

    operator: str
    left: Expr
    right: Expr
    type: Floating


@dataclass(frozen=True, slots=True)
class FloatTerm:
    """What an operation of floating-point numbers computes from their bits: bits again, an integer, or a truth value.

    Operators are those of `FloatOperation`, names of functions of math.h, "==", "<" and "<=", and "convert", of numbers
    of `type` to such of `result`.  Terms over inputs have it (`semantics.memory.symbolic`), and programs over integers
    that were made of programs with memory (`transform.regions`).
    """

    __reduce__ = reduce_flat

    operator: str
    operands: tuple[Expr, ...]
    type: Floating | Int
    result: Floating | Int | Bool


MemoryExpr: TypeAlias = Load | AddressOf | Moved | Distance | FloatOperation | FloatTerm

OPERANDS.update(
    {
        Load: lambda node: (node.address,),
        Moved: attrgetter("address", "index"),
        Distance: attrgetter("left", "right"),
        FloatOperation: attrgetter("left", "right"),
        FloatTerm: attrgetter("operands"),
    }
)


# Actions


@dataclass(frozen=True, slots=True)
class Store:
    """Write a value of a type at an address; an initial value may be written where nothing else may."""

    address: Expr
    value: Expr
    type: CellType
    text: str = field(default="", compare=False)
    initial: bool = False
    packed: bool = False  # it may stand anywhere


@dataclass(frozen=True, slots=True)
class Begin:
    """Let a local object live from here on, with nothing written; where it lives already, it is the same object."""

    name: str
    size: Expr
    zeroed: bool = False
    writable: bool = True


@dataclass(frozen=True, slots=True)
class Invoke:
    """Call the function that an address names; `form` is the type that the caller takes it for."""

    function: Expr
    arguments: tuple[Expr, ...]
    targets: tuple[str | None, ...]
    form: Form


@dataclass(frozen=True, slots=True)
class Library:
    """Do what a function of the library does; its result goes to `target`, None where nobody wants it."""

    name: str
    arguments: tuple[Expr, ...]
    target: str | None
    type: CellType | None


MemoryAction: TypeAlias = Store | Begin | Invoke | Library


# What a program declares


@dataclass(frozen=True, slots=True)
class Form:
    """What a function takes and returns, as far as a caller must agree; None where nothing is said."""

    result: str
    parameters: tuple[str, ...] | None
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A scalar part of an object, for those who look at it: how it is written after the name, and where it stands."""

    suffix: str
    offset: int
    type: CellType
    shown: str = ""  # "char" where it is shown as a character, "enum A=0 B=1" where as one of these names


class Extent(NamedTuple):
    """Where a member of a struct stands, in bytes; an array is one member, and so is a union."""

    start: int
    size: int
    is_array: bool = False


@dataclass(frozen=True, slots=True)
class ObjectDeclaration:
    """An object that lives as long as the program: bytes that nothing is said of are 0, unless it is `unknown`."""

    name: str
    size: int
    cells: tuple[tuple[int, CellType, Expr], ...] = ()  # initial values: constants and addresses
    writable: bool = True
    parts: tuple[Part, ...] = ()
    literal: bool = False  # a text, or another thing without a name
    unknown: bool = False  # defined elsewhere: its bytes are inputs
    per_thread: bool = False  # each thread has its own


@dataclass(frozen=True, slots=True)
class MemoryLayout:
    """The objects and functions of a program with memory."""

    objects: tuple[ObjectDeclaration, ...]
    forms: tuple[tuple[str, Form], ...]  # of the functions that are defined
    pointer: int  # the size of a pointer
    locals: tuple[tuple[tuple[str, str], tuple[Part, ...]], ...] = ()  # by procedure and name
    threaded: bool = False  # it has threads, or words that only threads need
    members: tuple[tuple[tuple[str, str], tuple[Extent, ...]], ...] = ()  # of structs that have arrays in them


def memory_expressions(action: object) -> tuple[Expr, ...]:
    """Return what an action on memory evaluates."""
    match action:
        case Store(address, value):
            return (address, value)
        case Begin(_, size):
            return (size,)
        case Invoke(function, arguments):
            return (function, *arguments)
        case Library(_, arguments):
            return arguments
    return ()
