"""Finds what an expression of C does besides having a value, from its tree.

C leaves the order of evaluation open; here it is from left to right, and these sets say where that needs a copy.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from knaster.base.records import dataclass
from knaster.frontends.c.names.types import Boolean, Integer
from knaster.frontends.c.tree import nodes


@dataclass(frozen=True, slots=True)
class Effect:
    """The variables that are assigned, and whether functions of the program are called."""

    assigned: frozenset[nodes.Object] = frozenset()
    calls: bool = False

    def __bool__(self) -> bool:
        return bool(self.assigned) or self.calls


NOTHING = Effect()


def effect_of(node: Any, defined: Container[str]) -> Effect:
    """Return the effect of evaluating an expression."""
    assigned: set[nodes.Object] = set()
    calls = False
    todo = [node]
    while todo:
        found = todo.pop()
        match found:
            case nodes.Number() | nodes.Name():
                continue
            case nodes.Assign():
                assigned |= root_of(found.target)
            case nodes.Step():
                assigned |= root_of(found.operand)
            case nodes.Declaration():
                assigned.add(found.object)
            case nodes.Call():
                calls = calls or found.name in defined
        todo += nodes.parts(found)
    return Effect(frozenset(assigned), calls) if assigned or calls else NOTHING


def uses(node: Any, found: nodes.Object) -> bool:
    """Tell whether a variable is named in an expression or an initial value."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, nodes.Name) and part.object is found:
            return True
        todo += nodes.parts(part)
    return False


def root_of(node: Any) -> set[nodes.Object]:
    """Return the variable that a place belongs to; nothing where it belongs to none."""
    while isinstance(node, nodes.Subscript | nodes.Field):
        node = node.array if isinstance(node, nodes.Subscript) else node.record
    return {node.object} if isinstance(node, nodes.Name) else set()


def is_plain(node: Any) -> bool:
    """Tell whether evaluating an expression changes nothing, reads no input and is always defined."""
    todo = [node]
    while todo:
        found = todo.pop()
        match found:
            case nodes.Name() | nodes.Number() | nodes.Text():
                continue
            case nodes.Convert() | nodes.Field() | nodes.Conditional() | nodes.Unary():
                pass
            case nodes.Binary(op="/" | "%" | "<<" | ">>"):
                if not _safe_right(found):
                    return False
            case nodes.Binary(op=","):
                return False
            case nodes.Binary():
                pass
            case _:
                return False
        todo += nodes.parts(found)
    return True


def strip_conversions(node: Any) -> Any:
    """Return what is 0 where an expression is 0, without conversions that do not matter for that."""
    while isinstance(node, nodes.Convert):
        before, after = node.operand.type, node.type
        widens = isinstance(before, Integer) and isinstance(after, Integer) and after.width >= before.width
        if not widens and not (isinstance(before, Integer | Boolean) and isinstance(after, Boolean)):
            break
        node = node.operand
    return node


def _safe_right(node: nodes.Binary) -> bool:
    right: Any = node.right
    while isinstance(right, nodes.Convert) and _keeps(right):
        right = right.operand
    if not isinstance(right, nodes.Number):
        return False
    return right.value != 0 if node.op in ("/", "%") else 0 <= right.value < 32


def _keeps(node: nodes.Convert) -> bool:
    """Tell whether a conversion changes no value."""
    before, after = node.operand.type, node.type
    if not isinstance(before, Integer) or not isinstance(after, Integer):
        return False
    return after.width > before.width or (after.width == before.width and isinstance(node.operand, nodes.Number))
