"""The places that expressions of C stand for: variables, fields and elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast as syntax

from knaster.base.errors import Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.places import Place
from knaster.frontends.c.lower.values import Value
from knaster.frontends.c.names.scope import Enumerator, FunctionName, TypeName, Variable
from knaster.frontends.c.names.types import (
    FUNCTION_POINTER,
    POINTER,
    Foreign,
    Record,
    Vector,
)

if TYPE_CHECKING:
    from knaster.frontends.c.lower.expressions import Expressions


class Locating:
    """The places of one function."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.values = expressions.values
        self.unit = expressions.unit

    def place(self, node: Any) -> Steps[Place | None]:
        """Return the place that an expression stands for; None, with a problem noted, where it is none."""
        span = self.expressions.at(node)
        match node:
            case syntax.ID():
                return self.find_variable(node.name, span)
            case syntax.StructRef() if node.type == ".":
                place = yield self.place(node.name)
                return self.field(place, node.field.name, span)
            case syntax.ArrayRef():
                place = yield self.place(node.name)
                index = yield self.expressions.value(node.subscript)
                if place is None:
                    return None
                if not isinstance(place.type, Vector):
                    self.expressions.refuse(POINTER, span, "what has an index here is no array")
                    return None
                return Place(place.name, place.type.element, (*place.indices, index.expr), span)
            case syntax.FuncCall():
                found = yield self.expressions.calls.call(node, None)
                return found if isinstance(found, Place) else None
            case syntax.StructRef() | syntax.UnaryOp(op="*"):
                self.expressions.refuse(POINTER, span)
            case syntax.Cast():
                done: Place | None = yield self.place(node.expr)
                return done
            case syntax.Assignment():
                done = yield self.expressions.assignments.assignment(node)
                return done
            case _:
                self.expressions.problem("this cannot be assigned to", span)
        return None

    def load(self, node: Any) -> Steps[Value]:
        """Return the value of a place or of an enumeration constant."""
        if isinstance(node, syntax.ID) and isinstance(symbol := self.unit.scopes.find(node.name), Enumerator):
            return self.values.constant(symbol.value)
        place = yield self.place(node)
        return self.expressions.load(place) if place is not None else self.values.constant(0)

    def find_variable(self, name: str, span: Span) -> Place | None:
        """Return the place of a variable."""
        symbol = self.unit.scopes.find(name)
        match symbol:
            case Variable(base, type):
                if isinstance(type, Foreign):
                    self.unit.refuse_once(name, type, span)
                    return None
                self.unit.objects.used(symbol)
                return Place(base, type, (), span)
            case FunctionName():
                self.expressions.refuse(FUNCTION_POINTER, span, f"the function '{name}' is used without being called")
            case TypeName() | Enumerator():
                self.expressions.problem(f"'{name}' is no variable", span)
            case None:
                self.unit.note_undeclared(name, span)
        return None

    def field(self, place: Place | None, name: str, span: Span) -> Place | None:
        """Return the place of a field."""
        if place is None:
            return None
        fields = dict(place.type.fields) if isinstance(place.type, Record) else {}
        if name not in fields:
            self.expressions.problem(f"there is no field '{name}' here", span)
            return None
        return Place(f"{place.name}.{name}", fields[name], place.indices, span)
