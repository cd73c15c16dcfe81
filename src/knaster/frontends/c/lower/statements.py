"""Statements of C as edges of a control-flow graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pycparser import c_ast as syntax

from knaster.base.errors import Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.expressions import Expressions
from knaster.frontends.c.lower.initial import initial_values
from knaster.frontends.c.lower.places import Place, read
from knaster.frontends.c.lower.switches import Switches
from knaster.frontends.c.names.scope import Names, Variable
from knaster.frontends.c.names.types import CType, Foreign, Function, Record, Vector, Void, array_of, leaves
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
        self.used: dict[str, Span] = {}
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
            case None | syntax.EmptyStatement() | syntax.Pragma() | syntax.StaticAssert():
                pass
            case syntax.Compound():
                self.unit.scopes.open()
                for part in node.block_items or ():
                    yield self.statement(part)
                self.close()
            case syntax.DeclList():
                for declaration in node.decls:
                    yield self.statement(declaration)
            case syntax.Decl():
                self.declaration(node)
            case syntax.Typedef():
                self.unit.typedef(node)
            case syntax.If():
                yield self.if_statement(node)
            case syntax.While():
                yield self.while_loop(node)
            case syntax.DoWhile():
                yield self.do_loop(node)
            case syntax.For():
                yield self.for_loop(node)
            case syntax.Switch():
                yield self.switches.switch(node)
            case syntax.Case() | syntax.Default():
                yield self.switches.case(node)
            case syntax.Label():
                yield self.place_label(node)
            case syntax.Goto():
                self.used.setdefault(node.name, self.unit.text.token(node))
                self.graph.jump(self.label(node.name))
            case syntax.Break() | syntax.Continue():
                self.leave(node)
            case syntax.Return():
                self.return_statement(node)
            case _:
                self.at(node)
                self.expressions.perform(node)

    def close(self) -> None:
        """End a block; the variables of it may be used again."""
        for name, symbol in self.unit.scopes.close().items():
            if isinstance(symbol, Variable) and not symbol.is_global:
                self.names.free.setdefault((name, symbol.type), []).append(symbol.name)

    def place_label(self, node: Any) -> Steps[None]:
        """Place a label before its statement."""
        if node.name.startswith("__CPROVER_ASYNC_"):
            self.unit.problem("threads are not read", self.unit.text.token(node), "check one thread at a time")
        location = self.label(node.name)
        if any(name == node.name for name, _ in self.graph.labels):
            self.unit.problem(f"the label '{node.name}' is there twice", self.unit.text.token(node))
        self.graph.place(location)
        self.graph.labels.append((node.name, location))
        if not isinstance(node.stmt, syntax.Assignment | syntax.Return):  # others may do nothing, or only jump
            self.graph.emit(Assume(TRUE), self.unit.text.token(node))
        yield self.statement(node.stmt)

    def if_statement(self, node: Any) -> Steps[None]:
        """A branch, or two."""
        yes, no, end = self.graph.new(), self.graph.new(), self.graph.new()
        self.at(node)
        self.expressions.decide(node.cond, yes, no)
        self.graph.place(yes)
        yield self.statement(node.iftrue)
        self.graph.jump(end)
        self.graph.place(no)
        yield self.statement(node.iffalse)
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
        self.expressions.decide(node.cond, inside, end)
        self.graph.place(inside)
        yield self.body(node.stmt, head, end)
        self.graph.jump(head)
        self.graph.place(end)

    def do_loop(self, node: Any) -> Steps[None]:
        """The body, and again while the condition holds."""
        head, test, end = self.graph.new(), self.graph.new(), self.graph.new()
        self.graph.place(head)
        yield self.body(node.stmt, test, end)
        self.graph.place(test)
        self.expressions.span = self.unit.text.loop_end(node.cond)
        self.expressions.decide(node.cond, head, end)
        self.graph.place(end)

    def for_loop(self, node: Any) -> Steps[None]:
        """A loop with its beginning, its condition and its step."""
        head, inside, step, end = (self.graph.new() for _ in range(4))
        self.unit.scopes.open()
        if isinstance(node.init, syntax.DeclList):
            yield self.statement(node.init)
        elif node.init is not None:
            self.at(node.init)
            self.expressions.perform(node.init)
        self.graph.place(head)
        if node.cond is None:
            self.graph.jump(inside)
        else:
            self.at(node.cond)
            self.expressions.decide(node.cond, inside, end)
        self.graph.place(inside)
        yield self.body(node.stmt, step, end)
        self.graph.place(step)
        if node.next is not None:
            self.at(node.next)
            self.expressions.perform(node.next)
        self.graph.jump(head)
        self.graph.place(end)
        self.close()

    def leave(self, node: Any) -> None:
        """Leave or repeat the innermost loop."""
        places = self.breaks if isinstance(node, syntax.Break) else self.continues
        if places:
            self.graph.jump(places[-1])
        else:
            word = "break" if isinstance(node, syntax.Break) else "continue"
            self.unit.problem(f"'{word}' stands outside of any loop", self.unit.text.token(node))

    def return_statement(self, node: Any) -> None:
        """Return a value, converted to the type of the function."""
        span = self.at(node)
        if isinstance(self.result, Void):
            if node.expr is not None:
                self.expressions.perform(node.expr)
            self.graph.emit(Return(()), span, self.graph.exit)
        elif node.expr is None:
            self.unit.problem("a value must be returned here", span)
        elif isinstance(self.result, Record):
            place = self.expressions.struct(node.expr)
            if place is not None and place.type == self.result:
                values = tuple(read(name, place.indices, span) for _, name in place.leaves())
                self.graph.emit(Return(values), span, self.graph.exit)
            elif place is not None:
                self.unit.problem("a struct of another type is returned", span)
        else:
            value = self.expressions.evaluate(node.expr)
            if not isinstance(self.result, Foreign | Function | Vector):
                converted = self.unit.values.convert(value, self.result, span)
                self.graph.emit(Return((converted.expr,)), span, self.graph.exit)
        self.graph.here = None

    def declaration(self, node: Any) -> None:
        """Declare a local; without an initial value it is an input."""
        span = self.at(node)
        type = self.unit.objects.declared_type(node)
        if isinstance(type, Function):
            self.unit.declare_function(node, type)
            return
        if "extern" in node.storage:
            self.unit.objects.declare_global(node, type)
            return
        if node.name is None:
            return
        if "static" in node.storage:
            self.unit.objects.declare_static(node, type, self.expressions.function)
            return
        if isinstance(type, Foreign):
            self.unit.problem(type.what, span, type.advice)
        if isinstance(type, Void):
            self.unit.problem("a variable cannot be void", span)
        name, new = self.names.fresh(node.name, type)
        if new:
            for leaf in leaves(type):
                model = array_of(self.unit.values.model(leaf.scalar), leaf.lengths)
                self.expressions.locals[name + leaf.suffix] = model
        self.unit.declare(node.name, Variable(name, type, False, "const" in node.quals, node.init), span)
        if not isinstance(type, Foreign | Void):
            self.initialise(Place(name, type, (), self.unit.text.token(node)), node)

    def initialise(self, place: Place, node: Any) -> None:
        """Give a local its initial value."""
        if node.init is None:
            for leaf, variable in place.leaves():
                self.expressions.choose(leaf.scalar, leaf.lengths, variable, variable, place.span)
        elif isinstance(place.type, Record) and not isinstance(node.init, syntax.InitList):
            source = self.expressions.struct(node.init)
            if source is not None:
                self.expressions.assignments.copy(place, source)
        elif isinstance(node.init, syntax.FuncCall):
            self.expressions.assign_call(place, node.init)
        else:
            values = initial_values(self.unit, self.expressions, place.type, node.init)
            names = tuple(place.name + leaf.suffix for leaf in leaves(place.type))
            self.graph.emit(Assign(names, tuple(values)), self.expressions.span)


def undefined_labels(statements: Statements) -> Iterator[tuple[str, Span]]:
    """Yield the labels that are jumped to and stand nowhere."""
    placed = {name for name, _ in statements.graph.labels}
    for name, span in statements.used.items():
        if name not in placed:
            yield name, span
