"""Types and their encoding in bits.

A basic type of n values takes ⌈log2 n⌉ bits and its values are coded 0 .. n-1 in order, most significant bit first; a
class or array is the sequence of its parts.  Codes n and above denote nothing: `valid_codes` tells them apart.

`order` is the sequence in which the bits of one value should stand in a BDD: as declared, unless the constraints of a
class say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest

from knaster.base.records import dataclass, field
from knaster.calculus.language.constraints import arrange
from knaster.calculus.language.syntax import Constraint

MAX_WIDTH = 100_000  # bits of one value; beyond it a type is surely a mistake


@dataclass(frozen=True, slots=True)
class Leaf:
    """A component of basic type: `path` as written behind a variable, its first bit, its type."""

    path: str
    offset: int
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Type:
    """A type.  Two types are the same where their names are; an array is called `element[length]`."""

    name: str
    width: int
    order: tuple[int, ...]
    size: int = 0  # of a basic type: how many values
    low: int = 0  # of a range: the first value
    names: tuple[str, ...] = ()  # of an enumeration
    element: Type | None = None  # of an array
    length: int = 0
    members: dict[str, tuple[Type, int]] = field(default_factory=dict)  # of a class, with the first bit of each

    @property
    def is_basic(self) -> bool:
        """Tell whether this is bool, an enumeration or a range."""
        return self.size > 0

    def code(self, constant: str) -> int | None:
        """Return the code of a named value, None where there is none of that name."""
        return self.names.index(constant) if constant in self.names else None

    def number_code(self, number: int) -> int | None:
        """Return the code of a number, None where it is out of range."""
        code = number - self.low
        return code if 0 <= code < self.size else None

    def show(self, code: int) -> str:
        """Return the value of a basic type as text."""
        return self.names[code] if self.names else str(code + self.low)

    def leaves(self) -> list[Leaf]:
        """Return the components of basic type, in the order of their bits."""
        found: list[Leaf] = []
        todo: list[Leaf] = [Leaf("", 0, self)]
        while todo:
            leaf = todo.pop()
            parts: list[Leaf]
            if leaf.type.element is not None:
                element = leaf.type.element
                parts = [
                    Leaf(f"{leaf.path}[{index}]", leaf.offset + index * element.width, element)
                    for index in range(leaf.type.length)
                ]
            elif leaf.type.is_basic:
                found.append(leaf)
                continue
            else:
                parts = [
                    Leaf(f"{leaf.path}.{name}", leaf.offset + offset, type_)
                    for name, (type_, offset) in leaf.type.members.items()
                ]
            todo.extend(reversed(parts))
        return found


def basic(name: str, size: int, low: int = 0, names: tuple[str, ...] = ()) -> Type:
    """Return a basic type of `size` values."""
    width = (size - 1).bit_length()
    return Type(name, width, tuple(range(width)), size=size, low=low, names=names)


BOOL = basic("bool", 2, names=("false", "true"))
UNKNOWN = Type("?", 0, ())  # stands for a type that was reported as unknown, so that nothing else is


def array(element: Type, length: int) -> Type:
    """Return the type of `length` values of type `element`."""
    order = tuple(index * element.width + bit for index in range(length) for bit in element.order)
    return Type(f"{element.name}[{length}]", element.width * length, order, element=element, length=length)


def record(name: str, members: Sequence[tuple[str, Type]], constraints: Iterable[Constraint]) -> Type:
    """Return a class; its constraints arrange the bits of its members."""
    offset = 0
    placed: dict[str, tuple[Type, int]] = {}
    for member, type_ in members:
        placed[member] = (type_, offset)
        offset += type_.width
    orders = {member: [start + bit for bit in type_.order] for member, (type_, start) in placed.items()}
    order = [bit for block in arrange(list(placed), constraints) for bit in interleave(orders[m] for m in block)]
    return Type(name, offset, tuple(order), members=placed)


def interleave(orders: Iterable[Sequence[int]]) -> list[int]:
    """Return the first of each, the second of each, and so on."""
    return [bit for bit in chain.from_iterable(zip_longest(*orders)) if bit is not None]
