"""Initial values as they are written: lists in braces with designators, texts, and single values.

Clang keeps the list as the text has it; `lower/initial` fills what braces leave out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.tree import nodes

if TYPE_CHECKING:
    from knaster.frontends.c.tree.unit import Reader

_RANGE = "several indices before one initial value are not read"


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
        items = []
        for part in self.cursors.below(cursor):
            items.append((yield self.item(part)))
        return nodes.Braces(tuple(items), self.unit.start(cursor))

    def item(self, cursor: Any) -> Steps[nodes.Item]:
        """Return a part of a list; before its value stand the fields and indices that it names."""
        at = self.unit.start(cursor)
        if not self.is_designated(cursor):
            return nodes.Item((), (yield self.read(cursor)), at)
        *names, value = self.cursors.below(cursor)
        path: list[str | int] = []
        if sum(self.cursors.kind(name) != "MEMBER_REF" for name in names) > 1:
            # [1][2] and [1 ... 2] look the same here, and evaluating an index of a range ends the process
            self.reader.problem(_RANGE, at, "use inner braces")
            return nodes.Item((), nodes.Refused(self.reader.types.of_cursor(value), at), at)
        for name in names:
            if self.cursors.kind(name) == "MEMBER_REF":
                path.append(str(name.spelling))
            else:
                index = self.cursors.constant(name)
                if index is None:
                    self.reader.problem("the index of this initial value is no constant", at)
                path.append(index or 0)
        return nodes.Item(tuple(path), (yield self.read(value)), at)

    def is_designated(self, cursor: Any) -> bool:
        """Tell whether a part of a list says which part of the object it is: such a one has no type of its own."""
        if self.cursors.kind(cursor) != "UNEXPOSED_EXPR" or len(self.cursors.below(cursor)) < 2:
            return False
        type = self.cursors.library.clang_getCursorType(cursor)
        return bool(self.cursors.type_kinds.get(type._kind_id, "") == "VOID")
