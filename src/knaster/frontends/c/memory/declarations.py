"""Variables and functions of a file with pointers: parameters that are arrays are pointers, lengths may vary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.memory.types import MemoryTypes, Sequence
from knaster.frontends.c.names.types import VARIABLE_LENGTH
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.declarations import Declarations

if TYPE_CHECKING:
    from knaster.frontends.c.memory.reader import MemoryReader

_ARRAYS = frozenset(("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY"))


class MemoryDeclarations(Declarations):
    """The variables and functions of one file."""

    def __init__(self, reader: MemoryReader) -> None:
        super().__init__(reader)
        self.memory_reader = reader

    def object(self, cursor: Any) -> nodes.Object:
        """Return the variable that a cursor declares."""
        found = super().object(cursor)
        canonical = cursor.type.get_canonical()
        while self.cursors.type_kinds.get(canonical._kind_id, "") in _ARRAYS:
            canonical = canonical.element_type.get_canonical()
        if canonical.is_const_qualified():
            self.memory_reader.constant.add(found)
        if canonical.is_volatile_qualified():
            self.memory_reader.volatile.add(found)
        if found not in self.memory_reader.shown and isinstance(self.reader.types, MemoryTypes):
            self.memory_reader.shown[found] = self.reader.types.shown(cursor.type)
        if cursor.tls_kind.value:
            self.memory_reader.per_thread.add(found)
        return found

    def _parameter(self, cursor: Any) -> Any:
        types = self.reader.types
        assert isinstance(types, MemoryTypes)
        canonical = cursor.type.get_canonical()
        kind = self.cursors.type_kinds.get(canonical._kind_id, "")
        if kind in _ARRAYS:
            return types.pointer_to(canonical.element_type)
        return types.pointer_to(canonical) if kind.startswith("FUNCTION") else types.of_cursor(cursor)

    def _variable(self, cursor: Any) -> Any:
        return self.reader.types.of_cursor(cursor)

    def local(self, cursor: Any) -> Steps[nodes.Node | None]:
        """Read the declaration of a variable in a function, with the length of an array where it varies."""
        type: Any = self._variable(cursor)
        if isinstance(type, Sequence) and (type.length is None or not _is_fixed(type.element)):
            lengths = [part for part in self.cursors.below(cursor) if self.reader.is_expression(part)]
            if type.length is not None or len(lengths) != 1 or not _is_fixed(type.element):
                self.reader.problem(VARIABLE_LENGTH.what, self.unit.start(cursor), VARIABLE_LENGTH.advice)
            else:
                self.memory_reader.lengths[self.object(cursor)] = yield self.reader.expressions.read(lengths[0])
        found: nodes.Node | None = yield super().local(cursor)
        return found


def _is_fixed(type: Any) -> bool:
    while isinstance(type, Sequence):
        if type.length is None:
            return False
        type = type.element
    return True
