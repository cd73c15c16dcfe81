"""Memory layouts: from a program with references, the slot of each variable and the slots that can hold references.

The engines work on these: statics, locals and cells are sequences of values, a reference is a positive number, null is
0.  A cell is a tuple: the number of its class, then its slots.  The *shape* of a value says where references are in it:
False (nowhere), True (it is one), or a tuple of shapes for a struct.
"""

from __future__ import annotations

from typing import Any

from knaster.base.records import dataclass
from knaster.program.model import Procedure, Program
from knaster.program.objects import ArrayCell, Cell, ChannelCell, ClassCell, SetCell
from knaster.program.types import BOOL, Pointer, Struct, Type, Value, default

Shape = Any  # bool | tuple[Shape, ...]; recursive types make mypy slow here
Number = Any  # a value in numbers: bool, int, or a tuple of these


def shape_of(type: Type) -> Shape:
    """Return where references are in values of a type."""
    match type:
        case Pointer():
            return True
        case Struct(_, fields):
            parts = tuple(shape_of(part) for _, part in fields)
            return parts if any(parts) else False
        case _:
            return False


def number_value(value: Value) -> Number:
    """Return a value without references in numbers."""
    if value is None:
        return 0
    if isinstance(value, tuple):
        whole: tuple[Any, ...] = value
        return tuple(number_value(part) for part in whole)
    return value


@dataclass(frozen=True, slots=True)
class SequenceShape:
    """The shape of a sequence: every element has the same."""

    element: Shape


@dataclass(frozen=True, slots=True)
class Class:
    """A class in numbers; `element_shape` is that of every element of a collection, `shapes` those of fields."""

    number: int
    cell: Cell
    shapes: tuple[tuple[int, Shape], ...]  # slot (from 1) and shape, where references can be
    element_shape: Shape
    empty: tuple[Number, ...]  # a new cell; of an array only the number of its class

    def shape(self, slot: int) -> Shape:
        """Return the shape of a slot."""
        if isinstance(self.cell, ClassCell):
            return next((shape for number, shape in self.shapes if number == slot), False)
        return SequenceShape(self.element_shape) if self.is_queue and self.element_shape else self.element_shape

    @property
    def is_instance(self) -> bool:
        """Tell whether the slots are fields."""
        return isinstance(self.cell, ClassCell)

    @property
    def is_queue(self) -> bool:
        """Tell whether slot 1 holds all elements: a channel or a set."""
        return isinstance(self.cell, ChannelCell | SetCell)


@dataclass(frozen=True, slots=True)
class Locals:
    """The variables of a procedure by slot; `shapes` has the slots that can hold references."""

    procedure: Procedure
    slots: dict[str, int]
    defaults: tuple[Number, ...]
    shapes: tuple[tuple[int, Shape], ...]
    results: tuple[tuple[int, Shape], ...]  # the same for what it returns
    parameters: tuple[tuple[int, Shape], ...]  # the same for its parameters


class Layout:
    """One program in numbers."""

    def __init__(self, program: Program) -> None:
        assert program.objects is not None
        self.program = program
        types = dict(program.types)
        self.statics = {name: slot for slot, name in enumerate(program.globals)}
        self.start = tuple(number_value(default(types.get(name, BOOL))) for name in program.globals)
        shapes = [(slot, shape_of(types.get(name, BOOL))) for name, slot in self.statics.items()]
        self.static_shapes = tuple((slot, shape) for slot, shape in shapes if shape)
        self.static_shape = [shape for _, shape in shapes]
        self.classes = [_class(number, cell) for number, cell in enumerate(program.objects.cells)]
        self.class_numbers = {each.cell.name: each.number for each in self.classes}
        self.queues = frozenset(each.number for each in self.classes if each.is_queue)
        self.slot_shapes = [{slot: each.shape(slot) for slot, _ in each.shapes} for each in self.classes]
        self.procedures = [_locals(program, procedure) for procedure in program.procedures]
        self.procedure_numbers = {procedure.name: number for number, procedure in enumerate(program.procedures)}


def _class(number: int, cell: Cell) -> Class:
    match cell:
        case ClassCell(_, fields):
            shapes = [(slot, shape_of(type)) for slot, (_, type) in enumerate(fields, start=1)]
            kept = tuple((slot, shape) for slot, shape in shapes if shape)
            return Class(number, cell, kept, False, (number, *(number_value(default(type)) for _, type in fields)))
        case ArrayCell(_, element):
            return Class(number, cell, (), shape_of(element), (number,))
        case ChannelCell(_, element) | SetCell(_, element):
            return Class(number, cell, (), shape_of(element), (number, ()))


def _locals(program: Program, procedure: Procedure) -> Locals:
    types = program.types_in(procedure)
    names = procedure.parameters + procedure.locals
    shapes = [(slot, shape_of(types[name])) for slot, name in enumerate(names)]
    results = [(slot, shape_of(types[name])) for slot, name in enumerate(procedure.results)]
    kept = tuple((slot, shape) for slot, shape in shapes if shape)
    return Locals(
        procedure,
        {name: slot for slot, name in enumerate(names)},
        tuple(number_value(default(types[name])) for name in names),
        kept,
        tuple((slot, shape) for slot, shape in results if shape),
        tuple((slot, shape) for slot, shape in kept if slot < len(procedure.parameters)),
    )
