"""Expressions of C: their values, and the edges for what they do besides.

Evaluation is from left to right.  A call is an edge of its own, an input is an assignment of its own (so that no
`Choice` is ever copied), and `&&`, `||` and `?:` are branches unless their operands are plain.  All recursion is by
`descent`, so nesting is bounded by memory alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pycparser import c_ast as syntax

from knaster.base.errors import Span
from knaster.base.trampoline import Steps, run
from knaster.frontends.c.lower.assignments import Assignments
from knaster.frontends.c.lower.branches import Branches
from knaster.frontends.c.lower.calls import Calls
from knaster.frontends.c.lower.effects import Effect, effect_of
from knaster.frontends.c.lower.graph import Graph
from knaster.frontends.c.lower.locating import Locating
from knaster.frontends.c.lower.places import Place, read, write_element
from knaster.frontends.c.lower.values import Value
from knaster.frontends.c.names.declarations import number_type
from knaster.frontends.c.names.scope import Variable
from knaster.frontends.c.names.types import (
    FLOAT,
    FUNCTION_POINTER,
    INT,
    POINTER,
    Boolean,
    CType,
    Foreign,
    Integer,
    Record,
    Scalar,
    Vector,
    Void,
    array_of,
    size_of,
)
from knaster.frontends.c.text.characters import character
from knaster.frontends.c.text.conditions import integer_of
from knaster.program.expression import Choice, Expr, Var, variables
from knaster.program.model import Assign
from knaster.program.types import Type

if TYPE_CHECKING:
    from knaster.frontends.c.lower.unit import Unit

_NOTHING = Void()


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
        self.locating = Locating(self)
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
        name = f"{about}${self._temporaries}"
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
        match node:
            case syntax.Constant():
                return self.constant(node)
            case syntax.ID() | syntax.ArrayRef() | syntax.StructRef():
                done: Value = yield self.locating.load(node)
                return done
            case syntax.BinaryOp() if node.op in ("&&", "||"):
                done = yield self.branches.connective(node)
                return done
            case syntax.BinaryOp():
                left, right = yield self.operands((node.left, node.right))
                return self.values.binary(node.op, left, right, self.at(node))
            case syntax.UnaryOp():
                done = yield self.unary(node)
                return done
            case syntax.Assignment():
                place = yield self.assignments.assignment(node)
                return self.load(place) if place is not None else self.values.constant(0)
            case syntax.TernaryOp():
                done = yield self.branches.conditional(node)
                return done
            case syntax.Cast():
                done = yield self.cast(node)
                return done
            case syntax.FuncCall():
                place = yield self.calls.call(node, None)
                return self.load(place) if isinstance(place, Place) else place
            case syntax.ExprList():
                for part in node.exprs[:-1]:
                    yield self.branches.effect(part)
                done = yield self.value(node.exprs[-1])
                return done
            case _:
                self.problem("this expression is not read", self.at(node), "write it in plain C")
                return self.values.constant(0)

    def at(self, node: Any) -> Span:
        """Return where a node begins."""
        return self.unit.text.token(node)

    def constant(self, node: Any) -> Value:
        """Return the value of a constant."""
        text = node.value
        if node.type == "char" or text.startswith(("'", "L'", "u'", "U'")):
            return self.values.constant(character(text))
        if node.type == "string":
            self.refuse(POINTER, self.at(node), "a text is a pointer, except as the initial value of an array")
            return self.values.constant(0)
        number = integer_of(text)
        if number is None:
            if any(letter in text for letter in ".eEpPfF"):
                self.refuse(FLOAT, self.at(node))
            else:
                self.problem(f"'{text}' is no integer constant", self.at(node))
            return self.values.constant(0)
        if number >= 2**64:
            self.problem("this number is too large for every type of C", self.at(node), "the largest one has 64 bits")
        decimal = not text.startswith("0") or text.rstrip("uUlL") == "0"
        suffix = text[len(text.rstrip("uUlL")) :]
        return self.values.constant(number, number_type(number, suffix, decimal, self.unit.long))

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
        for name in effect.assigned:
            symbol = self.unit.scopes.find(name)
            base = symbol.name if isinstance(symbol, Variable) else name
            if any(variable == base or variable.startswith(f"{base}.") for variable in read):
                return True
        return False

    def unary(self, node: Any) -> Steps[Value]:
        """Return the value of a unary operator."""
        span = self.at(node)
        match node.op:
            case "-" | "+" | "~" | "!":
                return self.values.unary(node.op, (yield self.value(node.expr)), span)
            case "++" | "--":
                place = yield self.assignments.step(node)
                return self.load(place) if place is not None else self.values.constant(0)
            case "p++" | "p--":
                done: Value = yield self.assignments.step_after(node)
                return done
            case "sizeof" | "_Alignof":
                type = self.unit.declarations.type_of(node.expr) if _is_type(node.expr) else self.type_of(node.expr)
                if isinstance(type, Foreign) and type is not POINTER and type is not FUNCTION_POINTER:
                    self.refuse(type, span)
                return self.values.constant(size_of(type, self.unit.long // 8), Integer(self.unit.long, False))
            case "&":
                self.refuse(POINTER, span, "the address of a variable is a pointer")
            case "*":
                self.refuse(POINTER, span)
            case other:
                self.problem(f"the operator '{other}' is not read", span)
        return self.values.constant(0)

    def type_of(self, node: Any) -> CType:
        """Return the type of an expression that is not evaluated."""
        graph, self.graph = self.graph, Graph()
        try:
            if isinstance(node, syntax.ID | syntax.ArrayRef | syntax.StructRef):
                place = run(self.locating.place(node))
                return place.type if place is not None else INT
            return self.evaluate(node).type
        finally:
            self.graph = graph

    def cast(self, node: Any) -> Steps[Value]:
        """Return a value converted."""
        type = self.unit.declarations.type_of(node.to_type)
        match type:
            case Integer() | Boolean():
                return self.values.convert((yield self.value(node.expr)), type, self.at(node))
            case Void():
                yield self.branches.effect(node.expr)
            case Foreign():
                self.refuse(type, self.at(node))
            case _:
                self.problem("a value can only be converted to an integer type", self.at(node))
        return self.values.constant(0)


def _is_type(node: Any) -> bool:
    return isinstance(node, syntax.Typename)
