"""Arrays whose lengths are known only at run time: who says them, and how many elements they have.

Such a type is what one declaration, parameter, typedef or cast says: its lengths are computed there, once (C17
6.7.6.2).  Clang knows the type by that place, so its address is the key of a length.
"""

from __future__ import annotations

from typing import Any

from knaster.base.records import dataclass
from knaster.base.trampoline import Steps
from knaster.frontends.c.memory.types import MemoryTypes, Sequence, address_of, fixed_element, is_variable, size_of
from knaster.frontends.c.names.types import Integer
from knaster.frontends.c.tree.nodes import Spot
from knaster.program.expression import (
    Arithmetic,
    Compare,
    Comparison,
    Conditional,
    Const,
    Convert,
    Expr,
    IntegerOperator,
)
from knaster.program.types import Int

_ARRAYS = frozenset(("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY"))
_WIDE, _SIZE = Int(128), Int(64)
COUNT = Integer(64, True)  # the type in which lengths are computed


@dataclass(frozen=True, slots=True, eq=False)
class Length:
    """The length of an array as it is written; those of inner arrays come before it."""

    type: Sequence
    number: Any
    at: Spot


def read_lengths(reader: Any, cursor: Any, type: Any, others: int = 0) -> Steps[list[Length]]:
    """Return the lengths that vary in a type as a cursor writes it, the innermost first.

    The expressions below the cursor are the lengths, and then `others`.
    """
    cursors, types = reader.unit.cursors, reader.types
    assert isinstance(types, MemoryTypes)
    parts = [part for part in cursors.below(cursor) if reader.is_expression(part)]
    parts = parts[: len(parts) - others]
    arrays: list[Any] = []
    while (kind := cursors.type_kinds.get(type._kind_id, "")) in _ARRAYS or kind == "POINTER":
        arrays += [type] if kind in ("CONSTANTARRAY", "VARIABLEARRAY") else []
        type = type.get_pointee() if kind == "POINTER" else type.element_type
    if len(arrays) != len(parts):
        return []  # what uses the type is refused
    found = []
    for array, part in zip(reversed(arrays), parts, strict=True):
        sequence: Any = types.of_type(array)
        if isinstance(sequence, Sequence) and sequence.length is None:
            found.append(Length(sequence, (yield reader.expressions.read(part)), reader.unit.start(part)))
            reader.measured.add(address_of(array))
    return found


class Counts:
    """How many elements of a fixed type the arrays have whose lengths vary; by the key of an array."""

    def __init__(self) -> None:
        self.known: dict[int, Expr] = {}

    def of(self, type: Any) -> Expr:
        """Return the number of fixed elements of an array; a variable, or a product that is as wide as it needs."""
        if not is_variable(type):
            return Const(1)
        if type.length is None:
            return self.known.get(type.key, Const(1))  # of no use: what nobody measures is refused
        return Arithmetic(IntegerOperator.MULTIPLY, self.of(type.element), Const(type.length), _WIDE)

    def of_length(self, type: Sequence, length: Expr) -> Expr:
        """Return how many fixed elements an array of some length has; none where the length is negative."""
        if not is_variable(type.element):
            return length
        product = Convert(Arithmetic(IntegerOperator.MULTIPLY, length, self.of(type.element), _WIDE), _SIZE)
        return Conditional(Compare(Comparison.LESS, length, Const(0)), Const(0), product)

    def size(self, type: Any) -> Expr:
        """Return how many bytes an array has."""
        step = Const(size_of(fixed_element(type)))
        return Convert(Arithmetic(IntegerOperator.MULTIPLY, self.of(type), step, _WIDE), _SIZE)

    def scaled(self, type: Any, index: Expr) -> Expr:
        """Return by how many fixed elements a pointer to such an array moves."""
        return Arithmetic(IntegerOperator.MULTIPLY, index, self.of(type), _WIDE)
