"""From Clang's types to ours: sizes, signs and lengths are Clang's, for the data model that it was given."""

from __future__ import annotations

from itertools import islice
from math import prod
from typing import Any

from knaster.frontends.c.clang.cursors import Cursors
from knaster.frontends.c.linkage.link import Link
from knaster.frontends.c.names.types import (
    BIT_FIELD,
    FLOAT,
    FUNCTION_POINTER,
    INCOMPLETE,
    POINTER,
    UNION,
    VARIABLE_LENGTH,
    VOLATILE,
    Boolean,
    CType,
    Foreign,
    Function,
    Integer,
    Record,
    Vector,
    Void,
    leaves,
)

MOST_ELEMENTS = 1_000_000
MOST_PARTS = 10_000  # of a struct, those of inner structs counted
_SIGNED = frozenset(("CHAR_S", "SCHAR", "SHORT", "INT", "LONG", "LONGLONG", "INT128"))
_UNSIGNED = frozenset(("CHAR_U", "UCHAR", "USHORT", "UINT", "ULONG", "ULONGLONG", "UINT128"))
_FLOATS = frozenset(("FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT128", "HALF", "FLOAT16", "IBM128", "BFLOAT16", "COMPLEX"))
_FUNCTIONS = frozenset(("FUNCTIONPROTO", "FUNCTIONNOPROTO"))
_ANONYMOUS = Foreign("a struct without a name inside another is not read", "give the field a name")
_NO_LENGTH = Foreign("the length of this array is not said", "give it a constant length")


def vector_of(element: CType, length: int) -> CType:
    """Return an array type; one with too many elements, those of inner arrays and fields counted, is not read."""
    size = max([length, *(length * prod(max(1, other) for other in leaf.lengths) for leaf in leaves(element))])
    if not 0 < length <= MOST_ELEMENTS or size > MOST_ELEMENTS:
        return Foreign(f"an array of {size} elements is not read", f"use 1 to {MOST_ELEMENTS:,} elements")
    return Vector(element, length)


def array_type(element: CType, length: int) -> CType:
    """Return the type of an array of elements of any type."""
    if isinstance(element, Foreign):
        return element
    return FUNCTION_POINTER if isinstance(element, Function | Void) else vector_of(element, length)


class Types:
    """The types of one file."""

    def __init__(self, cursors: Cursors, link: Link, plain: bool) -> None:
        self.cursors = cursors
        self.link = link
        self.plain = plain  # what is volatile is like anything else
        self.library = cursors.library
        self._types: dict[int, CType] = {}  # by Clang's own address of a type
        self._records: dict[int, CType] = {}  # by the declaration

    def of_cursor(self, cursor: Any) -> CType:
        """Return the type of an expression or of what is declared."""
        return self.of_type(self.library.clang_getCursorType(cursor))

    def of_type(self, type: Any) -> CType:
        """Return the type that one of Clang's is."""
        address = type.data[0]
        found = self._types.get(address)
        if found is None:
            found = self._types[address] = self._read(self.library.clang_getCanonicalType(type))
        return found

    def _read(self, type: Any) -> CType:
        kind = self.cursors.type_kinds.get(type._kind_id, "")
        if not self.plain and type.is_volatile_qualified():
            return VOLATILE
        if kind in _SIGNED or kind in _UNSIGNED:
            return Integer(8 * type.get_size(), kind in _SIGNED)
        if kind == "BOOL":
            return Boolean()
        if kind == "ENUM":
            declaration = type.get_declaration()
            return self.of_type(declaration.enum_type) if type.get_size() > 0 else INCOMPLETE
        if kind == "VOID":
            return Void()
        if kind == "RECORD":
            return self._record(type)
        if kind == "CONSTANTARRAY":
            return array_type(self.of_type(type.element_type), type.element_count)
        if kind == "INCOMPLETEARRAY":
            element = self.of_type(type.element_type)
            return element if isinstance(element, Foreign) else _NO_LENGTH
        if kind == "VARIABLEARRAY":
            return VARIABLE_LENGTH
        if kind == "POINTER":
            pointee = self.cursors.type_kinds.get(type.get_pointee().get_canonical()._kind_id, "")
            return FUNCTION_POINTER if pointee in _FUNCTIONS else POINTER
        if kind in _FUNCTIONS:
            return self._function(type, kind)
        if kind in _FLOATS:
            return FLOAT
        return Foreign(f"the type '{type.spelling}' is not read", "use integers, arrays and structs")

    def _function(self, type: Any, kind: str) -> CType:
        result = self.of_type(type.get_result())
        if kind == "FUNCTIONNOPROTO" or type.is_function_variadic():
            return Function(result, None)
        return Function(result, tuple(self.of_type(argument) for argument in type.argument_types()))

    def _record(self, type: Any) -> CType:
        """Return a struct; what is not read in it makes all of it unread."""
        declaration = type.get_declaration()
        number = declaration.hash
        if number not in self._records:
            if type.get_size() < 0:
                return INCOMPLETE
            self._records[number] = self._fields(declaration, len(self._records) + 1)
        return self._records[number]

    def _fields(self, declaration: Any, number: int) -> CType:
        if self.cursors.kind(declaration) != "STRUCT_DECL":
            return UNION
        fields: list[tuple[str, CType]] = []
        refused: Foreign | None = None
        for field in declaration.type.get_fields():
            type = self.of_type(field.type)
            if type is _NO_LENGTH:  # a flexible one: a struct has none of its elements
                type = Vector(self.of_type(field.type.get_canonical().element_type), 0)
            if field.is_bitfield():
                type = BIT_FIELD
            elif not str(field.spelling).isidentifier():  # Clang gives it a text with its place
                type = _ANONYMOUS
            if isinstance(type, Foreign | Function | Void):
                refused = refused or (type if isinstance(type, Foreign) else FUNCTION_POINTER)
            fields.append((field.spelling, type))
        if refused is not None:
            return Foreign(refused.what, refused.advice)
        record = Record(self.link.tag(str(declaration.spelling), number, tuple(fields)), tuple(fields))
        if len(list(islice(leaves(record), MOST_PARTS + 1))) > MOST_PARTS:
            return Foreign(f"a struct of more than {MOST_PARTS:,} parts is not read", "use an array")
        return record
