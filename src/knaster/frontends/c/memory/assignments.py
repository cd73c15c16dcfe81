"""Assignments, `++` and `--` of programs with memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.records import replace
from knaster.base.trampoline import Steps
from knaster.frontends.c.memory.arithmetic import Result, is_pointer
from knaster.frontends.c.memory.nodes import has_effect
from knaster.frontends.c.memory.places import Place, Register, Spot, write_place
from knaster.frontends.c.memory.types import is_atomic
from knaster.frontends.c.names.types import Foreign
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Var
from knaster.program.memory import AddressOf

if TYPE_CHECKING:
    from knaster.frontends.c.memory.expressions import MemoryExpressions


class Assignments:
    """The assignments of one function."""

    def __init__(self, expressions: MemoryExpressions) -> None:
        self.expressions = expressions

    def value(self, node: Any) -> Steps[Result]:
        """Assign, and return the value: that of the place after it, or before it for `x++`."""
        if isinstance(node, nodes.Step) and node.after:
            place: Place | None = yield self.target(node.operand)
            if place is None or isinstance(place.type, Foreign):
                return self.expressions.read(place, node)
            self.begin(place)
            before = self.expressions.keep(self.expressions.read(place, node))
            self.put(place, self.stepped(node, before), node)
            self.end(place)
            return before
        place = yield self.effect(node)
        if isinstance(place, Spot):
            place = replace(place, volatile=False)  # the value is what was written
        return self.expressions.read(place, node)

    def effect(self, node: Any) -> Steps[Place | None]:
        """Assign; return the place."""
        if isinstance(node, nodes.Step):
            place: Place | None = yield self.target(node.operand)
            if place is not None:
                self.begin(place)
                self.put(place, self.stepped(node, self.expressions.read(place, node)), node)
                self.end(place)
            return place
        unordered = node in self.expressions.unit.orders.targets
        place = yield self.target(node.target, has_effect(node.value), unordered)
        value: Result = yield self.expressions.value(node.value)
        if place is None:
            return None
        self.begin(place)
        if node.op != "=":
            value = self.combined(node, self.expressions.read(place, node), value)
        self.put(place, value, node)
        self.end(place)
        return place

    def begin(self, place: Place) -> None:
        """Let nobody interrupt a change of what is atomic."""
        if is_atomic(place.type) and isinstance(place, Spot) and self.expressions.unit.threaded:
            self.expressions.calls.threads.begin()

    def end(self, place: Place) -> None:
        """Let others run again after a change of what is atomic."""
        if is_atomic(place.type) and isinstance(place, Spot) and self.expressions.unit.threaded:
            self.expressions.calls.threads.end()

    def target(self, node: Any, fixed: bool = True, unordered: bool = False) -> Steps[Place | None]:
        """Return a place; its address is computed once where the rest may change what it depends on.

        The rest changes a variable that is the address only where C knows no order.
        """
        place: Place | None = yield self.expressions.locating.place(node)
        if not isinstance(place, Spot) or isinstance(place.address, AddressOf) or not fixed:
            return place
        if isinstance(place.address, Var) and not unordered:
            return place
        name = self.expressions.temporary(self.expressions.unit.addresses)
        self.expressions.assign(name, place.address)
        return replace(place, address=Var(name))

    def stepped(self, node: nodes.Step, before: Result) -> Result:
        """Return what stands at a place after ++ or --."""
        values, one, span = self.expressions.values, self.expressions.values.constant(1), self.expressions.at(node)
        return values.binary(node.op[0], before, one, before.type, span)

    def combined(self, node: nodes.Assign, before: Result, value: Result) -> Result:
        """Return what stands at a place after an assignment with an operator."""
        span = self.expressions.at(node)
        return self.expressions.values.binary(node.op[:-1], before, value, before.type, span)

    def put(self, place: Place, value: Result, node: Any) -> None:
        """Let a value stand at a place."""
        if isinstance(place.type, Foreign):
            self.expressions.problem(place.type.what, node, place.type.advice)
            return
        converted = self.expressions.values.convert(value, place.type, self.expressions.at(node))
        self.expressions.graph.emit(write_place(place, converted.expr), self.expressions.span)


__all__ = ["Assignments", "Register", "is_pointer"]
