"""Expressions of a file with pointers, as Clang read them: addresses, what pointers point to, calls through them."""

from __future__ import annotations

from typing import Any

from knaster.base.records import replace
from knaster.base.trampoline import Steps
from knaster.frontends.c.memory import nodes as memory
from knaster.frontends.c.memory.lengths import read_lengths
from knaster.frontends.c.memory.offsets import read_offset
from knaster.frontends.c.memory.types import (
    FunctionType,
    MemoryTypes,
    Pointer,
    Sequence,
    Structure,
    is_named,
    is_variable,
)
from knaster.frontends.c.names.types import CHAR, INT, VARIABLE_LENGTH, Boolean, Foreign, Integer, Void
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.characters import characters, wide_characters
from knaster.frontends.c.tree.expressions import Expressions
from knaster.program.memory import Floating

_VALUES = Integer | Boolean | Pointer | Floating
_PLACES = nodes.Name | nodes.Subscript | nodes.Field | memory.Dereference
_MOVES = nodes.Subscript | nodes.Binary | nodes.Step | nodes.Assign
_FLOAT = 2  # the kind of a result of an evaluation


class MemoryExpressions(Expressions):
    """The expressions of one file."""

    def __init__(self, reader: Any) -> None:
        super().__init__(reader)
        self.memory_reader = reader
        self._ways["COMPOUND_LITERAL_EXPR"] = self.literal
        self._ways["FLOATING_LITERAL"] = self.floating
        self._ways["CXX_NULL_PTR_LITERAL_EXPR"] = self.null
        self._ways["ADDR_LABEL_EXPR"] = self.label

    def read(self, cursor: Any) -> Steps[Any]:
        """Return the node of an expression; a volatile scalar is marked."""
        found: Any = yield super().read(cursor)
        if isinstance(found, _MOVES) and not all(map(self.is_measured, memory.parts(found))):
            return self.refuse(cursor, VARIABLE_LENGTH.what, VARIABLE_LENGTH.advice)
        if isinstance(found, nodes.Binary) and found.op in ("+", "-") and _has_label(found):
            return self.refuse(cursor, "arithmetic with labels is not read")
        if isinstance(found, _PLACES) and isinstance(found.type, _VALUES) and self.is_volatile(cursor):
            return memory.Volatile(found, found.type, found.at)
        return found

    def is_measured(self, node: Any) -> bool:
        """Tell whether it is known how far an element of a pointer is from the next one."""
        return not isinstance(node.type, Pointer) or self.memory_reader.is_measured(node.type.variable)

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
            found: Any = yield self._size_of_variable(cursor)
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
            what = type if isinstance(type, Foreign) else Foreign("this number is not read", "write it in plain C")
            return self.refuse(cursor, what.what, what.advice)
        value = float(library.clang_EvalResult_getAsDouble(result))
        library.clang_EvalResult_dispose(result)
        return nodes.Number(value, type, self.unit.start(cursor))  # type: ignore[arg-type]
        yield

    def _size_of_variable(self, cursor: Any) -> Steps[Any]:
        below = self.cursors.below(cursor)
        array = self.type_of(below[0]) if len(below) == 1 else None
        if not is_variable(array) or not self.memory_reader.is_measured(array):
            return None
        if self.reader.is_expression(below[0]):  # and else it is a typedef
            operand: Any = yield self.read(below[0])
            if memory.has_effect(operand):
                return None
        return memory.SizeOfVariable(array, self.type_of(cursor), self.unit.start(cursor))

    def text(self, cursor: Any) -> Steps[Any]:
        """Read a text: an array of characters, which may be wide."""
        prefix, body = str(cursor.spelling)[:-1].split('"', 1)
        type: Any = self.type_of(cursor)
        element = CHAR if prefix in ("", "u8") else type.element
        wide = element.width // 8
        codes = tuple(characters(body) if wide == 1 else wide_characters(body, wide))
        return nodes.Text(codes, Sequence(element, len(codes) + 1), self.unit.start(cursor), wide)  # type: ignore[arg-type]
        yield

    def name(self, cursor: Any) -> Steps[Any]:
        """Read the name of a variable, of a function, or of an enumeration constant."""
        declared = cursor.referenced
        if self.cursors.kind(declared) == "FUNCTION_DECL":
            return memory.FunctionName(self.reader.link.name(declared), self.type_of(declared), self.unit.start(cursor))
        found: Any = yield super().name(cursor)
        return found

    def label(self, cursor: Any) -> Steps[Any]:
        """Read the address of a label."""
        (label,) = self.cursors.below(cursor)
        name = self.reader.statements.label_name(label.referenced)
        return memory.LabelAddress(name, self.reader.statements.function, self.type_of(cursor), self.unit.start(cursor))
        yield

    def literal(self, cursor: Any) -> Steps[Any]:
        """Read an object without a name."""
        initial: Any = yield self.reader.initials.read(self.cursors.below(cursor)[-1])
        return memory.Literal(initial, self.type_of(cursor), self.unit.start(cursor))

    def member(self, cursor: Any) -> Steps[Any]:
        """Read a field of a struct, or of what a pointer points to."""
        (base,) = self.cursors.below(cursor)
        while self.cursors.kind(base) == "MEMBER_REF_EXPR" and not is_named(base):
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

    def cast(self, cursor: Any) -> Steps[Any]:
        """Read a conversion that the text asks for; the lengths of its type are computed before it."""
        type: Any = self.type_of(cursor)
        if not isinstance(type, Pointer) or type.variable is None:
            plain: Any = yield super().cast(cursor)
            return plain
        lengths = yield read_lengths(self.reader, cursor, cursor.type, 1)
        found: Any = yield super().cast(cursor)
        return memory.Measured(tuple(lengths), found, type, self.unit.start(cursor))

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
        if isinstance(type, FunctionType) and isinstance(operand, nodes.Number):  # a parameter as it is written
            return nodes.Convert(operand, Pointer(1, self.memory_reader.types.pointer, type.form), at)  # type: ignore[arg-type]
        if isinstance(type, Structure) and operand.type == type:
            return operand
        if isinstance(type, Structure) and type.union:  # a cast to a union, of GNU: one of its members
            member = next((member for member in type.members if member.name and member.type == operand.type), None)
            if member is not None:
                item = nodes.Item((member.name,), operand, at)
                return memory.Literal(nodes.Braces((item,), at), type, at)
        what = next((kind for kind in (type, operand.type) if isinstance(kind, Foreign)), None)
        if what is not None:
            return self.refuse(cursor, what.what, what.advice)
        return self.refuse(cursor, "this conversion is not read")

    def call(self, cursor: Any) -> Steps[Any]:
        """Read a call, by name or through a pointer."""
        parts, at = self.cursors.below(cursor), self.unit.start(cursor)
        if parts and self.called(parts[0]) is not None:
            plain: Any = yield super().call(cursor)
            promoted = isinstance(plain, nodes.Call) and plain.name.endswith("_overflow_p")  # nobody declares it
            if promoted and len(parts) == 4:
                like = nodes.Number(0, self.type_of(self.unpromoted(parts[3])), at)
                return replace(plain, arguments=(*plain.arguments[:2], like))
            return plain
        found: list[Any] = []
        for part in parts:
            found.append((yield self.read(part)))
        return memory.Invocation(found[0], tuple(found[1:]), self.type_of(cursor), at)

    def unpromoted(self, cursor: Any) -> Any:
        """Return an operand before the conversions that nobody writes."""
        return self.reader.selections.unwrapped(cursor)

    def unexposed(self, cursor: Any) -> Steps[Any]:
        """Read what Clang's tree has no name for; among them the next of the arguments without names."""
        parts = self.cursors.below(cursor)
        inside = [
            part for part in parts if self.cursors.kind(part) != "TYPE_REF"
        ]  # the name of the type, if it has one; what `typeof` names stands behind the list
        lists = inside and self.reader.is_expression(inside[0]) and self._is_argument_list(inside[0])
        if lists and not self._is_argument_list(cursor):
            operand: Any = yield self.read(inside[0])
            return memory.NextArgument(operand, self.type_of(cursor), self.unit.start(cursor))
        if any(self.cursors.kind(part) == "MEMBER_REF" for part in parts):
            offset: Any = yield read_offset(self, cursor, parts)
            return offset
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


def _has_label(node: nodes.Binary) -> bool:
    parts: list[Any] = [node.left, node.right]
    for number, part in enumerate(parts):
        while isinstance(part, nodes.Convert):
            part = parts[number] = part.operand
    return any(isinstance(part, memory.LabelAddress) for part in parts)


__all__ = ["MemoryExpressions", "MemoryTypes"]
