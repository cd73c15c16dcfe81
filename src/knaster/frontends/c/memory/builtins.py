"""Builtins of compilers that say in one word what C can say in several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.lower.values import either
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.arithmetic import Result
from knaster.frontends.c.memory.types import Pointer
from knaster.frontends.c.tree import nodes

if TYPE_CHECKING:
    from knaster.frontends.c.memory.expressions import MemoryExpressions

ORDERS: Mapping[str, tuple[str, ...]] = {
    "isgreater": (">",),
    "isgreaterequal": (">=",),
    "isless": ("<",),
    "islessequal": ("<=",),
    "islessgreater": ("<", ">"),
    "isunordered": ("<", ">", "=="),  # none of these
}
"""Comparisons of floating-point numbers: one of these holds."""


def compare_numbers(expressions: MemoryExpressions, node: nodes.Call) -> Steps[Result]:
    """Return whether two floating-point numbers are in an order, each evaluated once."""
    left, right = yield expressions.operands(node.arguments[:2])
    name, span = node.name.removeprefix("__builtin_"), expressions.at(node)
    found = [expressions.values.binary(sign, left, right, node.type, span) for sign in ORDERS[name]]
    truth = expressions.values.truth(found[0])
    for one in found[1:]:
        truth = either(truth, expressions.values.truth(one))
    said = expressions.values.result(expressions.values.numbers.from_truth(truth))
    return expressions.values.unary("!", said, span) if name == "isunordered" else said


def _load(node: nodes.Call) -> Any:
    return memory.Dereference(node.arguments[0], node.type, node.at)


def _store(node: nodes.Call) -> Any:
    value, place = node.arguments
    return nodes.Assign("=", memory.Dereference(place, value.type, node.at), value, value.type, node.at)  # type: ignore[arg-type]


def _would_overflow(node: nodes.Call) -> Any:
    """Return the question whether a result fits a type, as one that also keeps the result somewhere."""
    left, right, like = node.arguments
    place = memory.Literal(like, like.type, node.at)
    address: Any = memory.AddressOf(place, Pointer(1, 8), node.at)
    return nodes.Call(node.name.removesuffix("_p"), (left, right, address), node.type, node.at, True)


PLAIN: Mapping[str, Callable[[nodes.Call], Any]] = {
    "__builtin_nontemporal_load": _load,
    "__builtin_nontemporal_store": _store,
    **{f"__builtin_{name}_overflow_p": _would_overflow for name in ("add", "sub", "mul")},
}
"""Builtins as other expressions."""
