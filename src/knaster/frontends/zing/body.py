"""What all statements of one method share: its graph, its variables, and how they are read."""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.frontends.zing.expressions import Expressions
from knaster.frontends.zing.graph import Graph
from knaster.frontends.zing.kinds import Method, words
from knaster.frontends.zing.mistakes import Mistakes, Unexpected
from knaster.frontends.zing.nested_calls import NestedCalls
from knaster.frontends.zing.operators import Operand
from knaster.program.expression import Const, Expr, Var
from knaster.program.objects import ChannelCell
from knaster.program.types import BOOL, Type, default


class Body:
    """The body of one method after another."""

    def __init__(self, expressions: Expressions, mistakes: Mistakes) -> None:
        self.expressions = expressions
        self.kinds = expressions.kinds
        self.mistakes = mistakes
        self.tokens = mistakes.tokens
        self.words = mistakes.tokens.spellings
        self.graph = Graph()
        self.types: dict[str, Type] = {}
        self.method: Method | None = None

    def begin(self, method: Method, graph: Graph, types: dict[str, Type]) -> None:
        """Read the following statements into `graph`, as the body of `method`."""
        self.method, self.graph, self.types = method, graph, types
        graph.nested = NestedCalls(self.kinds, graph, types)

    @property
    def interface_methods(self) -> frozenset[str]:
        """The methods that only the class of an instance has, by their names in the model."""
        owners = [owner for owner in self.kinds.classes.values() if owner.is_interface]
        return frozenset(method.procedure for owner in owners for method in owner.methods.values())

    def span(self, first: int, behind: int) -> Span:
        """Return where a statement stands, without the token that ends it."""
        return self.tokens.stretch(first, max(first + 1, behind))

    def results(self, value: Expr | None) -> tuple[Expr, ...]:
        """Return what a return gives back: the result, then the out parameters."""
        assert self.method is not None
        given: list[Expr] = []
        if self.method.result is not None:
            given.append(value if value is not None else Const(default(self.method.result)))
        return (*given, *(Var(name) for name, _, out, _ in self.method.parameters if out))

    def condition(self, at: int) -> tuple[Expr, int]:
        """Read `(e)`; return the token behind it."""
        self.expect(at, "(")
        operand, behind = self.expressions.read(at + 1)
        self.expect(behind, ")")
        self.expressions.operators.require(operand, BOOL, "a condition is a bool")
        return operand.expr, behind + 1

    def channel(self, operand: Operand) -> Type | None:
        """Return what a channel carries; report what is none."""
        cell = self.kinds.collection(operand.type)
        if isinstance(cell, ChannelCell):
            return cell.element
        if operand.type is not None:
            self.mistakes.add(operand.at, f"this is {words(operand.type)}, no channel")
        return None

    def expect(self, at: int, word: str) -> None:
        """Require a token."""
        if self.words[at] != word:
            raise Unexpected(at, f"'{word}'")
