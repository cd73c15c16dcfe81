"""Statements of C as edges of a control-flow graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.effects import uses
from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.lower.initial import initial_values
from knaster.frontends.c.lower.places import Place, read
from knaster.frontends.c.lower.switches import Switches
from knaster.frontends.c.names.scope import Names
from knaster.frontends.c.names.types import CType, Foreign, Function, Record, Vector, Void, array_of, leaves
from knaster.frontends.c.tree import nodes
from knaster.program.expression import TRUE
from knaster.program.model import Assign, Assume, Location, Return

if TYPE_CHECKING:
    from knaster.frontends.c.lower.unit import Unit


class Statements:
    """The statements of one function."""

    def __init__(self, unit: Unit, expressions: Expressions, names: Names, result: CType) -> None:
        self.unit = unit
        self.expressions = expressions
        self.graph = expressions.graph
        self.names = names
        self.result = result
        self.labels: dict[str, Location] = {}
        self.placed: set[str] = set()  # labels that were read
        self.scopes: list[list[nodes.Object]] = []  # the blocks that are open, with what they declare
        self.breaks: list[Location] = []
        self.continues: list[Location] = []
        self.switches = Switches(self)

    def label(self, name: str) -> Location:
        """Return the location of a label, which may come later."""
        if name not in self.labels:
            self.labels[name] = self.graph.new()
        return self.labels[name]

    def at(self, node: Any) -> Span:
        """Set and return the span of the statement that is being read."""
        self.expressions.span = self.graph.span = self.unit.text.statement(node)
        return self.expressions.span

    def statement(self, node: Any) -> Steps[None]:
        """Add the edges of a statement."""
        match node:
            case None | nodes.Empty():
                pass
            case nodes.Compound():
                self.open()
                for part in node.parts:
                    yield self.statement(part)
                self.close()
            case nodes.Declarations():
                for declaration in node.parts:
                    yield self.statement(declaration)
            case nodes.Declaration():
                self.declaration(node)
            case nodes.If():
                yield self.if_statement(node)
            case nodes.While():
                yield self.while_loop(node)
            case nodes.DoWhile():
                yield self.do_loop(node)
            case nodes.For():
                yield self.for_loop(node)
            case nodes.Switch():
                yield self.switches.switch(node)
            case nodes.Case():
                yield self.switches.case(node)
            case nodes.Label():
                yield self.place_label(node)
            case nodes.Goto():
                self.graph.jump(self.label(node.name))
            case nodes.Break():
                self.graph.jump(self.breaks[-1])
            case nodes.Continue():
                self.graph.jump(self.continues[-1])
            case nodes.Return():
                self.return_statement(node)
            case _:
                self.at(node)
                self.expressions.perform(node)

    def open(self) -> None:
        """Begin a block."""
        self.scopes.append([])

    def close(self) -> None:
        """End a block; the variables of it may be used again."""
        for found in self.scopes.pop():
            self.names.release(found.name, found.type, self.unit.names[found])

    def place_label(self, node: Any) -> Steps[None]:
        """Place a label before its statement."""
        if node.name.startswith("__CPROVER_ASYNC_"):
            self.unit.problem("threads are not read", self.unit.text.token(node), "check one thread at a time")
        self.mark_label(node)
        yield self.statement(node.body)

    def mark_label(self, node: nodes.Label) -> None:
        """Let control go on at a label."""
        location = self.label(node.name)
        self.graph.place(location)
        self.graph.labels.append((node.name, location))
        self.placed.add(node.name)
        if not isinstance(node.body, nodes.Assign | nodes.Return):  # others may do nothing, or only jump
            self.graph.emit(Assume(TRUE), self.unit.text.token(node))

    def check_labels(self, node: nodes.Function) -> None:
        """Refuse a function in which somebody jumps to a label that was not read: such a run would end there."""
        for name in sorted(self.labels.keys() - self.placed):
            self.unit.problem(f"the label '{name}' is not read where it stands", self.unit.text.token(node))

    def if_statement(self, node: Any) -> Steps[None]:
        """A branch, or two."""
        yes, no, end = self.graph.new(), self.graph.new(), self.graph.new()
        self.at(node)
        self.expressions.decide(node.condition, yes, no)
        self.graph.place(yes)
        yield self.statement(node.then)
        self.graph.jump(end)
        self.graph.place(no)
        yield self.statement(node.otherwise)
        self.graph.place(end)

    def body(self, node: Any, again: Location, end: Location) -> Steps[None]:
        """The body of a loop."""
        self.breaks.append(end)
        self.continues.append(again)
        yield self.statement(node)
        self.breaks.pop()
        self.continues.pop()

    def while_loop(self, node: Any) -> Steps[None]:
        """While the condition holds, the body."""
        head, inside, end = self.graph.new(), self.graph.new(), self.graph.new()
        self.graph.place(head)
        self.at(node)
        self.expressions.decide(node.condition, inside, end)
        self.graph.place(inside)
        yield self.body(node.body, head, end)
        self.graph.jump(head)
        self.graph.place(end)

    def do_loop(self, node: Any) -> Steps[None]:
        """The body, and again while the condition holds."""
        head, test, end = self.graph.new(), self.graph.new(), self.graph.new()
        self.graph.place(head)
        yield self.body(node.body, test, end)
        self.graph.place(test)
        self.expressions.span = self.unit.text.loop_end(node.condition)
        self.expressions.decide(node.condition, head, end)
        self.graph.place(end)

    def for_loop(self, node: Any) -> Steps[None]:
        """A loop with its beginning, its condition and its step."""
        head, inside, step, end = (self.graph.new() for _ in range(4))
        self.open()
        yield self.statement(node.start)
        self.graph.place(head)
        if node.condition is None:
            self.graph.jump(inside)
        else:
            self.at(node.condition)
            self.expressions.decide(node.condition, inside, end)
        self.graph.place(inside)
        yield self.body(node.body, step, end)
        self.graph.place(step)
        if node.step is not None:
            self.at(node.step)
            self.expressions.perform(node.step)
        self.graph.jump(head)
        self.graph.place(end)
        self.close()

    def return_statement(self, node: Any) -> None:
        """Return a value, converted to the type of the function."""
        span = self.at(node)
        if isinstance(self.result, Void):
            if node.value is not None:
                self.expressions.perform(node.value)
            self.graph.emit(Return(()), span, self.graph.exit)
        elif node.value is None:
            self.unit.problem("a value must be returned here", span)
        elif isinstance(self.result, Record):
            place = self.expressions.struct(node.value)
            if place is not None and place.type == self.result:
                values = tuple(read(name, place.indices, span) for _, name in place.leaves())
                self.graph.emit(Return(values), span, self.graph.exit)
            elif place is not None:
                self.unit.problem("a struct of another type is returned", span)
        else:
            value = self.expressions.evaluate(node.value)
            if not isinstance(self.result, Foreign | Function | Vector):
                converted = self.unit.values.convert(value, self.result, span)
                self.graph.emit(Return((converted.expr,)), span, self.graph.exit)
        self.graph.here = None

    def declaration(self, node: nodes.Declaration) -> None:
        """Declare a local; without an initial value it is an input."""
        span, found = self.at(node), node.object
        type = found.type
        if found.storage == "static":
            self.unit.objects.declare_static(found, self.expressions.function)
            return
        if isinstance(type, Foreign):
            self.unit.problem(type.what, span, type.advice)
        name, new = self.names.fresh(found.name, type)
        if new:
            for leaf in leaves(type):
                model = array_of(self.unit.values.model(leaf.scalar), leaf.lengths)
                self.expressions.locals[name + leaf.suffix] = model
        self.unit.names[found] = name
        self.scopes[-1].append(found)
        if not isinstance(type, Foreign | Void):
            place = Place(name, type, (), self.unit.text.token(found))
            if found.initial is not None and uses(found.initial, found):  # it has no value yet
                self.initialise(place, None)
            self.initialise(place, found.initial)

    def initialise(self, place: Place, initial: nodes.Initial | None) -> None:
        """Give a local its initial value."""
        if initial is None:
            for leaf, variable in place.leaves():
                self.expressions.choose(leaf.scalar, leaf.lengths, variable, variable, place.span)
        elif isinstance(place.type, Record) and not isinstance(initial, nodes.Braces):
            source = self.expressions.struct(initial)
            if source is not None:
                self.expressions.assignments.copy(place, source)
        elif isinstance(initial, nodes.Call):
            self.expressions.assign_call(place, initial)
        else:
            values = initial_values(self.unit, self.expressions, place.type, initial)
            names = tuple(place.name + leaf.suffix for leaf in leaves(place.type))
            self.graph.emit(Assign(names, tuple(values)), self.expressions.span)
