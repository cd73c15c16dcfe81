"""The places that expressions of C stand for: variables, fields and elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.places import Place
from knaster.frontends.c.lower.values import Value
from knaster.frontends.c.names.types import POINTER, Foreign, Record, Vector
from knaster.frontends.c.tree import nodes

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
        return self.unit.orders.mark_place(node, self._place(node), self.expressions)

    def _place(self, node: Any) -> Steps[Place | None]:
        span = self.expressions.at(node)
        match node:
            case nodes.Name():
                return self.find_variable(node.object, span)
            case nodes.Field():
                place = yield self.place(node.record)
                return self.field(place, node.name, span)
            case nodes.Subscript():
                place = yield self.place(node.array)
                index = yield self.expressions.value(node.index)
                if place is None:
                    return None
                if not isinstance(place.type, Vector):
                    self.expressions.refuse(POINTER, span, "what has an index here is no array")
                    return None
                return Place(place.name, place.type.element, (*place.indices, index.expr), span)
            case nodes.Call():
                found = yield self.expressions.calls.call(node, None)
                return found if isinstance(found, Place) else None
            case nodes.Convert():
                done: Place | None = yield self.place(node.operand)
                return done
            case nodes.Assign():
                done = yield self.expressions.assignments.assignment(node)
                return done
            case nodes.Refused():
                self.expressions.note_refused(node)
            case _:
                self.expressions.problem("this value of a struct is not read", span, "give it to a variable first")
        return None

    def load(self, node: Any) -> Steps[Value]:
        """Return the value of a place."""
        place = yield self.place(node)
        return self.expressions.load(place) if place is not None else self.values.constant(0)

    def find_variable(self, found: nodes.Object, span: Span) -> Place | None:
        """Return the place of a variable."""
        if isinstance(found.type, Foreign):
            self.unit.refuse_once(found, span)
            return None
        self.unit.objects.used(found)
        return Place(self.unit.names[found], found.type, (), span)

    def field(self, place: Place | None, name: str, span: Span) -> Place | None:
        """Return the place of a field."""
        if place is None:
            return None
        fields = dict(place.type.fields) if isinstance(place.type, Record) else {}
        if name not in fields:
            self.expressions.problem(f"there is no field '{name}' here", span)
            return None
        return Place(f"{place.name}.{name}", fields[name], place.indices, span)
