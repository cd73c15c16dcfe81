"""Initial values as they are written: lists in braces with designators, texts, and single values.

Clang keeps the list as the text has it; `lower/initial` fills what braces leave out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.tree import nodes

if TYPE_CHECKING:
    from knaster.frontends.c.tree.unit import Reader

_RANGE = "this range of indices before an initial value is not read"
_MOST = 100_000  # elements of one range
_EFFECTS = frozenset(("CALL_EXPR", "COMPOUND_ASSIGNMENT_OPERATOR", "StmtExpr"))


class Initials:
    """The initial values of one file."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.unit = reader.unit
        self.cursors = reader.unit.cursors

    def read(self, cursor: Any) -> Steps[nodes.Initial]:
        """Return the node of an initial value."""
        if self.cursors.kind(cursor) != "INIT_LIST_EXPR":
            found: nodes.Initial = yield self.reader.expressions.read(cursor)
            return found
        items: list[nodes.Item] = []
        for part in self.cursors.below(cursor):
            items += yield self.items(part)
        return nodes.Braces(tuple(items), self.unit.start(cursor))

    def items(self, cursor: Any) -> Steps[list[nodes.Item]]:
        """Return a part of a list; one for each index where it names a range of them."""
        at = self.unit.start(cursor)
        if not self.is_designated(cursor):
            return [nodes.Item((), (yield self.read(cursor)), at)]
        *names, value = self.cursors.below(cursor)
        found: nodes.Initial = yield self.read(value)
        ways = self.ways(cursor, names)
        if ways is None or (len(ways) > 1 and self.has_effect(value)):
            self.reader.problem(_RANGE, at, "name the elements one by one")
            return [nodes.Item((), nodes.Refused(self.reader.types.of_cursor(value), at), at)]
        return [nodes.Item(way, found, at) for way in ways]

    def ways(self, cursor: Any, names: list[Any]) -> list[tuple[str | int, ...]] | None:
        """Return the fields and indices that a designator names; None where that is not known.

        The parts of `[1 ... 2]` look as those of `[1][2]` do, so the text tells them apart.
        """
        indices = sum(self.cursors.kind(name) != "MEMBER_REF" for name in names)
        text = "" if self.cursors.is_macro(cursor) else self.cursors.text(cursor).partition("=")[0]
        brackets = iter(re.findall(r"\[([^\[\]]*)\]", text) if indices > 1 else [""])
        ways: list[tuple[str | int, ...]] = [()]
        rest = iter(names)
        for name in rest:
            if self.cursors.kind(name) == "MEMBER_REF":
                own = str(name.spelling)
                steps: Iterable[str | int] = [own] if own.isidentifier() else []  # Clang adds members without a name
            else:
                first, bracket = self.index(name), next(brackets, None)
                last = self.index(next(rest)) if bracket and "..." in bracket else first
                if first is None or last is None or bracket is None or last - first >= _MOST:
                    return None
                steps = range(first, last + 1)
            ways = [(*way, step) for way in ways for step in steps] if steps else ways
        return ways

    def index(self, cursor: Any) -> int | None:
        """Return the number of an element; an enumerator is asked for its value."""
        declared = cursor.referenced if self.cursors.kind(cursor) == "DECL_REF_EXPR" else None
        if declared is not None and self.cursors.kind(declared) == "ENUM_CONSTANT_DECL":
            return int(declared.enum_value)
        return self.cursors.constant(cursor)

    def has_effect(self, cursor: Any) -> bool:
        """Tell whether a value does something, which happens once however many elements get it."""
        todo = [cursor]
        while todo:
            found = todo.pop()
            kind = self.cursors.kind(found)
            changes = kind == "UNARY_OPERATOR" and self.cursors.sign(found).endswith(("++", "--"))
            if kind in _EFFECTS or changes or (kind == "BINARY_OPERATOR" and self.cursors.operator(found) == "="):
                return True
            todo += self.cursors.below(found)
        return False

    def is_designated(self, cursor: Any) -> bool:
        """Tell whether a part of a list says which part of the object it is: such a one has no type of its own."""
        if self.cursors.kind(cursor) != "UNEXPOSED_EXPR" or len(self.cursors.below(cursor)) < 2:
            return False
        type = self.cursors.library.clang_getCursorType(cursor)
        return bool(self.cursors.type_kinds.get(type._kind_id, "") == "VOID")
