"""Variables and functions of a file with pointers: parameters that are arrays are pointers, lengths may vary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.memory.lengths import read_lengths
from knaster.frontends.c.memory.nodes import Invocation, Measuring, walk
from knaster.frontends.c.memory.types import MemoryTypes, Pointer, is_variable
from knaster.frontends.c.names.types import VARIABLE_LENGTH
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.declarations import Declarations

if TYPE_CHECKING:
    from knaster.frontends.c.memory.reader import MemoryReader

_EFFECTS = nodes.Assign | nodes.Step | nodes.Call | Invocation | nodes.Block
_ADVICE = "do that in the body of the function"
_ARRAYS = frozenset(("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY"))


class MemoryDeclarations(Declarations):
    """The variables and functions of one file."""

    def __init__(self, reader: MemoryReader) -> None:
        super().__init__(reader)
        self.memory_reader = reader

    def object(self, cursor: Any) -> nodes.Object:
        """Return the variable that a cursor declares."""
        found = super().object(cursor)
        for type in self._with_elements(cursor.type.get_canonical()):
            if type.is_const_qualified():
                self.memory_reader.constant.add(found)
            if type.is_volatile_qualified():
                self.memory_reader.volatile.add(found)
        if found not in self.memory_reader.shown and isinstance(self.reader.types, MemoryTypes):
            self.memory_reader.shown[found] = self.reader.types.shown(cursor.type)
        if cursor.tls_kind.value:
            self.memory_reader.per_thread.add(found)
        return found

    def _with_elements(self, type: Any) -> Iterator[Any]:
        """Yield a type, that of its elements where it is an array, and so on: qualifiers stand at any of them."""
        yield type
        while self.cursors.type_kinds.get(type._kind_id, "") in _ARRAYS:
            type = type.element_type.get_canonical()
            yield type

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
        if _varies(type):
            initial = self.cursors.initializer(cursor)
            lengths = yield read_lengths(self.reader, cursor, cursor.type, 0 if initial is None else 1)
            self.memory_reader.lengths[self.object(cursor)] = lengths
            if not self.memory_reader.is_measured(type):
                self.reader.problem(VARIABLE_LENGTH.what, self.unit.start(cursor), VARIABLE_LENGTH.advice)
        found: nodes.Node | None = yield super().local(cursor)
        return found

    def function(self, cursor: Any, result: Any) -> Steps[nodes.Function]:
        """Read a function; the lengths of arrays that its parameters point to are computed when it is called."""
        self.memory_reader.measured.clear()
        for part in cursor.get_arguments():
            found = self.object(part)
            if _varies(found.type):
                self.memory_reader.lengths[found] = yield read_lengths(self.reader, part, part.type)
            elif self.cursors.type_kinds.get(part.type.get_canonical()._kind_id, "") == "VARIABLEARRAY":
                yield self._expect_no_effect(part)
        read: nodes.Function = yield super().function(cursor, result)
        return read

    def _expect_no_effect(self, parameter: Any) -> Steps[None]:
        """Refuse a parameter that is a pointer where its length, which nobody needs, does something (C17 6.9.1)."""
        for part in self.cursors.below(parameter):
            if self.reader.is_expression(part):
                length = yield self.reader.expressions.read(part)
                if any(isinstance(node, _EFFECTS) for node in walk(length)):
                    self.reader.problem("the length of this parameter has an effect", self.unit.start(part), _ADVICE)

    def type_name(self, cursor: Any) -> Steps[nodes.Node | None]:
        """Read a typedef inside a function: where its lengths vary, they are computed there."""
        type = cursor.underlying_typedef_type
        if not _varies(self.reader.types.of_type(type)):
            return None
        lengths = yield read_lengths(self.reader, cursor, type)
        return Measuring(tuple(lengths), self.unit.start(cursor))  # type: ignore[return-value]


def _varies(type: Any) -> bool:
    return is_variable(type) or (isinstance(type, Pointer) and type.variable is not None)
