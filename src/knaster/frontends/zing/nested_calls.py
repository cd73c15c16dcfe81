"""Calls inside expressions: from an action whose expressions call methods, steps that call them one by one before it.

Operands are evaluated left to right, and `&&` and `||` evaluate their right side only where it matters.  So a call is a
step of its own, which leaves its result in a variable that no text names; what stands left of it and could be changed
by it is kept in such a variable first; and a call right of `&&` stands behind a test.  The variables belong to a scope
of their own, so they are forgotten when the statement is done.  In a `wait` calls stay where they are: there a method
is run to its end for its value alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.base.records import fields, replace
from knaster.base.trampoline import Steps, run
from knaster.frontends.zing.kinds import INT, NULL, Kinds, Method
from knaster.program.expression import (
    Apply,
    Arithmetic,
    Conditional,
    Const,
    Expr,
    Field,
    Index,
    New,
    Part,
    Self,
    SizeOf,
    Var,
    operands,
    postorder,
)
from knaster.program.model import Action, Assume, Call, Concurrent, Return
from knaster.program.objects import Choose, Print, Send, Store, Update
from knaster.program.types import BOOL, Pointer, Struct, Type

if TYPE_CHECKING:
    from knaster.frontends.zing.graph import Graph


def calls(expr: Expr) -> bool:
    """Tell whether an expression calls a method."""
    return any(isinstance(node, Apply) for node in postorder(expr))


def _with_operands(node: Expr, given: Sequence[Expr]) -> Expr:
    old, parts = operands(node), iter(given)
    names = [f.name for f in fields(node) if any(getattr(node, f.name) is each for each in old)]
    changes: dict[str, Any] = {name: next(parts) for name in names}
    return replace(node, **changes)


class NestedCalls:
    """Takes the calls out of the actions of one method."""

    def __init__(self, kinds: Kinds, graph: Graph, types: dict[str, Type]) -> None:
        self.kinds = kinds
        self.graph = graph
        self.types = types
        self.methods: Mapping[str, Method] = {
            m.procedure: m for c in kinds.classes.values() for m in c.methods.values()
        }
        self.made: set[str] = set()

    def take_out(self, action: Action, span: Span) -> Action:
        """Return an action without calls; what they do is done in steps before it."""
        if isinstance(action, Assume):
            return Assume(self.value(action.condition, span))
        if isinstance(action, Store):
            return Store(tuple(self.value(place, span) for place in action.places), self.value(action.value, span))
        if isinstance(action, Choose) and action.collection is not None:
            collection, place = self.values((action.collection,), span)[0], self.value(action.place, span)
            return Choose(place, None, collection)
        if isinstance(action, Choose):
            return Choose(self.value(action.place, span), action.values)
        if isinstance(action, Send):
            return Send(*self.values((action.channel, action.value), span))
        if isinstance(action, Update):
            target, operand = self.values((action.target, action.operand), span)
            return replace(action, target=target, operand=operand)
        if isinstance(action, Print):
            return replace(action, arguments=self.values(action.arguments, span))
        if isinstance(action, Call):
            places = tuple(None if place is None else self.value(place, span) for place in action.places)
            return replace(action, arguments=self.values(action.arguments, span), places=places)
        if isinstance(action, Return):
            return Return(self.values(action.values, span))
        if isinstance(action, Concurrent):
            return replace(action, arguments=self.values(action.arguments, span))
        return action

    def value(self, expr: Expr, span: Span) -> Expr:
        """Return an expression without calls."""
        return run(self._value(expr, span)) if calls(expr) else expr

    def values(self, exprs: Sequence[Expr], span: Span) -> tuple[Expr, ...]:
        """Return expressions that are evaluated from left to right, without calls."""
        return run(self._values(exprs, span))

    def _value(self, expr: Expr, span: Span) -> Steps[Expr]:
        if not calls(expr):
            return expr
        if isinstance(expr, Conditional) and (calls(expr.then) or calls(expr.otherwise)):
            chosen: Expr = yield self._conditional(expr, span)
            return chosen
        inner: tuple[Expr, ...] = yield self._values(operands(expr), span)
        if not isinstance(expr, Apply):
            return _with_operands(expr, inner)
        method = self.methods[expr.procedure]
        result = self._variable(method.result or INT)
        dispatch = self.kinds.dispatch(method)
        self.graph.plain_step(Call(expr.procedure, inner, places=(result,), dispatch=dispatch), span)
        return result

    def _values(self, exprs: Sequence[Expr], span: Span) -> Steps[tuple[Expr, ...]]:
        last = max((index for index, expr in enumerate(exprs) if calls(expr)), default=-1)
        found: list[Expr] = []
        for index, expr in enumerate(exprs):
            value: Expr = yield self._value(expr, span)
            found.append(self._keep(value, span) if index < last else value)
        return tuple(found)

    def _conditional(self, expr: Conditional, span: Span) -> Steps[Expr]:
        """Evaluate what is taken only, behind a test."""
        condition = yield self._value(expr.condition, span)
        result = self._variable(BOOL)
        yes, no = self.graph.plain_branch(condition, span)
        ends = []
        for draft, side in ((yes, expr.then), (no, expr.otherwise)):
            self.graph.open = [draft]
            value = yield self._value(side, span)
            ends.append(self.graph.plain_step(Store((result,), value), span))
        self.graph.open = ends
        return result

    def _keep(self, value: Expr, span: Span) -> Expr:
        """Return a value that a later call cannot change."""
        if isinstance(value, Const | Self) or (isinstance(value, Var) and value.name in self.types):
            return value
        kept = self._variable(self.type_of(value))
        self.graph.plain_step(Store((kept,), value), span)
        return kept

    def _variable(self, type: Type) -> Var:
        self.graph.begin_values()
        number = 1
        while f"'{number}" in self.types:
            number += 1
        name = f"'{number}"
        self.types[name] = type
        self.graph.owned[self.graph.scope].append(name)
        return Var(name)

    def type_of(self, expr: Expr) -> Type:
        """Return the type of an expression that was read without a mistake."""
        return run(self._type_of(expr))

    def _type_of(self, expr: Expr) -> Steps[Type]:
        match expr:
            case Const(value):
                return BOOL if isinstance(value, bool) else INT if isinstance(value, int) else NULL
            case Var(name):
                owner, _, static = name.partition(".")
                return self.types[name] if name in self.types else self.kinds.classes[owner].statics[static] or INT
            case Arithmetic():
                return expr.type
            case SizeOf() | Self():
                return INT
            case New(cell):
                return Pointer(cell)
            case Apply(procedure):
                return self.methods[procedure].result or INT
            case Part(struct, index):
                type = yield self._type_of(struct)
                return type.fields[index][1] if isinstance(type, Struct) else INT
            case Field(inner, _, name):
                type = yield self._type_of(inner)
                assert isinstance(type, Pointer)
                return self.kinds.classes[type.target].fields[name] or INT
            case Index(array):
                type = yield self._type_of(array)
                collection = self.kinds.collection(type)
                return collection.element if collection is not None else INT
            case _:
                return BOOL
