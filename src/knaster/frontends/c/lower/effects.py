"""Finds what an expression of C does besides having a value, from its syntax tree.

C leaves the order of evaluation open; here it is from left to right, and these sets say where that needs a copy.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from pycparser import c_ast as syntax

from knaster.base.records import dataclass
from knaster.frontends.c.text.conditions import integer_of

_WRITING = ("++", "--", "p++", "p--")


@dataclass(frozen=True, slots=True)
class Effect:
    """The variables that are assigned, by the names of the text, and whether functions of the program are called."""

    assigned: frozenset[str] = frozenset()
    calls: bool = False

    def __bool__(self) -> bool:
        return bool(self.assigned) or self.calls


NOTHING = Effect()


def effect_of(node: Any, defined: Container[str]) -> Effect:
    """Return the effect of evaluating an expression."""
    assigned: set[str] = set()
    calls = False
    todo = [node]
    while todo:
        found = todo.pop()
        match found:
            case syntax.Assignment():
                assigned.add(root_of(found.lvalue))
            case syntax.UnaryOp() if found.op in _WRITING:
                assigned.add(root_of(found.expr))
            case syntax.UnaryOp(op="sizeof"):
                continue
            case syntax.FuncCall():
                calls = calls or not isinstance(found.name, syntax.ID) or found.name.name in defined
        todo += [child for _, child in found.children()]
    return Effect(frozenset(assigned), calls) if assigned or calls else NOTHING


def root_of(node: Any) -> str:
    """Return the name of the variable that a place belongs to; empty where it belongs to none."""
    while isinstance(node, syntax.ArrayRef | syntax.StructRef):
        node = node.name
    return node.name if isinstance(node, syntax.ID) else ""


def is_plain(node: Any) -> bool:
    """Tell whether evaluating an expression changes nothing, reads no input and is always defined."""
    todo = [node]
    while todo:
        found = todo.pop()
        match found:
            case syntax.ID() | syntax.Constant() | syntax.Cast() | syntax.StructRef() | syntax.TernaryOp():
                pass
            case syntax.Typename():
                continue
            case syntax.UnaryOp() if found.op == "sizeof":
                continue
            case syntax.UnaryOp() if found.op in ("-", "+", "~", "!"):
                pass
            case syntax.BinaryOp() if found.op in ("/", "%", "<<", ">>"):
                if not _safe_right(found):
                    return False
            case syntax.BinaryOp():
                pass
            case _:
                return False
        todo += [child for _, child in found.children()]
    return True


def _safe_right(node: Any) -> bool:
    if not isinstance(node.right, syntax.Constant):
        return False
    number = integer_of(node.right.value)
    if number is None:
        return False
    return number != 0 if node.op in ("/", "%") else number < 32
