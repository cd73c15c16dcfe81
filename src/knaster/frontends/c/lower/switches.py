"""Switches of C: one edge for each case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pycparser import c_ast as syntax

from knaster.base.errors import Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.values import both, negate
from knaster.frontends.c.names.types import Integer
from knaster.program.expression import TRUE, Compare, Comparison, Const, Expr, Var
from knaster.program.model import Assume, Location
from knaster.program.types import Int

if TYPE_CHECKING:
    from knaster.frontends.c.lower.statements import Statements


class Switches:
    """The switches of one function."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.cases: list[list[tuple[int | None, Location, Span]]] = []  # of the switches around, the innermost last

    def switch(self, node: Any) -> Steps[None]:
        """A jump to the case that fits."""
        span = self.statements.at(node)
        value = self.statements.expressions.evaluate(node.cond)
        value = self.statements.unit.values.unary("+", value, span)
        subject = value.expr
        if not isinstance(subject, Var | Const):
            subject = Var(self.statements.expressions.temporary(self.statements.unit.values.model(value.type)))
            self.statements.expressions.assign(subject.name, value.expr)
        source, end = self.statements.graph.current(), self.statements.graph.new()
        self.statements.graph.here = None
        self.statements.breaks.append(end)
        self.cases.append([])
        yield self.statements.statement(node.stmt)
        self.statements.graph.jump(end)
        self.statements.breaks.pop()
        self.statements.graph.here = source
        type = Int(value.type.width, value.type.signed) if isinstance(value.type, Integer) else Int(32)
        cases = [(None if n is None else type.wrap(n), location, where) for n, location, where in self.cases.pop()]
        self._dispatch(cases, subject, source, end, span)
        self.statements.graph.place(end)

    def _dispatch(
        self, cases: list[tuple[int | None, Location, Span]], subject: Expr, source: Location, end: Location, span: Span
    ) -> None:
        """Add an edge for each case, and one for all other values."""
        others: Expr = TRUE
        seen: set[int] = set()
        default = end
        for number, location, where in cases:
            if number is None:
                default = location
                continue
            if number in seen:
                self.statements.unit.problem(f"the case {number} is there twice", where)
            seen.add(number)
            condition = Compare(Comparison.EQUAL, subject, Const(number))
            others = both(others, negate(condition))
            self.statements.graph.here = source
            self.statements.graph.emit(Assume(condition), span, location)
        self.statements.graph.here = source
        self.statements.graph.emit(Assume(others), span, default)
        self.statements.graph.here = None

    def case(self, node: Any) -> Steps[None]:
        """Place a case of the innermost switch."""
        span = self.statements.unit.text.token(node)
        number: int | None = None
        if isinstance(node, syntax.Case):
            number = self.statements.unit.constant(node.expr)
            if number is None:
                self.statements.unit.problem("the value of a case is no constant", span)
                number = 0
        location = self.statements.graph.new()
        self.statements.graph.place(location)
        if self.cases:
            self.cases[-1].append((number, location, span))
        else:
            self.statements.unit.problem("a case stands outside of any switch", span)
        for part in node.stmts or ():
            yield self.statements.statement(part)
