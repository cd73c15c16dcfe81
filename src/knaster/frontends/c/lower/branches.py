"""Expressions of C that branch (`&&`, `||`, `?:`, conditions), and expressions whose value nobody wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.effects import is_plain, strip_conversions
from knaster.frontends.c.lower.values import Value, both, either
from knaster.frontends.c.names.types import (
    Boolean,
    Scalar,
    Void,
    common,
)
from knaster.frontends.c.tree import nodes
from knaster.program.expression import FALSE, TRUE, Var

if TYPE_CHECKING:
    from knaster.frontends.c.lower.expressions import Expressions

_NOTHING = Void()


class Branches:
    """The branches of one function."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.values = expressions.values

    def is_plain(self, node: Any) -> bool:
        """Tell whether it does not matter whether an expression is evaluated."""
        return is_plain(node) and not self.expressions.unit.orders.asks_inside(node)

    def connective(self, node: Any) -> Steps[Value]:
        """Return the value of && or ||."""
        if self.is_plain(node.right):
            left = yield self.expressions.value(strip_conversions(node.left))
            right = yield self.expressions.value(strip_conversions(node.right))
            joined = both if node.op == "&&" else either
            return self.values.from_truth(joined(self.values.truth(left), self.values.truth(right)))
        name = self.expressions.temporary(self.values.model(Boolean()))
        yes, no, end = self.expressions.graph.new(), self.expressions.graph.new(), self.expressions.graph.new()
        yield self.branch(node, yes, no)
        for location, value in ((yes, TRUE), (no, FALSE)):
            self.expressions.graph.place(location)
            self.expressions.assign(name, value)
            self.expressions.graph.jump(end)
        self.expressions.graph.place(end)
        return self.values.from_truth(Var(name))

    def conditional(self, node: Any) -> Steps[Value]:
        """Return the value of ?:."""
        if self.is_plain(node.then) and self.is_plain(node.otherwise):
            condition = self.values.truth((yield self.expressions.value(strip_conversions(node.condition))))
            then, otherwise = yield self.expressions.operands((node.then, node.otherwise))
            return self.values.choose(condition, then, otherwise, self.expressions.at(node))
        yes, no, end = self.expressions.graph.new(), self.expressions.graph.new(), self.expressions.graph.new()
        yield self.branch(node.condition, yes, no)
        self.expressions.graph.place(yes)
        then = yield self.expressions.value(node.then)
        first = self.expressions.graph.current()
        self.expressions.graph.here = None
        self.expressions.graph.place(no)
        otherwise = yield self.expressions.value(node.otherwise)
        same = then.type == otherwise.type
        type: Scalar = then.type if same else common(then.type, otherwise.type)
        name = self.expressions.temporary(self.values.model(type))
        self.expressions.assign(name, self.values.convert(otherwise, type, self.expressions.at(node)).expr)
        self.expressions.graph.jump(end)
        self.expressions.graph.here = first
        self.expressions.assign(name, self.values.convert(then, type, self.expressions.at(node)).expr)
        self.expressions.graph.place(end)
        return Value(Var(name), type)

    def effect(self, node: Any) -> Steps[None]:
        """Evaluate an expression whose value nobody wants."""
        return self.expressions.unit.orders.mark(node, self._effect(node), self.expressions)

    def _effect(self, node: Any) -> Steps[None]:
        match node:
            case nodes.Assign():
                yield self.expressions.assignments.assignment(node)
            case nodes.Step():
                yield self.expressions.assignments.step(node)
            case nodes.Call():
                yield self.expressions.calls.call(node, _NOTHING)
            case nodes.Binary(op=","):
                yield self.effect(node.left)
                yield self.effect(node.right)
            case nodes.Convert():
                yield self.effect(node.operand)
            case nodes.Block():
                yield self.expressions.blocks.block(node, False)
            case nodes.Conditional():
                yes, no, end = self.expressions.graph.new(), self.expressions.graph.new(), self.expressions.graph.new()
                yield self.branch(node.condition, yes, no)
                for location, part in ((yes, node.then), (no, node.otherwise)):
                    self.expressions.graph.place(location)
                    yield self.effect(part)
                    self.expressions.graph.jump(end)
                self.expressions.graph.place(end)
            case nodes.Binary(op="&&" | "||") if not self.is_plain(node.right):
                end = self.expressions.graph.new()
                yield self.branch(node, end, end)
                self.expressions.graph.place(end)
            case nodes.Number() | nodes.Text():
                pass
            case _:
                yield self.expressions.value(node)

    def branch(self, node: Any, yes: int, no: int) -> Steps[None]:
        """Go to `yes` where an expression is different from 0, else to `no`."""
        node = strip_conversions(node)
        match node:
            case nodes.Unary(op="!"):
                yield self.branch(node.operand, no, yes)
            case nodes.Binary(op="&&" | "||") if not self.is_plain(node.right):
                middle = self.expressions.graph.new()
                yield self.branch(node.left, *((middle, no) if node.op == "&&" else (yes, middle)))
                self.expressions.graph.place(middle)
                yield self.branch(node.right, yes, no)
            case _:
                value = yield self.expressions.value(node)
                self.expressions.graph.branch(self.values.truth(value), yes, no, self.expressions.span)
