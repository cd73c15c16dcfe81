"""`offsetof`: where a part of a struct stands, with indices in it, which GNU C lets be any expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.memory.types import Sequence, Structure, find_member, size_of
from knaster.frontends.c.tree import nodes

if TYPE_CHECKING:
    from knaster.frontends.c.memory.tree import MemoryExpressions


def read_offset(expressions: MemoryExpressions, cursor: Any, parts: list[Any]) -> Steps[Any]:
    """Return the node of an offset: a constant, or a sum of what its indices say."""
    type, at = expressions.type_of(cursor), expressions.unit.start(cursor)
    value = expressions.cursors.constant(cursor)
    if value is not None:
        return nodes.Number(value, type, at)
    inside: Any = expressions.type_of(parts[0])
    found: Any = nodes.Number(0, type, at)
    for part in parts[1:]:
        step: Any = None
        if isinstance(inside, Structure) and expressions.cursors.kind(part) == "MEMBER_REF":
            member = find_member(inside, str(part.spelling))
            if member is not None and member.width is None:
                inside, step = member.type, nodes.Number(member.offset // 8, type, at)
        elif isinstance(inside, Sequence) and expressions.reader.is_expression(part):
            index: Any = yield expressions.read(part)
            inside = inside.element
            step = nodes.Binary("*", nodes.Convert(index, type, at), nodes.Number(size_of(inside), type, at), type, at)
        if step is None:
            return expressions.refuse(cursor, "this expression is not read")
        found = nodes.Binary("+", found, step, type, at)
    return found
