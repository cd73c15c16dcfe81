"""Assignments of C, and what adds or subtracts 1: the place is found first, then the value, then it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.effects import effect_of
from knaster.frontends.c.lower.places import Place, read, write_element
from knaster.frontends.c.lower.values import Value
from knaster.frontends.c.names.types import (
    Boolean,
    Integer,
    Record,
    Vector,
)
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Const, Convert, Expr, Var, variables
from knaster.program.model import Assign

if TYPE_CHECKING:
    from knaster.frontends.c.lower.expressions import Expressions


class Assignments:
    """The assignments of one function."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.values = expressions.values
        self.unit = expressions.unit

    def step(self, node: Any) -> Steps[Place | None]:
        """Add or subtract 1; return the place."""
        place = yield self.expressions.locating.place(node.operand)
        if place is None or not isinstance(place.type, Integer | Boolean):
            return None
        place = self.pin(place)
        one = self.values.constant(1)
        self.expressions.store(
            place,
            self.values.binary(node.op[0], self.expressions.load(place), one, self.expressions.at(node)),
        )
        return place

    def step_after(self, node: Any) -> Steps[Value]:
        """Add or subtract 1; return the value before."""
        place = yield self.expressions.locating.place(node.operand)
        if place is None or not isinstance(place.type, Integer | Boolean):
            return self.values.constant(0)
        type = place.type
        place = self.pin(place)
        old, one = self.expressions.load(place), self.values.constant(1)
        kept = Value(Var(self.expressions.temporary(self.values.model(type))), type)
        assert isinstance(kept.expr, Var)
        self.expressions.assign(kept.expr.name, old.expr)
        self.expressions.store(place, self.values.binary(node.op[0], kept, one, self.expressions.at(node)))
        return kept

    def pin(self, place: Place) -> Place:
        """Return a place whose indices stay the same while it changes."""
        if not any(place.name in variables(index) for index in place.indices):
            return place
        return Place(place.name, place.type, tuple(self.copy_index(index) for index in place.indices), place.span)

    def copy_index(self, index: Expr) -> Expr:
        """Return a copy of an index."""
        if isinstance(index, Const):
            return index
        name = self.expressions.temporary(self.values.model(Integer(64)))
        self.expressions.assign(name, Convert(index, self.values.model(Integer(64))))
        return Var(name)

    def assignment(self, node: Any) -> Steps[Place | None]:
        """Perform an assignment; return the place."""
        place: Place | None = yield self.expressions.locating.place(node.target)
        if place is None:
            yield self.expressions.branches.effect(node.value)
            return None
        if node.op == "=" and isinstance(node.value, nodes.Call):
            done: Place = yield self.called_into(place, node.value)
            return done
        effect = effect_of(node.value, self.unit.defined)
        if effect and any(self.expressions.changes(effect, variables(index)) for index in place.indices):
            place = Place(place.name, place.type, tuple(map(self.copy_index, place.indices)), place.span)
        if isinstance(place.type, Record):
            source = yield self.expressions.locating.place(node.value)
            if source is not None:
                self.copy(place, source)
            return place
        if isinstance(place.type, Vector):
            self.expressions.problem("an array cannot be assigned", place.span, "assign its elements")
            return None
        value = yield self.expressions.value(node.value)
        if node.op != "=":
            value = self.values.binary(node.op[:-1], self.expressions.load(place), value, self.expressions.at(node))
        place = self.pin(place)
        self.expressions.store(place, value)
        return place

    def called_into(self, place: Place, node: Any) -> Steps[Place]:
        """Assign the result of a call, without a temporary where the types agree."""
        effect = effect_of(node, self.unit.defined)
        if any(self.expressions.changes(effect, variables(index)) for index in place.indices):
            place = Place(place.name, place.type, tuple(map(self.copy_index, place.indices)), place.span)
        result = yield self.unit.orders.mark(node, self.expressions.calls.call(node, place), self.expressions)
        if isinstance(result, Place) and result is not place:
            if isinstance(place.type, Record) or isinstance(result.type, Record):
                self.copy(place, result)
            else:
                self.expressions.store(place, self.expressions.load(result))
        elif isinstance(result, Value):
            self.expressions.store(place, result)
        return place

    def copy(self, target: Place, source: Place) -> None:
        """Assign a struct, all of its parts at once."""
        if target.type != source.type:
            self.expressions.problem("a struct is assigned a value of another type", target.span)
            return
        parts = list(zip(target.leaves(), source.leaves(), strict=True))
        names = tuple(name for (_, name), _ in parts)
        values = [
            write_element(name, target.indices, read(other, source.indices, source.span), target.span)
            for (_, name), (_, other) in parts
        ]
        self.expressions.graph.emit(Assign(names, tuple(values)), self.expressions.span)
