"""Arithmetic on bit-fields that are wider than int, where compilers differ.

C leaves it open whether such a field has its declared type (Clang, and so Knaster) or one of its own width (gcc, which
wraps `x.b << 32` of 40 bits at 40).  Sums, products, shifts to the left and complements tell the two apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import Structure, find_member
from knaster.frontends.c.names.types import Integer
from knaster.frontends.c.tree import nodes

_INT = 32
_NOTE = "gcc computes this with the {} bits of the bit-field; Clang, and so Knaster, with its whole type"


def find_wide_fields(file: nodes.File, functions: Collection[str]) -> Iterator[tuple[Any, str]]:
    """Yield each operator of some functions whose result depends on the compiler, with what is to be said of it."""
    for function in file.functions:
        if function.name in functions:
            for node in memory.walk(function.body):
                width = _computed_width(node)
                if width is not None:
                    yield node, _NOTE.format(width)


def _computed_width(node: Any) -> int | None:
    """Return the width in which gcc computes, where that is the width of a bit-field."""
    match node:
        case nodes.Binary(op="+" | "-" | "*"):
            own = max(_width(node.left), _width(node.right))
            widest = max(_field_width(node.left), _field_width(node.right))
        case nodes.Binary(op="<<"):
            own, widest = _width(node.left), _field_width(node.left)
        case nodes.Unary(op="-" | "~"):
            own, widest = _width(node.operand), _field_width(node.operand)
        case _:
            return None
    return widest if widest > _INT and widest == own else None


def _width(node: Any) -> int:
    """Return the width of an operand as gcc sees it, before it is converted to the type of the other one."""
    node = _unconverted(node)
    declared = node.type.width if isinstance(getattr(node, "type", None), Integer) else _INT
    return max(_field_width(node) or declared, _INT)


def _field_width(node: Any) -> int:
    """Return the width of an operand that is a bit-field narrower than its type; else 0."""
    node = _unconverted(node)
    if isinstance(node, nodes.Field) and isinstance(node.record.type, Structure) and isinstance(node.type, Integer):
        member = find_member(node.record.type, node.name)
        if member is not None and member.width is not None and member.width < node.type.width:
            return member.width
    return 0


def _unconverted(node: Any) -> Any:
    while isinstance(node, nodes.Convert | memory.Volatile):
        node = node.operand
    return node
