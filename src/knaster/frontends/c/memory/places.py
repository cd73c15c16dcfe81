"""Places of programs with memory: a variable of the model, or bytes at an address, perhaps only some of their bits."""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.frontends.c.memory.arithmetic import Result
from knaster.frontends.c.memory.types import Sequence, Structure, cell_of, size_of
from knaster.frontends.c.names.types import Boolean, Integer
from knaster.program.expression import Arithmetic, Compare, Comparison, Const, Convert, Expr, IntegerOperator, Var
from knaster.program.memory import Load, Moved, Store
from knaster.program.model import Action, Assign
from knaster.program.types import Int

_WORD = Int(128, False)
_SIGNED = Int(128)


@dataclass(frozen=True, slots=True)
class Register:
    """A variable of the model."""

    name: str
    type: Any


@dataclass(frozen=True, slots=True)
class Spot:
    """Bytes at an address; where `width` is set, so many bits from bit `first` on."""

    address: Expr
    type: Any
    span: Span
    text: str
    first: int = 0
    width: int | None = None
    packed: bool = False  # it may stand where its type does not fit
    volatile: bool = False  # it may change by itself

    @property
    def raw(self) -> Int:
        """The whole bytes that hold the bits."""
        return Int((self.first + (self.width or 0) + 7) // 8 * 8, False)


Place = Register | Spot


def part_of(place: Spot, bits: int, width: int | None, type: Any, span: Span, text: str) -> Spot:
    """Return a field of a place."""
    address = place.address
    if bits // 8:
        address = Moved(address, Const(bits // 8), 1, span, part=True)
    fits = (bits // 8) % _natural(type) == 0 and size_of(place.type) % _natural(type) == 0
    packed = place.packed or (isinstance(place.type, Structure) and not fits)
    return Spot(address, type, span, text, bits % 8 if width is not None else 0, width, packed)


def _natural(type: Any) -> int:
    while isinstance(type, Sequence):
        type = type.element
    return 1 if isinstance(type, Structure) else min(8, size_of(type)) or 1


def read_place(place: Place) -> Result:
    """Return what stands at a place."""
    if isinstance(place, Register):
        return Result(Var(place.name), place.type)
    if place.width is None:
        return Result(Load(place.address, cell_of(place.type), place.span, place.text, place.packed), place.type)
    return _read_bits(place, place.width)


def _read_bits(place: Spot, width: int) -> Result:
    word: Expr = Convert(Load(place.address, place.raw, place.span, place.text, True), _WORD)
    word = Arithmetic(IntegerOperator.RIGHT, word, Const(place.first), _WORD)
    word = Arithmetic(IntegerOperator.AND, word, Const((1 << width) - 1), _WORD)
    if isinstance(place.type, Boolean):
        return Result(Compare(Comparison.DIFFERENT, word, Const(0)), place.type)
    if isinstance(place.type, Integer) and place.type.signed:
        half = Const(1 << width - 1)
        word = Arithmetic(IntegerOperator.XOR, Convert(word, _SIGNED), half, _SIGNED)
        word = Arithmetic(IntegerOperator.SUBTRACT, word, half, _SIGNED)
    return Result(Convert(word, Int(place.type.width, place.type.signed)), place.type)


def write_place(place: Place, value: Expr, initial: bool = False) -> Action:
    """Return the action that lets a value stand at a place; it has the type of the place."""
    if isinstance(place, Register):
        return Assign((place.name,), (value,))
    if place.width is None:
        return Store(place.address, value, cell_of(place.type), place.text, initial, place.packed)
    mask = (1 << place.width) - 1 << place.first
    whole = (1 << (place.raw.width or 0)) - 1
    old: Expr = Convert(Load(place.address, place.raw, place.span, place.text, True), _WORD)
    old = Arithmetic(IntegerOperator.AND, old, Const(whole & ~mask), _WORD)
    new: Expr = Arithmetic(IntegerOperator.AND, Convert(value, _WORD), Const((1 << place.width) - 1), _WORD)
    new = Arithmetic(IntegerOperator.LEFT, new, Const(place.first), _WORD)
    both = Arithmetic(IntegerOperator.OR, old, new, _WORD)
    return Store(place.address, Convert(both, place.raw), place.raw, place.text, initial, True)
