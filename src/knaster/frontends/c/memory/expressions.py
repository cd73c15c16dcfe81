"""Expressions of programs with memory: their values, and the edges for what they do besides.

Evaluation is from left to right.  A call, an assignment and an input are edges of their own; `&&`, `||` and `?:` are
branches where their operands do something.  Recursion is by `Steps`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.base.trampoline import Steps, run
from knaster.frontends.c.lower.values import both, either
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.arithmetic import PointerValues, Result, is_pointer, negated
from knaster.frontends.c.memory.assignments import Assignments
from knaster.frontends.c.memory.calls import Calls
from knaster.frontends.c.memory.coincidence import Coincidence
from knaster.frontends.c.memory.inner_arrays import asks_for_index
from knaster.frontends.c.memory.jumps import label_object
from knaster.frontends.c.memory.lengths import COUNT, Length
from knaster.frontends.c.memory.locating import Locating
from knaster.frontends.c.memory.nodes import has_effect
from knaster.frontends.c.memory.open_results import calls_in_test, tested_calls
from knaster.frontends.c.memory.places import Place, Spot, read_place
from knaster.frontends.c.memory.scopes import ScopedGraph
from knaster.frontends.c.memory.threads import ASYNC, reads_memory
from knaster.frontends.c.memory.types import Structure, cell_of, is_atomic, is_scalar
from knaster.frontends.c.names.types import Boolean, Foreign, Integer, Void
from knaster.frontends.c.tree import nodes
from knaster.program.expression import FALSE, TRUE, Choice, Const, Convert, Expr, Var
from knaster.program.memory import AddressOf
from knaster.program.model import Assign
from knaster.program.temporaries import temporary_name
from knaster.program.types import Int, Type

if TYPE_CHECKING:
    from knaster.frontends.c.memory.statements import MemoryStatements
    from knaster.frontends.c.memory.unit import MemoryUnit


VOLATILE = " (volatile)"  # at the end of the name of an input


class MemoryExpressions:
    """The expressions of one function; edges are added to its graph, temporaries to its locals."""

    def __init__(self, unit: MemoryUnit, graph: ScopedGraph, function: str) -> None:
        self.unit = unit
        self.values: PointerValues = unit.pointers
        self.graph = graph
        self.function = function
        self.locals: dict[str, Type] = {}
        self.span = Span(0, 0, 0)  # of the statement
        self.statements: MemoryStatements | None = None
        self.calls = Calls(self)
        self.locating = Locating(self)
        self.coincidence = Coincidence(self)
        self.assignments = Assignments(self)
        self._temporaries = 0

    # What the other modules ask for

    def evaluate(self, node: Any) -> Any:
        """Return the value of an expression."""
        found = run(self.value(node))
        return self.values.number(found) if isinstance(found.type, Integer | Boolean) else found

    def perform(self, node: Any) -> None:
        """Evaluate an expression for what it does."""
        run(self.effect(node))

    def decide(self, node: Any, yes: int, no: int) -> None:
        """Branch on an expression."""
        run(self.branch(node, yes, no))

    def temporary(self, type: Any, about: str = "") -> str:
        """Return a new variable of the model."""
        self._temporaries += 1
        name = temporary_name(about, self._temporaries)
        self.locals[name] = type
        return name

    def assign(self, variable: str, value: Expr) -> None:
        """Give a variable of the model a value."""
        self.graph.emit(Assign((variable,), (value,)), self.span)

    def keep(self, value: Result) -> Result:
        """Return a value that nothing changes any more."""
        if isinstance(value.expr, Const | AddressOf) or isinstance(value.type, Void):
            return value
        name = self.temporary(cell_of(value.type) if not is_pointer(value.type) else self.unit.addresses)
        self.assign(name, value.expr)
        return Result(Var(name), value.type)

    def problem(self, message: str, node: Any, hint: str = "write it in plain C") -> Result:
        """Note a mistake; return a value to go on with."""
        self.unit.problem(message, self.at(node), hint)
        return self.values.constant(0)

    def at(self, node: Any) -> Span:
        """Return where a node begins."""
        return self.unit.text.token(node)

    def does_something(self, node: Any) -> bool:
        """Tell whether an expression needs edges of its own; reads of memory do where there are threads."""
        if has_effect(node) or asks_for_index(node) or self.unit.orders.asks_inside(node):
            return True
        return self.unit.threaded and reads_memory(node, self.unit.registers)

    # Values

    def value(self, node: Any) -> Steps[Result]:
        """Return the value of an expression."""
        return self.unit.orders.mark(node, self._value(node), self)

    def _value(self, node: Any) -> Steps[Result]:
        self.calls.note_tests(tested_calls(node))
        match node:
            case nodes.Number():
                return Result(_constant(node), node.type)
            case nodes.Name() | nodes.Subscript() | nodes.Field() | memory.Dereference():
                place: Place | None = yield self.locating.place(node)
                return self.read(place, node)
            case memory.Literal() | memory.Volatile():
                place = yield self.locating.place(node)
                return self.read(place, node)
            case nodes.Binary(op="&&" | "||"):
                done: Result = yield self.connective(node)
                return done
            case nodes.Binary(op=","):
                yield self.effect(node.left)
                done = yield self.value(node.right)
                return done
            case nodes.Binary():
                left, right = yield self.operands((node.left, node.right))
                return self.values.binary(node.op, left, right, node.type, self.at(node))
            case nodes.Unary():
                operand: Result = yield self.value(node.operand)
                return self.values.unary(node.op, operand, self.at(node))
            case nodes.Step() | nodes.Assign():
                done = yield self.assignments.value(node)
                return done
            case nodes.Conditional():
                done = yield self.conditional(node)
                return done
            case nodes.Elvis():
                done = yield self.elvis(node)
                return done
            case nodes.Convert():
                done = yield self.cast(node)
                return done
            case nodes.Block():
                done = yield self.block(node)
                return done
            case nodes.Call() | memory.Invocation() | memory.NextArgument():
                done = yield self.calls.call(node, True)
                return done
        done = yield self.address(node)
        return done

    def read(self, place: Place | None, node: Any) -> Result:
        """Return what stands at a place; what has a type that is not read is refused."""
        if place is None or isinstance(place.type, Void):
            return self.values.constant(0)
        if isinstance(place.type, Foreign):
            return self.problem(place.type.what, node, place.type.advice)
        if isinstance(place, Spot) and place.volatile and self.unit.has_volatile:
            return self.read_volatile(place)
        if not (self.unit.threaded and self.function and isinstance(place, Spot)):
            return read_place(place)
        if not is_atomic(place.type):
            return self.keep(read_place(place))
        self.calls.threads.begin()
        found = self.keep(read_place(place))
        self.calls.threads.end()
        return found

    def read_volatile(self, place: Spot) -> Result:
        """Return any value; what stands there must be there all the same."""
        self.keep(read_place(place))
        type: Any = cell_of(place.type)
        if place.width is not None and isinstance(type, Int):
            type = Int(place.width, type.signed)
        name = self.temporary(type, place.text)
        self.assign(name, Choice(type, place.span, f"{place.text}{VOLATILE}"))
        return Result(Convert(Var(name), cell_of(place.type)) if place.width is not None else Var(name), place.type)

    def address(self, node: Any) -> Steps[Result]:
        """Return the value of an expression that is an address."""
        match node:
            case nodes.Text():
                return Result(AddressOf(self.unit.objects.text(node)), node.type)
            case memory.FunctionName():
                self.unit.note_function(self.function, node.name)
                return Result(AddressOf(node.name), node.type)
            case memory.AddressOf() | memory.Decay():
                address: Expr | None = yield self.locating.address(node.operand)
                return Result(address if address is not None else Const(0), node.type)
            case memory.SizeOfVariable():
                size = Result(self.values.counts.size(node.array), COUNT)
                return self.values.convert(size, node.type, self.at(node))
            case memory.LabelAddress():
                return Result(AddressOf(label_object(self.unit, node.function, node.name)), node.type)
            case memory.Measured():
                self.measure(node.lengths)
                inner: Result = yield self.value(node.operand)
                return Result(inner.expr, node.type)
            case nodes.Refused():
                return self.note_refused(node)
        return self.problem("this expression is not read", node)
        yield

    def measure(self, lengths: Iterable[Length]) -> None:
        """Compute the lengths of arrays, once."""
        for length in lengths:
            value = self.values.convert(self.evaluate(length.number), COUNT, self.at(length))
            count = self.values.counts.of_length(length.type, value.expr)
            name = self.temporary(Int(64), "length")
            self.assign(name, count)
            self.values.counts.known[length.type.key] = Var(name)

    def note_refused(self, node: Any) -> Result:
        """Make sure that something is said of what is not read."""
        if not self.unit.problems and not self.unit.refused_in(self.function):
            foreign = node.type if isinstance(node.type, Foreign) else None
            return self.problem(foreign.what if foreign else "this expression is not read", node)
        return self.values.constant(0)

    def operands(self, parts: tuple[Any, ...]) -> Steps[list[Result]]:
        """Return the values of several operands, evaluated from left to right."""
        found: list[Result] = []
        later = [has_effect(part) for part in parts]
        for number, part in enumerate(parts):
            value: Result = yield self.value(part)
            found.append(self.keep(value) if any(later[number + 1 :]) else value)
        return found

    def cast(self, node: nodes.Convert) -> Steps[Result]:
        """Return a value converted."""
        if isinstance(node.type, Void):
            yield self.effect(node.operand)
            return self.values.constant(0)
        value: Result = yield self.value(node.operand)
        return self.values.convert(value, node.type, self.at(node))

    def connective(self, node: Any) -> Steps[Result]:
        """Return the value of && or ||."""
        if not self.does_something(node.right):
            left: Result = yield self.value(node.left)
            right: Result = yield self.value(node.right)
            joined = both if node.op == "&&" else either
            formula = joined(self.values.truth(left), self.values.truth(right))
            return self.values.result(self.values.numbers.from_truth(formula))
        name = self.temporary(cell_of(Boolean()))
        yes, no, end = self.graph.new(), self.graph.new(), self.graph.new()
        yield self.branch(node, yes, no)
        for location, value in ((yes, TRUE), (no, FALSE)):
            self.graph.place(location)
            self.assign(name, value)
            self.graph.jump(end)
        self.graph.place(end)
        return self.values.result(self.values.numbers.from_truth(Var(name)))

    def conditional(self, node: Any) -> Steps[Result]:
        """Return the value of ?:."""
        if not self.does_something(node.then) and not self.does_something(node.otherwise):
            test: Result = yield self.value(node.condition)
            then: Result = yield self.value(node.then)
            otherwise: Result = yield self.value(node.otherwise)
            return self.values.choose(self.values.truth(test), then, otherwise, node.type, self.at(node))
        yes, no = self.graph.new(), self.graph.new()
        yield self.branch(node.condition, yes, no)
        done: Result = yield self.join(node, ((yes, node.then), (no, node.otherwise)))
        return done

    def join(self, node: Any, ways: tuple[tuple[int, Any], ...]) -> Steps[Result]:
        """Return a value that is computed on one of several ways."""
        end, wanted = self.graph.new(), is_scalar(node.type) or isinstance(node.type, Structure)
        name = self.temporary(cell_of(node.type)) if wanted else ""
        for location, part in ways:
            self.graph.place(location)
            if wanted:
                value: Result = yield self.value(part)
                self.assign(name, self.values.convert(value, node.type, self.at(node)).expr)
            else:
                yield self.effect(part)
            self.graph.jump(end)
        self.graph.place(end)
        return Result(Var(name), node.type) if wanted else self.values.constant(0)

    def elvis(self, node: nodes.Elvis) -> Steps[Result]:
        """Return the value of `a ?: b`, in which a is evaluated once."""
        value: Result = yield self.value(node.value)
        value = self.keep(value)
        yes, no, end = self.graph.new(), self.graph.new(), self.graph.new()
        name = self.temporary(cell_of(node.type))
        self.graph.branch(self.values.truth(value), yes, no, self.span)
        self.graph.place(yes)
        self.assign(name, self.values.convert(value, node.type, self.at(node)).expr)
        self.graph.jump(end)
        self.graph.place(no)
        other: Result = yield self.value(node.otherwise)
        self.assign(name, self.values.convert(other, node.type, self.at(node)).expr)
        self.graph.place(end)
        return Result(Var(name), node.type)

    def block(self, node: nodes.Block) -> Steps[Result]:
        """Perform the statements of `({ ... })`; return the value of the last one."""
        statements = self.statements
        if statements is None:
            return self.problem("a statement inside an expression is not read here", node)
        span, parts = self.span, node.body.parts
        wanted = bool(parts) and (is_scalar(node.type) or isinstance(node.type, Structure))
        statements.open()
        for part in parts[:-1] if wanted else parts:
            yield statements.statement(part)
        self.span = span
        value = self.values.constant(0)
        if wanted:
            last: Any = parts[-1]
            while isinstance(last, nodes.Label):
                if last.name.startswith(ASYNC):
                    self.problem("a thread that is a value is not read", last)
                statements.mark_label(last)
                last = last.body
            value = yield self.value(last)
            value = self.keep(value)
        statements.close()
        return value

    # Effects and branches

    def effect(self, node: Any) -> Steps[None]:
        """Evaluate an expression whose value nobody wants; what it reads must be there all the same."""
        return self.unit.orders.mark(node, self._effect(node), self)

    def _effect(self, node: Any) -> Steps[None]:
        match node:
            case nodes.Assign() | nodes.Step():
                yield self.assignments.effect(node)
            case nodes.Call() | memory.Invocation() | memory.NextArgument():
                yield self.calls.call(node, False)
            case nodes.Binary(op=","):
                yield self.effect(node.left)
                yield self.effect(node.right)
            case nodes.Convert(type=Void()):
                yield self.effect(node.operand)
            case nodes.Conditional() if self.does_something(node):
                yes, no, end = self.graph.new(), self.graph.new(), self.graph.new()
                yield self.branch(node.condition, yes, no)
                for location, part in ((yes, node.then), (no, node.otherwise)):
                    self.graph.place(location)
                    yield self.effect(part)
                    self.graph.jump(end)
                self.graph.place(end)
            case nodes.Binary(op="&&" | "||") if self.does_something(node.right):
                end = self.graph.new()
                yield self.branch(node, end, end)
                self.graph.place(end)
            case nodes.Block():
                yield self.block(node)
            case nodes.Number() | nodes.Text() | memory.FunctionName():
                pass
            case _:
                value: Result = yield self.value(node)
                if is_scalar(value.type) or isinstance(value.type, Structure):
                    self.keep(value)  # an unused value is still read

    def branch(self, node: Any, yes: int, no: int) -> Steps[None]:
        """Go to `yes` where an expression is different from 0, else to `no`."""
        match node:
            case nodes.Unary(op="!"):
                yield self.branch(node.operand, no, yes)
            case nodes.Binary(op="&&" | "||") if self.does_something(node.right):
                middle = self.graph.new()
                yield self.branch(node.left, *((middle, no) if node.op == "&&" else (yes, middle)))
                self.graph.place(middle)
                yield self.branch(node.right, yes, no)
            case _:
                self.calls.note_tests(calls_in_test(node))
                value: Result = yield self.value(node)
                self.graph.branch(self.values.truth(value), yes, no, self.span)


def _constant(node: nodes.Number) -> Expr:
    return (TRUE if node.value else FALSE) if isinstance(node.type, Boolean) else Const(node.value)


__all__ = ["MemoryExpressions", "negated"]
