"""Results that C leaves open: `isalpha` says 0 or something else, `strcmp` something below 0, 0, or something above.

A test of such a result needs no more than that.  Whoever uses the number itself, as in `isdigit(c) == 1`, gets an input
that C allows: an answer holds for every library, not for one that says 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.frontends.c.lower.values import both, either
from knaster.frontends.c.names.types import Boolean, Integer
from knaster.frontends.c.tree import nodes
from knaster.program.expression import Choice, Compare, Comparison, Const, Expr, Var
from knaster.program.model import Assume
from knaster.program.types import Int

if TYPE_CHECKING:
    from knaster.frontends.c.memory.arithmetic import Result
    from knaster.frontends.c.memory.expressions import MemoryExpressions

LEFT_OPEN = " (left open)"  # at the end of the name of an input
_SIGNS = frozenset(["memcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp"])
_NAMES = "alpha digit alnum space blank upper lower xdigit punct print graph cntrl nan inf finite normal"
_TRUTHS = frozenset(["signbit", *(f"is{name}" for name in _NAMES.split())])
_EQUALITIES = ("==", "!=")
_ORDERS = (*_EQUALITIES, "<", "<=", ">", ">=")


def is_open(name: str, type: Any) -> bool:
    """Tell whether C says only of what sign, or whether not 0, the result of a function of the library is."""
    return (name in _SIGNS or name in _TRUTHS) and isinstance(type, Integer)


def tested_calls(node: Any) -> tuple[nodes.Call, ...]:
    """Return the calls inside an expression of whose results it only asks how they compare with 0."""
    match node:
        case nodes.Unary(op="!") | nodes.Convert(type=Boolean()):
            return calls_in_test(node.operand)
        case nodes.Binary(op="&&" | "||"):
            return (*calls_in_test(node.left), *calls_in_test(node.right))
        case nodes.Conditional():
            return calls_in_test(node.condition)
        case nodes.Binary() if node.op in _ORDERS:
            found = (one for one, other in ((node.left, node.right), (node.right, node.left)) if _is_zero(other))
            calls = (one for one in found if isinstance(one, nodes.Call))
            return tuple(one for one in calls if node.op in _EQUALITIES or _short(one) in _SIGNS)
    return ()


def calls_in_test(node: Any) -> tuple[nodes.Call, ...]:
    """Return the calls inside a condition of whose results it only asks how they compare with 0."""
    return (node,) if isinstance(node, nodes.Call) else tested_calls(node)


def _short(node: nodes.Call) -> str:
    return node.name.removeprefix("__builtin_")


def _is_zero(node: Any) -> bool:
    return isinstance(node, nodes.Number) and node.value == 0


def leave_open(expressions: MemoryExpressions, name: str, result: Result) -> None:
    """Replace a result that is not 0 by any number that C allows for it."""
    assert isinstance(result.expr, Var) and isinstance(result.type, Integer)
    graph, span, target = expressions.graph, expressions.span, result.expr.name
    cell = Int(result.type.width, result.type.signed)
    some, behind = graph.new(), graph.new()
    graph.branch(Compare(Comparison.DIFFERENT, Var(target), Const(0)), some, behind, span)
    graph.place(some)
    chosen = expressions.temporary(cell, name)
    expressions.assign(chosen, Choice(cell, span, f"{name}(){LEFT_OPEN}"))
    allowed: Expr = Compare(Comparison.DIFFERENT, Var(chosen), Const(0))
    if name in _SIGNS:
        allowed = either(
            *(both(_is(sign, target), _is(sign, chosen)) for sign in (Comparison.LESS, Comparison.GREATER))
        )
    graph.emit(Assume(allowed), span)
    expressions.assign(target, Var(chosen))
    graph.place(behind)


def _is(sign: Comparison, name: str) -> Expr:
    return Compare(sign, Var(name), Const(0))
