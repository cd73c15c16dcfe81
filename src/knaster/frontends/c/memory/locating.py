"""Where an expression of C stands in memory: its place, or its address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.records import replace
from knaster.base.trampoline import Steps
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.arithmetic import Result
from knaster.frontends.c.memory.inner_arrays import inner_length, mark_index
from knaster.frontends.c.memory.nodes import has_effect
from knaster.frontends.c.memory.places import Place, Register, Spot, part_of, write_place
from knaster.frontends.c.memory.types import Pointer, Sequence, Structure, find_member, size_of
from knaster.frontends.c.names.types import Foreign
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Const, Expr
from knaster.program.memory import AddressOf, Begin
from knaster.program.temporaries import temporary_name

if TYPE_CHECKING:
    from knaster.frontends.c.memory.expressions import MemoryExpressions


class Locating:
    """The places of one function."""

    def __init__(self, expressions: MemoryExpressions) -> None:
        self.expressions = expressions
        self.unit = expressions.unit
        self._accessed: set[nodes.Subscript] = set()  # elements that are arrays and have an index themselves
        self._pointed_to: set[nodes.Subscript] = set()  # elements whose address is wanted, and nothing else

    def address(self, node: Any) -> Steps[Expr | None]:
        """Return the address of what an expression names; None where it has none."""
        if isinstance(node, memory.FunctionName):
            found: Result = yield self.expressions.value(node)
            return found.expr
        if isinstance(node, nodes.Text):
            return AddressOf(self.unit.objects.text(node))
        if isinstance(node, nodes.Subscript) and node not in self._accessed:
            self._pointed_to.add(node)
        place: Place | None = yield self.place(node)
        if isinstance(place, Spot) and place.width is None:
            return place.address
        if place is not None:
            self.expressions.problem("this has no address", node)
        return None

    def place(self, node: Any) -> Steps[Place | None]:
        """Return where an expression stands."""
        return self.unit.orders.mark_place(node, self._place(node), self.expressions)

    def _place(self, node: Any) -> Steps[Place | None]:
        span = self.expressions.at(node)
        match node:
            case nodes.Name():
                return self.name(node)
            case memory.Dereference():
                pointer: Result = yield self.expressions.value(node.operand)
                return Spot(pointer.expr, node.type, span, f"*{text_of(node.operand)}")
            case nodes.Subscript():
                if isinstance(node.array, memory.Decay) and isinstance(node.array.operand, nodes.Subscript):
                    self._accessed.add(node.array.operand)
                base, index = yield self.expressions.operands((node.array, node.index))
                if not isinstance(base.type, Pointer):
                    self.expressions.problem("this is no array", node)
                    return None
                index = self._inside(node, index)
                moved = self.unit.pointers.moved(base, index, False, span)
                return Spot(moved.expr, node.type, span, text_of(node))
            case nodes.Field():
                done: Place | None = yield self.field(node)
                return done
            case memory.Literal():
                return self.literal(node)
            case memory.Volatile():
                plain: Place | None = yield self.place(node.operand)
                return replace(plain, volatile=True) if isinstance(plain, Spot) else plain
            case nodes.Convert(operand=inner) if isinstance(inner.type, Structure):
                done = yield self.place(inner)
                return done
        if isinstance(node.type, Structure):
            value: Result = yield self.expressions.value(node)
            return self.materialise(value, node)
        self.expressions.problem("this is no place", node)
        return None

    def _inside(self, node: nodes.Subscript, index: Result) -> Result:
        """Return an index; where it is outside of an array that is part of a larger object, a label is passed."""
        length = inner_length(node)
        if length is None or not self.expressions.function:
            return index
        if self.unit.threaded:
            index = self.expressions.keep(index)  # others run between the label and the use
        number = self.unit.pointers.number(index)
        last = length if node in self._pointed_to else length - 1
        mark_index(self.expressions.graph, node, number.expr, last, self.expressions.locals)
        return index

    def name(self, node: nodes.Name) -> Place | None:
        """Return the place of a variable."""
        found, span = node.object, self.expressions.at(node)
        if isinstance(found.type, Foreign):
            self.unit.problem(f"{found.type.what}: '{found.name}'", span, found.type.advice)
            return None
        if found in self.unit.registers:
            return Register(self.unit.names[found], found.type)
        self.unit.objects.used(found)
        return Spot(AddressOf(self.unit.names[found]), found.type, span, found.name)

    def field(self, node: nodes.Field) -> Steps[Place | None]:
        """Return the place of a field."""
        whole: Place | None = yield self.place(node.record)
        type: Any = node.record.type
        member = find_member(type, node.name) if isinstance(type, Structure) else None
        if not isinstance(whole, Spot) or member is None:
            if whole is not None:
                self.expressions.problem("this field is not read", node)
            return None
        return part_of(whole, member.offset, member.width, member.type, self.expressions.at(node), text_of(node))

    def literal(self, node: memory.Literal) -> Place:
        """Return a new object with initial values."""
        if not self.expressions.function:  # it lives as long as the program
            name = self.unit.objects.unnamed(node)
            return Spot(AddressOf(name), node.type, self.expressions.at(node), "literal")
        place = self.new(node.type, node)
        assert self.expressions.statements is not None
        self.expressions.statements.fill(place, node.initial)
        return place

    def new(self, type: Any, node: Any, zeroed: bool = True) -> Spot:
        """Return a new local object without a name."""
        name = temporary_name("literal", len(self.unit.local_parts))
        self.unit.local_parts[self.expressions.function, name] = ()
        self.unit.note_members(self.expressions.function, name, type)
        self.expressions.graph.declare(name)
        self.expressions.graph.emit(Begin(name, Const(size_of(type)), zeroed), self.expressions.span)
        return Spot(AddressOf(name), type, self.expressions.at(node), "literal")

    def materialise(self, value: Result, node: Any) -> Spot:
        """Return a place for a struct that is a value."""
        place = self.new(node.type, node, False)
        self.expressions.graph.emit(write_place(place, value.expr, True), self.expressions.span)
        return place


def text_of(node: Any) -> str:
    """Return how a program writes a place, shortened where it is long."""
    match node:
        case nodes.Name():
            return node.object.name
        case nodes.Number():
            return str(node.value)
        case nodes.Field(record=memory.Dereference(operand=pointer)):
            return f"{text_of(pointer)}->{node.name}"
        case nodes.Field():
            return f"{text_of(node.record)}.{node.name}"
        case nodes.Subscript():
            return f"{text_of(node.array)}[{text_of(node.index)}]"
        case memory.Dereference():
            return f"*{text_of(node.operand)}"
        case nodes.Convert() | memory.Decay() | memory.Volatile():
            return text_of(node.operand)
        case memory.AddressOf():
            return f"&{text_of(node.operand)}"
        case nodes.Step():
            return text_of(node.operand) + node.op if node.after else node.op + text_of(node.operand)
        case nodes.Binary():
            return f"{text_of(node.left)} {node.op} {text_of(node.right)}"
    return "..."


__all__ = ["Locating", "Sequence", "has_effect", "text_of"]
