"""Statements inside expressions, `({ ... })`: the value is that of the last statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.values import Value
from knaster.frontends.c.names.types import Boolean, Integer
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Const, Var

if TYPE_CHECKING:
    from knaster.frontends.c.lower.expressions import Expressions
    from knaster.frontends.c.lower.statements import Statements


class Blocks:
    """The statements inside expressions of one function; `statements` is None where there is none, as in a global."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions
        self.statements: Statements | None = None

    def block(self, node: nodes.Block, wanted: bool) -> Steps[Value]:
        """Perform the statements; return the value of the last one where it is wanted."""
        nothing, statements = self.expressions.values.constant(0), self.statements
        if statements is None:
            self.expressions.problem("a statement inside an expression is not read here", self.expressions.at(node))
            return nothing
        span, last = self.expressions.span, node.body.parts[-1] if node.body.parts else None
        valued = wanted and isinstance(node.type, Integer | Boolean)
        if wanted and not valued:
            what = "a statement whose value is no integer is not read inside an expression"
            self.expressions.problem(what, self.expressions.at(node), "write it as a statement of its own")
            return nothing
        statements.open()
        for part in node.body.parts[:-1] if valued else node.body.parts:
            yield statements.statement(part)
        value = nothing
        if valued:
            while isinstance(last, nodes.Label):
                statements.mark_label(last)
                last = last.body
            statements.at(last)
            value = yield self.expressions.value(last)
            value = self.kept(value)
        self.expressions.span = self.expressions.graph.span = span
        statements.close()
        return value

    def kept(self, value: Value) -> Value:
        """Return a copy of a value: the variables of the block may be used again."""
        if isinstance(value.expr, Const):
            return value
        name = self.expressions.temporary(self.expressions.values.model(value.type))
        self.expressions.assign(name, value.expr)
        return Value(Var(name), value.type)
