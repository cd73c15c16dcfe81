"""Variables and functions as Clang read them: one record for all declarations of a variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.names.types import (
    FUNCTION_POINTER,
    VARIABLE_LENGTH,
    CType,
    Foreign,
    Integer,
)
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.assembly import AssemblyTexts
from knaster.frontends.c.tree.attributes import strange_attributes
from knaster.frontends.c.tree.loops import Loops
from knaster.frontends.c.tree.types import array_type
from knaster.program.types import Int

if TYPE_CHECKING:
    from knaster.frontends.c.tree.unit import Reader

_ARRAYS = frozenset(("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY"))
_ARRAY_PARAMETER = Foreign("an array as a parameter is a pointer, and pointers are not read", "make it a global")
_EXTERN, _STATIC = 2, 3  # storage classes of libclang
_BEFORE_MAIN = ("constructor", "destructor")


class Declarations:
    """The variables and functions of one file."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.unit = reader.unit
        self.cursors = reader.unit.cursors
        self._objects: dict[int, nodes.Object] = {}  # of functions, by Clang's address

    def object(self, cursor: Any) -> nodes.Object:
        """Return the variable that a cursor declares."""
        if self._storage(cursor) in ("global", "extern"):
            name, known = self.reader.link.name(cursor), self.reader.link.objects
            if name not in known:
                known[name] = self._make(cursor, name)
            return known[name]
        key = int(cursor.canonical.data[0])
        if key not in self._objects:
            self._objects[key] = self._make(cursor, str(cursor.spelling))
        return self._objects[key]

    def _make(self, cursor: Any, name: str) -> nodes.Object:
        type = self._parameter(cursor) if self.cursors.kind(cursor) == "PARM_DECL" else self._variable(cursor)
        return nodes.Object(name, type, self.unit.name_of(cursor), self._storage(cursor))

    def _storage(self, cursor: Any) -> str:
        if self.cursors.kind(cursor) == "PARM_DECL":
            return "parameter"
        number = self.cursors.library.clang_Cursor_getStorageClass(cursor)
        if number == _EXTERN:
            return "extern"
        if self.cursors.kind(cursor.semantic_parent) == "TRANSLATION_UNIT":
            return "global"
        return "static" if number == _STATIC else "local"

    def _parameter(self, cursor: Any) -> CType:
        """Return the type of a parameter; an array or a function becomes a pointer."""
        kind = self.cursors.type_kinds.get(cursor.type.get_canonical()._kind_id, "")
        if kind in _ARRAYS:
            return _ARRAY_PARAMETER
        return FUNCTION_POINTER if kind.startswith("FUNCTION") else self.reader.types.of_cursor(cursor)

    def _variable(self, cursor: Any) -> CType:
        type = self.reader.types.of_cursor(cursor)
        return self._fixed(cursor) or type if type is VARIABLE_LENGTH else type

    def _fixed(self, cursor: Any) -> CType | None:
        """Return the type of an array whose lengths are constants or variables that never change; else None."""
        initializer = self.cursors.initializer(cursor)
        lengths = [part for part in self.cursors.below(cursor) if self.reader.is_expression(part)]
        if initializer is not None:
            lengths = [part for part in lengths if part != initializer]
        inner, dimensions = cursor.type.get_canonical(), 0
        while self.cursors.type_kinds.get(inner._kind_id, "") in _ARRAYS:
            inner, dimensions = inner.element_type.get_canonical(), dimensions + 1
        if dimensions != len(lengths):
            return None
        found = self.reader.types.of_type(inner)
        for part in lengths:  # the innermost comes first
            length = self._length(part)
            if length is None:
                return None
            found = array_type(found, length)
        return found

    def _length(self, cursor: Any) -> int | None:
        """Return the length of an array: a constant, or a variable that is always the same number."""
        cursor = self.reader.selections.unwrapped(cursor)
        if self.cursors.kind(cursor) != "DECL_REF_EXPR":
            return self.cursors.constant(cursor)
        declared = cursor.referenced
        if self.cursors.kind(declared) == "ENUM_CONSTANT_DECL":
            return int(declared.enum_value)
        type = self.reader.types.of_cursor(declared)
        if self.cursors.kind(declared) != "VAR_DECL" or not isinstance(type, Integer):
            return None
        initial = self.cursors.initializer(declared)
        if initial is None or declared.canonical.data[0] in self.reader.changed():
            return None
        if self._storage(declared) == "extern" or not self._is_number(initial):
            return None
        if self._storage(declared) == "global" and not self.reader.link.alone:
            return None  # another file may change it
        value = self.cursors.constant(initial)
        return None if value is None else Int(type.width, type.signed).wrap(value)

    def _is_number(self, cursor: Any) -> bool:
        cursor = self.reader.selections.unwrapped(cursor)
        return self.cursors.kind(cursor) in ("INTEGER_LITERAL", "CHARACTER_LITERAL")

    def local(self, cursor: Any) -> Steps[nodes.Node | None]:
        """Read the declaration of a variable in a function; None where it only names one of the file."""
        found = self.object(cursor)
        self._check(cursor, found)
        if self._storage(cursor) == "extern":
            self.reader.add_object(found)
            return None
        initial = self.cursors.initializer(cursor)
        if initial is not None:
            found.initial = yield self.reader.initials.read(initial)
        return nodes.Declaration(found, found.at)

    def type_name(self, cursor: Any) -> Steps[nodes.Node | None]:
        """Read a typedef inside a function: it does nothing."""
        return None
        yield

    def global_variable(self, cursor: Any) -> Steps[None]:
        """Read the declaration of a variable outside of functions; the one that says most counts."""
        found = self.object(cursor)
        type, storage = self._variable(cursor), self._storage(cursor)
        if isinstance(found.type, Foreign) and not isinstance(type, Foreign):
            found.type = type
        if storage != "extern" and found.storage == "extern":
            found.storage, found.at = storage, self.unit.name_of(cursor)
        self._check(cursor, found)
        initial = self.cursors.initializer(cursor)
        if initial is not None:
            found.storage, found.type, found.at = "global", type, self.unit.name_of(cursor)
            found.initial = yield self.reader.initials.read(initial)
        self.reader.add_object(found)

    def _check(self, cursor: Any, found: nodes.Object) -> None:
        for word in strange_attributes(self.cursors, cursor):
            self.reader.problem(f"the attribute '{word}' is not read", found.at, "write the program without it")

    def note_function(self, cursor: Any) -> None:
        """Remember what is strange about a function, whether this defines it or only declares it."""
        for word in strange_attributes(self.cursors, cursor):
            if word in _BEFORE_MAIN or " " in word:
                at = self.unit.name_of(cursor)
                self.reader.problem(f"the attribute '{word}' is not read", at, "write the program without it")
            else:
                self.reader.strange.setdefault(self.reader.link.name(cursor), []).append(word)

    def function(self, cursor: Any, result: CType) -> Steps[nodes.Function]:
        """Read a function with its body."""
        parts = self.cursors.below(cursor)
        body = next(part for part in parts if self.cursors.kind(part) == "COMPOUND_STMT")
        parameters = tuple(self.object(part) for part in cursor.get_arguments())
        self.reader.statements.loops = Loops(self.cursors, cursor)
        self.reader.statements.assemblies = AssemblyTexts(self.cursors, cursor)
        self.reader.statements.labels, self.reader.statements.function = {}, self.reader.link.name(cursor)
        read = yield self.reader.statements.read(body)
        return nodes.Function(self.reader.link.name(cursor), result, parameters, read, self.unit.name_of(cursor))
