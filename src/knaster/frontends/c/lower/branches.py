"""Expressions of C that branch (`&&`, `||`, `?:`, conditions), and expressions whose value nobody wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast as syntax

from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.effects import is_plain
from knaster.frontends.c.lower.values import Value, both, either
from knaster.frontends.c.names.types import (
    Boolean,
    Scalar,
    Void,
    common,
)
from knaster.program.expression import FALSE, TRUE, Var

if TYPE_CHECKING:
    from knaster.frontends.c.lower.expressions import Expressions

_NOTHING = Void()


class Branches:
    """The branches of one function."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.values = expressions.values

    def connective(self, node: Any) -> Steps[Value]:
        """Return the value of && or ||."""
        if is_plain(node.right):
            left = yield self.expressions.value(node.left)
            right = yield self.expressions.value(node.right)
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
        if is_plain(node.iftrue) and is_plain(node.iffalse):
            condition = self.values.truth((yield self.expressions.value(node.cond)))
            then, otherwise = yield self.expressions.operands((node.iftrue, node.iffalse))
            return self.values.choose(condition, then, otherwise, self.expressions.at(node))
        yes, no, end = self.expressions.graph.new(), self.expressions.graph.new(), self.expressions.graph.new()
        yield self.branch(node.cond, yes, no)
        self.expressions.graph.place(yes)
        then = yield self.expressions.value(node.iftrue)
        first = self.expressions.graph.current()
        self.expressions.graph.here = None
        self.expressions.graph.place(no)
        otherwise = yield self.expressions.value(node.iffalse)
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
        match node:
            case syntax.Assignment():
                yield self.expressions.assignments.assignment(node)
            case syntax.UnaryOp() if node.op in ("++", "--", "p++", "p--"):
                yield self.expressions.assignments.step(node)
            case syntax.FuncCall():
                yield self.expressions.calls.call(node, _NOTHING)
            case syntax.ExprList():
                for part in node.exprs:
                    yield self.effect(part)
            case syntax.Cast():
                yield self.effect(node.expr)
            case syntax.TernaryOp():
                yes, no, end = self.expressions.graph.new(), self.expressions.graph.new(), self.expressions.graph.new()
                yield self.branch(node.cond, yes, no)
                for location, part in ((yes, node.iftrue), (no, node.iffalse)):
                    self.expressions.graph.place(location)
                    yield self.effect(part)
                    self.expressions.graph.jump(end)
                self.expressions.graph.place(end)
            case syntax.BinaryOp() if node.op in ("&&", "||") and not is_plain(node.right):
                end = self.expressions.graph.new()
                yield self.branch(node, end, end)
                self.expressions.graph.place(end)
            case syntax.Constant():
                pass
            case _:
                yield self.expressions.value(node)

    def branch(self, node: Any, yes: int, no: int) -> Steps[None]:
        """Go to `yes` where an expression is different from 0, else to `no`."""
        match node:
            case syntax.UnaryOp(op="!"):
                yield self.branch(node.expr, no, yes)
            case syntax.BinaryOp() if node.op in ("&&", "||") and not is_plain(node.right):
                middle = self.expressions.graph.new()
                yield self.branch(node.left, *((middle, no) if node.op == "&&" else (yes, middle)))
                self.expressions.graph.place(middle)
                yield self.branch(node.right, yes, no)
            case _:
                value = yield self.expressions.value(node)
                self.expressions.graph.branch(self.values.truth(value), yes, no, self.expressions.span)
