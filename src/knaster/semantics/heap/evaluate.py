"""The value of an expression in a configuration, and what a store does to it: slow and obviously right.

Operands are evaluated left to right, a `Conditional` evaluates only the operand that it takes, and numbers have the
bits of their operator's type (32, or 64), checked.  Nothing recurses over an expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from knaster.base.errors import InternalError
from knaster.program.evaluate import arithmetic, compare
from knaster.program.expression import (
    NOWHERE,
    Apply,
    Arithmetic,
    Binary,
    Compare,
    Conditional,
    Const,
    Expr,
    Field,
    Index,
    IntegerOperator,
    Member,
    New,
    Not,
    Operator,
    Part,
    Self,
    SizeOf,
    Var,
    operands,
)
from knaster.program.objects import ArrayCell, Cell, ClassCell
from knaster.program.state import Undefined
from knaster.program.types import INTEGER, Int, Reference, Value, default
from knaster.semantics.heap.configuration import Configuration, Frame, Slots
from knaster.semantics.heap.failure import DIVISION, INDEX, NULL, OVERFLOW, Fails, ensure_length

_INT = Int(32)


class Surroundings(Protocol):
    """What an expression can ask for besides the configuration."""

    cells: dict[str, Cell]

    def apply(self, configuration: Configuration, procedure: str, arguments: Sequence[Value]) -> Value:
        """Return the result of a procedure, without a trace of its run."""


class Evaluator:
    """Evaluates in one frame of one configuration."""

    def __init__(self, around: Surroundings, configuration: Configuration, frame: Frame, thread: int) -> None:
        self.around = around
        self.configuration = configuration
        self.frame = frame
        self.thread = thread

    def value(self, expr: Expr) -> Value:
        """Return the value of an expression; raise `Fails` where it has none."""
        if isinstance(expr, Var | Const):
            return self._apply(expr, [])
        work: list[tuple[Expr, bool]] = [(expr, False)]
        values: list[Value] = []
        while work:
            node, ready = work.pop()
            if isinstance(node, Conditional):
                if ready:
                    work.append((node.then if values.pop() else node.otherwise, False))
                else:
                    work += [(node, True), (node.condition, False)]
                continue
            inner = operands(node)
            if inner and not ready:
                work.append((node, True))
                work += [(operand, False) for operand in reversed(inner)]
                continue
            given = [values.pop() for _ in inner]
            given.reverse()
            values.append(self._apply(node, given))
        return values.pop()

    def _apply(self, node: Expr, given: list[Value]) -> Value:
        match node:
            case Const(value):
                return value
            case Var(name):
                return self.frame.values[name] if name in self.frame.values else self.configuration.statics[name]
            case Self():
                return self.thread
            case Not():
                return not given[0]
            case Binary(operator):
                left, right = bool(given[0]), bool(given[1])
                both = {Operator.AND: left and right, Operator.OR: left or right, Operator.XOR: left != right}
                return both[operator]
            case Compare(operator=comparison):
                return compare(comparison, given[0], given[1])
            case Arithmetic(operator=integer, type=type):
                return number(integer, given[0], given[1], type)
            case Part(_, index):
                return parts(given[0])[index]
            case Field(_, index):
                return self.cell(given[0])[index]
            case Index():
                return self.cell(given[0])[self.position(given[0], given[1])]
            case SizeOf():
                return len(self.cell(given[0]))
            case Member():
                return given[0] in self.cell(given[1])
            case New(cell):
                return self.make(cell, given[0] if given else None)
            case Apply(procedure):
                return self.around.apply(self.configuration, procedure, given)
            case _:
                raise InternalError(f"{node} in a program with references")

    def cell(self, reference: Value) -> Slots:
        """Return the slots of a cell."""
        if reference is None:
            raise Fails(NULL)
        assert isinstance(reference, Reference)
        return self.configuration.heap[reference]

    def position(self, array: Value, index: Value) -> int:
        """Return an index that the array has."""
        assert isinstance(index, int)
        if not 0 <= index < len(self.cell(array)):
            raise Fails(INDEX)
        return index

    def make(self, name: str, length: Value) -> Reference:
        """Add a cell to the heap; fields begin with their initial values, in the order of the text."""
        cell, configuration = self.around.cells[name], self.configuration
        configuration.made[name] = configuration.made.get(name, 0) + 1
        reference = Reference(name, configuration.made[name])
        slots: Slots = ()
        if isinstance(cell, ClassCell):
            slots = tuple(default(type) for _, type in cell.fields)
        elif isinstance(cell, ArrayCell):
            size = cell.length if cell.length is not None else length
            assert isinstance(size, int)
            slots = (default(cell.element),) * ensure_length(size)
        configuration.heap[reference] = slots
        if isinstance(cell, ClassCell):
            names = [field for field, _ in cell.fields]
            for field, value in cell.initial:
                self.put(reference, names.index(field), self.value(value))
        return reference

    def put(self, reference: Value, index: int, value: Value) -> None:
        """Change one slot of a cell."""
        slots = self.cell(reference)
        assert isinstance(reference, Reference)
        self.configuration.heap[reference] = (*slots[:index], value, *slots[index + 1 :])

    def store(self, places: Sequence[Expr], value: Expr) -> None:
        """Assign a value to places: the operands of the places first, then the value, then the stores."""
        located = [self._locate(place) for place in places]
        result = self.value(value)
        for place, given in reversed(list(zip(places, located, strict=True))):
            self._write(place, given, result)

    def assign(self, place: Expr, value: Value) -> None:
        """Give a place a value that is known."""
        self._write(place, self._locate(place), value)

    def _locate(self, place: Expr) -> list[Value]:
        """Return the values of the operands of a place, below the parts of a struct."""
        inner = place
        while isinstance(inner, Part):
            inner = inner.struct
        return [self.value(operand) for operand in operands(inner)]

    def _write(self, place: Expr, given: list[Value], value: Value) -> None:
        path: list[int] = []
        while isinstance(place, Part):
            path.append(place.index)
            place = place.struct
        path.reverse()
        match place:
            case Var(name):
                values = self.frame.values if name in self.frame.values else self.configuration.statics
                values[name] = replace_part(values[name], path, value) if path else value
            case Field(_, index):
                self.put(given[0], index, replace_part(self.cell(given[0])[index], path, value) if path else value)
            case Index():
                index = self.position(given[0], given[1])
                self.put(given[0], index, replace_part(self.cell(given[0])[index], path, value) if path else value)
            case _:
                raise InternalError(f"{place} is no place")


def parts(value: Value) -> tuple[Value, ...]:
    """Return the parts of a struct value."""
    assert isinstance(value, tuple) and not isinstance(value, Reference)
    return value


def replace_part(whole: Value, path: Sequence[int], value: Value) -> Value:
    """Return a struct with the part at the end of a path replace_part."""
    levels = []
    for index in path:
        levels.append((whole, index))
        whole = parts(whole)[index]
    for outer, index in reversed(levels):
        inner = parts(outer)
        value = (*inner[:index], value, *inner[index + 1 :])
    return value


def number(operator: IntegerOperator, left: Value, right: Value, type: Int = _INT) -> int:
    """Return the result of an integer operator in a type; raise `Fails` where it does not fit."""
    assert isinstance(left, int) and isinstance(right, int) and type.width is not None
    if operator in (IntegerOperator.LEFT, IntegerOperator.RIGHT):
        right &= type.width - 1  # as in C#, where bits that are shifted out are no overflow
        return type.wrap(left << right) if operator is IntegerOperator.LEFT else left >> right
    try:
        result = arithmetic(operator, left, right, INTEGER, NOWHERE)
    except Undefined:
        raise Fails(DIVISION) from None
    if not type.holds(result):
        raise Fails(OVERFLOW)
    return result
