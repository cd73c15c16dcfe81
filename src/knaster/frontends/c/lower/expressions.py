"""Expressions of C: their values, and the edges for what they do besides.

Evaluation is from left to right.  A call is an edge of its own, an input is an assignment of its own (so that no
`Choice` is ever copied), and `&&`, `||` and `?:` are branches unless their operands are plain.  All recursion is by
`descent`, so nesting is bounded by memory alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.errors import InternalError, Span
from knaster.base.trampoline import Steps, run
from knaster.frontends.c.lower.assignments import Assignments
from knaster.frontends.c.lower.blocks import Blocks
from knaster.frontends.c.lower.branches import Branches
from knaster.frontends.c.lower.calls import Calls
from knaster.frontends.c.lower.coincidence import Coincidence
from knaster.frontends.c.lower.effects import Effect, effect_of, strip_conversions
from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.lower.locating import Locating
from knaster.frontends.c.lower.places import Place, read, write_element
from knaster.frontends.c.lower.values import Value
from knaster.frontends.c.names.types import (
    POINTER,
    Boolean,
    Foreign,
    Integer,
    Record,
    Scalar,
    Vector,
    Void,
    array_of,
)
from knaster.frontends.c.tree import nodes
from knaster.program.expression import FALSE, TRUE, Choice, Expr, Var, variables
from knaster.program.model import Assign
from knaster.program.temporaries import temporary_name
from knaster.program.types import Type

if TYPE_CHECKING:
    from knaster.frontends.c.lower.unit import Unit

_UNREAD = Foreign("this expression is not read", "write it in plain C")


class Expressions:
    """The expressions of one function; edges are added to its graph, temporaries to its locals."""

    def __init__(self, unit: Unit, graph: Graph, function: str) -> None:
        self.unit = unit
        self.values = unit.values
        self.graph = graph
        self.function = function
        self.parameters: dict[str, Type] = {}
        self.locals: dict[str, Type] = {}
        self.span = Span(0, 0, 0)  # of the statement
        self.calls = Calls(self)
        self.assignments = Assignments(self)
        self.branches = Branches(self)
        self.blocks = Blocks(self)
        self.locating = Locating(self)
        self.coincidence = Coincidence(self)
        self._temporaries = 0

    # What the other modules ask for

    def evaluate(self, node: Any) -> Value:
        """Return the value of an expression."""
        return run(self.value(node))

    def perform(self, node: Any) -> None:
        """Evaluate an expression for what it does."""
        run(self.branches.effect(node))

    def struct(self, node: Any) -> Place | None:
        """Return the place of a struct."""
        return run(self.locating.place(node))

    def assign_call(self, place: Place, node: Any) -> None:
        """Give a place the result of a call."""
        run(self.assignments.called_into(place, node))

    def decide(self, node: Any, yes: int, no: int) -> None:
        """Branch on an expression."""
        run(self.branches.branch(node, yes, no))

    def temporary(self, type: Type, about: str = "") -> str:
        """Return a new variable of the model."""
        self._temporaries += 1
        name = temporary_name(about, self._temporaries)
        self.locals[name] = type
        return name

    def assign(self, variable: str, value: Expr) -> None:
        """Give a variable of the model a value."""
        self.graph.emit(Assign((variable,), (value,)), self.span)

    def store(self, place: Place, value: Value) -> None:
        """Give a scalar place a value, converted to its type."""
        assert isinstance(place.type, Integer | Boolean)
        converted = self.values.convert(value, place.type, place.span).expr
        self.assign(place.name, write_element(place.name, place.indices, converted, place.span))

    def load(self, place: Place) -> Value:
        """Return the value of a scalar place."""
        if isinstance(place.type, Integer | Boolean):
            return Value(read(place.name, place.indices, place.span), place.type)
        if isinstance(place.type, Vector):
            self.refuse(POINTER, place.span, "an array without an index is a pointer")
        elif isinstance(place.type, Record):
            self.problem("a struct is used as a number", place.span)
        return self.values.constant(0)

    def choose(self, type: Scalar, lengths: tuple[int, ...], variable: str, origin: str, span: Span) -> None:
        """Let a variable of the model take an input."""
        self.assign(variable, Choice(array_of(self.values.model(type), lengths), span, origin))

    def refuse(self, foreign: Foreign, span: Span, what: str = "") -> None:
        """Note something that is not read."""
        self.unit.problem(what or foreign.what, span, foreign.advice)

    def problem(self, message: str, span: Span, hint: str = "") -> None:
        """Note a mistake."""
        self.unit.problem(message, span, hint)

    # Values

    def value(self, node: Any) -> Steps[Value]:
        """Return the value of an expression of scalar type."""
        return self.unit.orders.mark(node, self._value(node), self)

    def _value(self, node: Any) -> Steps[Value]:
        match node:
            case nodes.Number():
                return self.constant(node)
            case nodes.Name() | nodes.Subscript() | nodes.Field():
                done: Value = yield self.locating.load(node)
                return done
            case nodes.Binary(op="&&" | "||"):
                done = yield self.branches.connective(node)
                return done
            case nodes.Binary(op=","):
                yield self.branches.effect(node.left)
                done = yield self.value(node.right)
                return done
            case nodes.Binary():
                left, right = yield self.operands((node.left, node.right))
                return self.as_clang_says(node, self.values.binary(node.op, left, right, self.at(node)))
            case nodes.Unary():
                operand = strip_conversions(node.operand) if node.op == "!" else node.operand
                return self.values.unary(node.op, (yield self.value(operand)), self.at(node))
            case nodes.Step():
                done = yield self.step(node)
                return done
            case nodes.Assign():
                place = yield self.assignments.assignment(node)
                return self.load(place) if place is not None else self.values.constant(0)
            case nodes.Conditional():
                done = yield self.branches.conditional(node)
                return done
            case nodes.Elvis():
                done = yield self.elvis(node)
                return done
            case nodes.Convert():
                done = yield self.cast(node)
                return done
            case nodes.Block():
                done = yield self.blocks.block(node, True)
                return done
            case nodes.Call():
                place = yield self.calls.call(node, None)
                return self.load(place) if isinstance(place, Place) else place
            case nodes.Text():
                self.refuse(POINTER, self.at(node), "a text is a pointer, except as the initial value of an array")
            case nodes.Refused():
                self.note_refused(node)
            case _:
                self.problem("this expression is not read", self.at(node), "write it in plain C")
        return self.values.constant(0)

    def as_clang_says(self, node: nodes.Binary, value: Value) -> Value:
        """Return a value whose type Clang and we have found independently of each other, and found the same."""
        if value.type != node.type and not self.unit.problems and not self.unit.refused_in(self.function):
            raise InternalError(f"the type of '{node.op}' in line {node.at[0]} is not the one that Clang says")
        return value

    def note_refused(self, node: nodes.Refused) -> None:
        """Make sure that something is said of what is not read: here where nothing was said yet."""
        if not self.unit.problems and not self.unit.refused_in(self.function):
            foreign = node.type if isinstance(node.type, Foreign) else _UNREAD
            self.refuse(foreign, self.at(node))

    def at(self, node: Any) -> Span:
        """Return where a node begins."""
        return self.unit.text.token(node)

    def constant(self, node: nodes.Number) -> Value:
        """Return the value of a constant."""
        if isinstance(node.type, Boolean):
            return Value(TRUE if node.value else FALSE, node.type)
        assert isinstance(node.type, Integer)
        return self.values.constant(node.value, node.type)

    def operands(self, nodes: Sequence[Any]) -> Steps[list[Value]]:
        """Return the values of several operands, evaluated from left to right."""
        found: list[Value] = []
        later = [effect_of(node, self.unit.defined) for node in nodes[1:]]  # long sums nest in the first operand
        for number, node in enumerate(nodes):
            value = yield self.value(node)
            for effect in later[number:]:
                value = self.keep_value(value, effect)
            found.append(value)
        return found

    def keep_value(self, value: Value, effect: Effect) -> Value:
        """Return a value that an effect does not change: a copy where it may."""
        if not effect or not self.changes(effect, variables(value.expr)):
            return value
        name = self.temporary(self.values.model(value.type))
        self.assign(name, value.expr)
        return Value(Var(name), value.type)

    def changes(self, effect: Effect, read: set[str]) -> bool:
        """Tell whether an effect may change one of some variables of the model."""
        if effect.calls and not read <= self.locals.keys() | self.parameters.keys():
            return True
        for found in effect.assigned:
            base = self.unit.names.get(found, found.name)
            if any(variable == base or variable.startswith(f"{base}.") for variable in read):
                return True
        return False

    def step(self, node: nodes.Step) -> Steps[Value]:
        """Return the value of ++ or --."""
        if node.after:
            done: Value = yield self.assignments.step_after(node)
            return done
        place = yield self.assignments.step(node)
        return self.load(place) if place is not None else self.values.constant(0)

    def elvis(self, node: nodes.Elvis) -> Steps[Value]:
        """Return the value of `a ?: b`, in which a is evaluated once."""
        value = self.blocks.kept((yield self.value(node.value)))
        yes, no, end = self.graph.new(), self.graph.new(), self.graph.new()
        if not isinstance(node.type, Integer | Boolean):
            self.problem("this expression is not read", self.at(node), "write it in plain C")
            return value
        name = self.temporary(self.values.model(node.type))
        self.graph.branch(self.values.truth(value), yes, no, self.span)
        self.graph.place(yes)
        self.assign(name, self.values.convert(value, node.type, self.at(node)).expr)
        self.graph.jump(end)
        self.graph.place(no)
        other = yield self.value(node.otherwise)
        self.assign(name, self.values.convert(other, node.type, self.at(node)).expr)
        self.graph.place(end)
        return Value(Var(name), node.type)

    def cast(self, node: nodes.Convert) -> Steps[Value]:
        """Return a value converted."""
        if isinstance(node.type, Void):
            yield self.branches.effect(node.operand)
            return self.values.constant(0)
        value: Value = yield self.value(node.operand)
        if isinstance(node.type, Integer | Boolean):
            return self.values.convert(value, node.type, self.at(node))
        return value
