"""Statements of programs with memory: those of `lower`, with locals that are objects and end with their block."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.statements import Statements
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.initial import initial_length, pieces
from knaster.frontends.c.memory.jumps import jump_to
from knaster.frontends.c.memory.places import Place, Register, Spot, part_of, write_place
from knaster.frontends.c.memory.scopes import ScopedGraph
from knaster.frontends.c.memory.threads import ASYNC
from knaster.frontends.c.memory.types import Sequence, cell_of, fixed_element, is_variable, scalar_parts, size_of
from knaster.frontends.c.names.library import HANDLERS
from knaster.frontends.c.names.scope import Names
from knaster.frontends.c.names.types import Foreign, Void
from knaster.frontends.c.tree import nodes
from knaster.program.expression import TRUE, Const, Expr, Var
from knaster.program.memory import AddressOf, Begin, Chunk, Snapshot, Store
from knaster.program.model import Assume, Return
from knaster.program.types import BOOL, Int

if TYPE_CHECKING:
    from knaster.frontends.c.memory.expressions import MemoryExpressions
    from knaster.frontends.c.memory.unit import MemoryUnit

_MOST_PARTS = 12


class MemoryStatements(Statements):
    """The statements of one function."""

    def __init__(self, unit: MemoryUnit, expressions: MemoryExpressions, names: Names, result: Any) -> None:
        super().__init__(unit, expressions, names, result)  # type: ignore[arg-type]
        self.memory_unit = unit
        self.memory: MemoryExpressions = expressions
        self.scoped: ScopedGraph = expressions.graph
        self.labels_taken: tuple[str, ...] = ()  # whose addresses are taken
        self._outer: list[frozenset[str]] = []

    def open(self) -> None:
        """Begin a block."""
        super().open()
        self._outer.append(self.scoped.scope)
        self.scoped.open()

    def close(self) -> None:
        """End a block: its objects die, its names may be used again."""
        inside, outer = self.scoped.scope, self._outer.pop()
        self.scoped.scope = outer
        self.scoped.close()
        if self._outer:  # with the outermost block the activation ends
            self.scoped.forget((inside - outer) & self.memory.locals.keys())
        if self.scoped.here is not None and inside - outer - self.memory.locals.keys():
            self.scoped.emit(Assume(TRUE), self.memory.span)
        super().close()

    def place_label(self, node: Any) -> Steps[None]:
        """Place a label before its statement; some labels let a new thread perform it."""
        if not node.name.startswith(ASYNC):
            yield super().place_label(node)
            return
        self.at(node.body)
        first, yes, end = self.memory.temporary(BOOL, "new"), self.graph.new(), self.graph.new()
        threads = self.memory.calls.threads
        threads.emit("fork_here", (), first)
        self.graph.branch(Var(first), yes, end, self.memory.span)
        self.graph.place(yes)
        if any(
            isinstance(found, nodes.Return | nodes.Goto | nodes.Break | nodes.Continue)
            for found in memory.walk(node.body)
        ):
            self.memory.problem("a thread that leaves its statement is not read", node)
        yield self.statement(node.body)
        threads.emit("end_here", (), None)
        self.graph.here = None
        self.graph.place(end)

    def statement(self, node: Any) -> Steps[None]:
        """Perform a statement."""
        if isinstance(node, memory.Measuring):
            self.at(node)
            self.memory.measure(node.lengths)
        elif isinstance(node, memory.JumpTo):
            self.at(node)
            jump_to(self, self.memory, node)
        else:
            yield super().statement(node)

    def declaration(self, node: nodes.Declaration) -> None:
        """Declare a local; without an initial value nothing is written in it."""
        self.at(node)
        found, unit = node.object, self.memory_unit
        type: Any = found.type
        if found.storage == "static":
            unit.objects.declare_static(found, self.memory.function)
            return
        if isinstance(type, Foreign | Void):
            unit.problem(f"{getattr(type, 'what', 'this is no variable')}: '{found.name}'", self.memory.at(found))
            return
        if isinstance(type, Sequence) and type.length == 0 and found.initial is not None:
            length = initial_length(type, found.initial, self.memory.problem)
            type = Sequence(type.element, length)
            found.type = type
        self.memory.measure(unit.reader.lengths.get(found, ()))
        name, _ = self.names.fresh(found.name, type)
        unit.names[found] = name
        self.scopes[-1].append(found)
        place = self.declare(found, name, type)
        if found.initial is not None:
            self.fill(place, found.initial)

    def declare(self, found: nodes.Object, name: str, type: Any) -> Place:
        """Return the place of a local that lives from here on."""
        unit = self.memory_unit
        if found in unit.registers:
            if self.scoped.jumps and found.initial is None:
                self.scoped.forget((name,))  # a jump back may have left a value here
            self.scoped.declare(name)
            self.memory.locals[name] = cell_of(type)
            unit.note_shown(self.memory.function, name, found)
            return Register(name, type)
        shown = unit.reader.shown.get(found, "")
        unit.local_parts[self.memory.function, name] = tuple(islice(scalar_parts(type, shown=shown), _MOST_PARTS))
        unit.note_members(self.memory.function, name, type)
        zeroed = isinstance(found.initial, nodes.Braces | nodes.Text)
        self.scoped.declare(name, is_variable(type))
        writable = found not in unit.constant
        self.graph.emit(Begin(name, self.size(found, type), zeroed, writable), self.memory.span)
        return Spot(AddressOf(name), type, self.memory.at(found), found.name)

    def size(self, found: nodes.Object, type: Any) -> Expr:
        """Return the size of an object; that of an array of variable length is computed here, once."""
        if not is_variable(type) or size_of(fixed_element(type)) == 0:
            return Const(size_of(type))
        name = self.memory.temporary(Int(64), "size")
        self.memory.assign(name, self.memory.values.counts.size(type))
        return Var(name)

    def fill(self, place: Place, initial: Any) -> None:
        """Write the initial value of an object."""
        type: Any = place.type
        if isinstance(place, Register) or not isinstance(initial, nodes.Braces | nodes.Text | memory.Literal):
            while isinstance(initial, nodes.Braces) and initial.items:
                initial = initial.items[0].value
            value = self.memory.values.constant(0)
            if not isinstance(initial, nodes.Braces):
                value = self.memory.evaluate(initial)
            converted = self.memory.values.convert(value, type, self.memory.span)
            self.graph.emit(write_place(place, converted.expr, True), self.memory.span)
            return
        for piece in pieces(type, initial, self.memory.problem):
            span = self.memory.at(piece.node)
            part = part_of(place, piece.offset, piece.width, piece.type, span, place.text)
            if isinstance(piece.node, nodes.Text) and isinstance(piece.type, Sequence):
                self.graph.emit(_write_text(part, piece.node, piece.type), self.memory.span)
                continue
            value = self.memory.evaluate(piece.node)
            converted = self.memory.values.convert(value, piece.type, span)
            self.graph.emit(write_place(part, converted.expr, True), self.memory.span)

    def return_statement(self, node: Any) -> None:
        """Return a value, converted to the type of the function."""
        span = self.at(node)
        if isinstance(self.result, Void) or node.value is None:
            if node.value is not None:
                self.memory.perform(node.value)
            self.leave((), span)
        else:
            value = self.memory.evaluate(node.value)
            converted = self.memory.values.convert(value, self.result, span)
            self.leave((converted.expr,), span)
        self.graph.here = None

    def leave(self, values: tuple[Expr, ...], span: Span) -> None:
        """Return values; where main does, its locals end, and what `atexit` has registered is called before."""
        scope = self.scoped.scope
        if self.memory.function == "main" and HANDLERS in self.unit.defined:
            if self.memory_unit.called_main:
                self.unit.problem("'atexit' is not read where main is called", span, "call another function")
            values = tuple(map(self._kept, values))
            self.scoped.scope = frozenset()
            self.graph.emit(Assume(TRUE), span)
            self.memory.calls.call_handlers()
        self.graph.emit(Return(values), span, self.graph.exit)
        self.scoped.scope = scope

    def _kept(self, value: Expr) -> Expr:
        name = self.memory.temporary(cell_of(self.result))
        self.memory.assign(name, value)
        return Var(name)


def _write_text(place: Spot, node: nodes.Text, type: Sequence) -> Store:
    codes, wide = (*node.codes, 0)[: type.length], node.width
    size = wide * (type.length or len(codes))
    cells = [(wide * at, wide, code & (1 << 8 * wide) - 1) for at, code in enumerate(codes)]
    cells += [(at, wide, 0) for at in range(wide * len(codes), size, wide)]
    return Store(place.address, Const(Snapshot(size, tuple(cells))), Chunk(size), place.text, True)
