"""Switches of C: one edge for each case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.values import both, negate
from knaster.frontends.c.names.types import Integer
from knaster.frontends.c.tree import nodes
from knaster.program.expression import TRUE, Compare, Comparison, Const, Expr, Var
from knaster.program.model import Assume, Location
from knaster.program.types import Int

if TYPE_CHECKING:
    from knaster.frontends.c.lower.statements import Statements

_Case = tuple[int | None, int | None, Location, Span]  # from the first value to the last one; the default has none


class Switches:
    """The switches of one function."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.cases: list[list[_Case]] = []  # of the switches around, the innermost last

    def switch(self, node: Any) -> Steps[None]:
        """A jump to the case that fits."""
        span = self.statements.at(node)
        value = self.statements.expressions.evaluate(node.subject)
        value = self.statements.unit.values.unary("+", value, span)
        subject = value.expr
        if not isinstance(subject, Var | Const):
            subject = Var(self.statements.expressions.temporary(self.statements.unit.values.model(value.type)))
            self.statements.expressions.assign(subject.name, value.expr)
        source, end = self.statements.graph.current(), self.statements.graph.new()
        self.statements.graph.here = None
        self.statements.breaks.append(end)
        self.cases.append([])
        yield self.statements.statement(node.body)
        self.statements.graph.jump(end)
        self.statements.breaks.pop()
        self.statements.graph.here = source
        type = Int(value.type.width, value.type.signed) if isinstance(value.type, Integer) else Int(32)
        cases = [(_wrap(type, low), _wrap(type, high), there, at) for low, high, there, at in self.cases.pop()]
        self._dispatch(cases, subject, source, end, span)
        self.statements.graph.place(end)

    def _dispatch(self, cases: list[_Case], subject: Expr, source: Location, end: Location, span: Span) -> None:
        """Add an edge for each case, and one for all other values."""
        others: Expr = TRUE
        default = end
        for first, last, location, _ in cases:
            if first is None or last is None:
                default = location
                continue
            if first > last:  # an empty range
                continue
            condition: Expr = Compare(Comparison.EQUAL, subject, Const(first))
            if first < last:
                condition = both(
                    Compare(Comparison.AT_LEAST, subject, Const(first)),
                    Compare(Comparison.AT_MOST, subject, Const(last)),
                )
            others = both(others, negate(condition))
            self.statements.graph.here = source
            self.statements.graph.emit(Assume(condition), span, location)
        self.statements.graph.here = source
        self.statements.graph.emit(Assume(others), span, default)
        self.statements.graph.here = None

    def case(self, node: nodes.Case) -> Steps[None]:
        """Place a case of the innermost switch."""
        location = self.statements.graph.new()
        self.statements.graph.place(location)
        self.cases[-1].append((node.first, node.last, location, self.statements.unit.text.token(node)))
        yield self.statements.statement(node.body)


def _wrap(type: Int, number: int | None) -> int | None:
    return None if number is None else type.wrap(number)
