"""Expressions of a file with pointers, as Clang read them: addresses, what pointers point to, calls through them."""

from __future__ import annotations

from typing import Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.types import FunctionType, MemoryTypes, Pointer, Sequence, Structure
from knaster.frontends.c.names.types import CHAR, INT, Boolean, Foreign, Integer, Void
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.characters import characters
from knaster.frontends.c.tree.expressions import Expressions
from knaster.program.memory import Floating

_VALUES = Integer | Boolean | Pointer | Floating
_PLACES = nodes.Name | nodes.Subscript | nodes.Field | memory.Dereference
_FLOAT = 2  # the kind of a result of an evaluation


class MemoryExpressions(Expressions):
    """The expressions of one file."""

    def __init__(self, reader: Any) -> None:
        super().__init__(reader)
        self._ways["COMPOUND_LITERAL_EXPR"] = self.literal
        self._ways["FLOATING_LITERAL"] = self.floating
        self._ways["CXX_NULL_PTR_LITERAL_EXPR"] = self.null

    def read(self, cursor: Any) -> Steps[Any]:
        """Return the node of an expression; a volatile scalar is marked."""
        found: Any = yield super().read(cursor)
        if isinstance(found, _PLACES) and isinstance(found.type, _VALUES) and self.is_volatile(cursor):
            return memory.Volatile(found, found.type, found.at)
        return found

    def is_volatile(self, cursor: Any) -> bool:
        """Tell whether the type of an expression is volatile."""
        library = self.cursors.library
        type = library.clang_getCanonicalType(library.clang_getCursorType(cursor))
        return bool(library.clang_isVolatileQualifiedType(type))

    def type_of(self, cursor: Any) -> Any:
        """Return the type of an expression."""
        return self.types.of_cursor(cursor)

    def number(self, cursor: Any) -> Steps[Any]:
        """Read a constant; the size of an array of variable length is none."""
        value = self.cursors.constant(cursor)
        if value is None and self.cursors.kind(cursor) == "CXX_UNARY_EXPR":
            found = self._size_of_variable(cursor)
            if found is not None:
                return found
        found = yield super().number(cursor)
        return found

    def null(self, cursor: Any) -> Steps[Any]:
        """Read `nullptr`: C converts it to the pointer that is needed."""
        return nodes.Number(0, INT, self.unit.start(cursor))
        yield

    def floating(self, cursor: Any) -> Steps[Any]:
        """Read a number with a point."""
        type, library = self.type_of(cursor), self.cursors.library
        result = library.clang_Cursor_Evaluate(cursor) if isinstance(type, Floating) else None
        if not result or library.clang_EvalResult_getKind(result) != _FLOAT:
            return self.refuse(cursor, "this number is not read")
        value = float(library.clang_EvalResult_getAsDouble(result))
        library.clang_EvalResult_dispose(result)
        return nodes.Number(value, type, self.unit.start(cursor))  # type: ignore[arg-type]
        yield

    def _size_of_variable(self, cursor: Any) -> Any:
        below = [part for part in self.cursors.below(cursor) if self.reader.is_expression(part)]
        while len(below) == 1 and self.cursors.kind(below[0]) == "PAREN_EXPR":
            below = self.cursors.below(below[0])
        if len(below) != 1 or self.cursors.kind(below[0]) != "DECL_REF_EXPR":
            return None
        found = self.reader.declarations.object(below[0].referenced)
        return memory.SizeOfVariable(found, self.type_of(cursor), self.unit.start(cursor))

    def text(self, cursor: Any) -> Steps[Any]:
        """Read a text: an array of characters."""
        spelling = str(cursor.spelling)
        if not spelling.startswith('"'):
            return self.refuse(cursor, "a text of wide characters is not read", "use plain characters")
        codes = tuple(characters(spelling[1:-1]))
        return nodes.Text(codes, Sequence(CHAR, len(codes) + 1), self.unit.start(cursor))  # type: ignore[arg-type]
        yield

    def name(self, cursor: Any) -> Steps[Any]:
        """Read the name of a variable, of a function, or of an enumeration constant."""
        declared = cursor.referenced
        if self.cursors.kind(declared) == "FUNCTION_DECL":
            return memory.FunctionName(self.reader.link.name(declared), self.type_of(declared), self.unit.start(cursor))
        found: Any = yield super().name(cursor)
        return found

    def literal(self, cursor: Any) -> Steps[Any]:
        """Read an object without a name."""
        initial: Any = yield self.reader.initials.read(self.cursors.below(cursor)[-1])
        return memory.Literal(initial, self.type_of(cursor), self.unit.start(cursor))

    def member(self, cursor: Any) -> Steps[Any]:
        """Read a field of a struct, or of what a pointer points to."""
        (base,) = self.cursors.below(cursor)
        while self.cursors.kind(base) == "MEMBER_REF_EXPR" and not str(base.spelling).isidentifier():
            (base,) = self.cursors.below(base)  # a member without a name
        at, name = self.unit.start(cursor), str(cursor.spelling)
        record: Any = yield self.read(base)
        if isinstance(record.type, Pointer):
            pointee = self._pointee(base)
            record = memory.Dereference(record, pointee, at)
        if not isinstance(record.type, Structure) and not isinstance(record, nodes.Refused):
            what = record.type.what if isinstance(record.type, Foreign) else "this field is not read"
            return self.refuse(cursor, what)
        return nodes.Field(record, name, self.type_of(cursor), at)

    def _pointee(self, cursor: Any) -> Any:
        type = self.cursors.library.clang_getCanonicalType(self.cursors.library.clang_getCursorType(cursor))
        return self.types.of_type(type.get_pointee().get_canonical())

    def subscript(self, cursor: Any) -> Steps[Any]:
        """Read an element: what a moved pointer points to; the pointer may stand on either side."""
        base, index = self.cursors.below(cursor)
        if isinstance(self.type_of(base), Integer | Boolean):
            base, index = index, base
        array: Any = yield self.read(base)
        number: Any = yield self.read(index)
        return nodes.Subscript(array, number, self.type_of(cursor), self.unit.start(cursor))

    def unary(self, cursor: Any) -> Steps[Any]:
        """Read a unary operator."""
        sign, at = self.cursors.sign(cursor), self.unit.start(cursor)
        if sign not in ("&", "*"):
            plain: Any = yield super().unary(cursor)
            return plain
        (part,) = self.cursors.below(cursor)
        operand: Any = yield self.read(part)
        type = self.type_of(cursor)
        if isinstance(operand, nodes.Refused):
            return nodes.Refused(type, at)
        if isinstance(operand, memory.FunctionName) or isinstance(operand.type, FunctionType):
            return operand
        if sign == "&":
            if isinstance(operand, memory.Volatile):
                operand = operand.operand
            if isinstance(operand, memory.Dereference):
                return operand.operand
            return memory.AddressOf(operand, type, at)
        if isinstance(type, FunctionType):
            return operand
        return memory.Dereference(operand, type, at)

    def converted(self, cursor: Any, operand: Any, type: Any) -> Any:
        """Return an operand converted to a type."""
        at = self.unit.start(cursor)
        if isinstance(operand, nodes.Refused):
            return nodes.Refused(type, at)
        if isinstance(operand, memory.FunctionName) and isinstance(type, Pointer | FunctionType):
            return operand
        if isinstance(type, Void):
            return nodes.Convert(operand, type, at)
        if isinstance(type, _VALUES) and (
            isinstance(operand.type, _VALUES) or isinstance(operand, memory.FunctionName)
        ):
            return nodes.Convert(operand, type, at)  # type: ignore[arg-type]
        if isinstance(type, Structure) and operand.type == type:
            return operand
        what = next((kind for kind in (type, operand.type) if isinstance(kind, Foreign)), None)
        if what is not None:
            return self.refuse(cursor, what.what, what.advice)
        return self.refuse(cursor, "this conversion is not read")

    def call(self, cursor: Any) -> Steps[Any]:
        """Read a call, by name or through a pointer."""
        parts, at = self.cursors.below(cursor), self.unit.start(cursor)
        if parts and self.called(parts[0]) is not None:
            plain: Any = yield super().call(cursor)
            return plain
        found: list[Any] = []
        for part in parts:
            found.append((yield self.read(part)))
        return memory.Invocation(found[0], tuple(found[1:]), self.type_of(cursor), at)

    def unexposed(self, cursor: Any) -> Steps[Any]:
        """Read what Clang's tree has no name for; among them the next of the arguments without names."""
        parts = self.cursors.below(cursor)
        if len(parts) == 1 and self._is_argument_list(parts[0]) and not self._is_argument_list(cursor):
            operand: Any = yield self.read(parts[0])
            return memory.NextArgument(operand, self.type_of(cursor), self.unit.start(cursor))
        found: Any = yield super().unexposed(cursor)
        return found

    def _is_argument_list(self, cursor: Any) -> bool:
        type = cursor.type.get_canonical()
        return "__va_list_tag" in str(type.spelling)

    def conversion(self, cursor: Any, part: Any, type: Any) -> Steps[Any]:
        """Read a conversion that C makes without a word."""
        operand: Any = yield self.read(part)
        if isinstance(operand, nodes.Refused):
            return nodes.Refused(type, self.unit.start(cursor))
        if isinstance(operand.type, Sequence) and isinstance(type, Pointer):
            return memory.Decay(operand, type, self.unit.start(cursor))
        if isinstance(operand.type, Sequence | Pointer) and isinstance(type, Sequence | FunctionType):
            return operand  # a parameter keeps the type that is written
        if isinstance(operand.type, Structure) and self.is_volatile(part):
            return self.refuse(cursor, "a volatile struct as a whole is not read", "read its fields")
        if isinstance(operand.type, FunctionType) or operand.type == type:
            return operand
        return self.converted(cursor, operand, type)


__all__ = ["MemoryExpressions", "MemoryTypes"]
