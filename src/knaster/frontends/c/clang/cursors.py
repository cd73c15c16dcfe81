"""Cursors of libclang: what stands below one, its operators, its constants, and the text of its attributes.

A cursor is told by what C says of it, and asked through plain functions of the library, because the Python classes make
several objects for each question.  An error inside a callback is lost in ctypes; here it is raised again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref, c_size_t, c_uint, c_void_p, py_object, string_at
from functools import cache
from typing import Any

from knaster.base.errors import InternalError
from knaster.frontends.c.clang.library import load_library

Cursor = Any  # of clang.cindex
_NOTHING = py_object(None)
_INTEGER = 1  # the kind of a result of an evaluation
OPERATORS = ["", "", "", "*", "/", "%", "+", "-", "<<", ">>", "", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|"]
OPERATORS += ["&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ","]
SIGNS = ["", "p++", "p--", "++", "--", "&", "*", "+", "-", "~", "!", "__real", "__imag", "__extension__"]


class Cursors:
    """The cursors of one translation unit."""

    def __init__(self, unit: Any) -> None:
        cindex = load_library()
        self.library = cindex.conf.lib
        self.unit = unit
        self.kinds, self.type_kinds = names_of(cindex.CursorKind), names_of(cindex.TypeKind)
        self.errors: list[BaseException] = []
        self._below: list[Cursor] = []
        self._visit = cindex.callbacks["cursor_visit"](self._collect)
        self._place = c_void_p(), c_uint(), c_uint(), c_uint()
        self._fields = tuple(map(byref, self._place))

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Raise again what ctypes would swallow: an alarm or Ctrl-C inside a callback would leave a part out."""
        before = sys.unraisablehook

        def keep(caught: Any) -> None:
            self.errors.append(caught.exc_value or InternalError("a callback of libclang failed"))

        sys.unraisablehook = keep
        try:
            yield
        finally:
            sys.unraisablehook = before

    def _collect(self, child: Cursor, parent: Cursor, data: Any) -> int:
        child._tu = self.unit
        self._below.append(child)
        return 1

    def below(self, cursor: Cursor) -> list[Cursor]:
        """Return the cursors directly below one."""
        found = self._below = []
        self.library.clang_visitChildren(cursor, self._visit, _NOTHING)
        self.check()
        return found

    def check(self) -> None:
        """Raise what was caught in a callback."""
        if self.errors:
            raise self.errors[0]

    def kind(self, cursor: Cursor) -> str:
        """Return the name of what a cursor is."""
        return self.kinds.get(cursor._kind_id, f"a node of kind {cursor._kind_id}")

    def operator(self, cursor: Cursor) -> str:
        """Return the sign of a binary operator; empty where it is none of C."""
        number = self.library.clang_getCursorBinaryOperatorKind(cursor)
        return OPERATORS[number] if 0 <= number < len(OPERATORS) else ""

    def sign(self, cursor: Cursor) -> str:
        """Return the sign of a unary operator; empty where it is none of C."""
        number = self.library.clang_getCursorUnaryOperatorKind(cursor)
        return SIGNS[number] if 0 <= number < len(SIGNS) else ""

    def initializer(self, cursor: Cursor) -> Cursor | None:
        """Return the initial value of a variable; None where there is none."""
        found = self.library.clang_Cursor_getVarDeclInitializer(cursor)
        if self.library.clang_Cursor_isNull(found):
            return None
        found._tu = self.unit
        return found

    def constant(self, cursor: Cursor) -> int | None:
        """Return the value of a constant expression of at most 64 bits; None where it is none."""
        result = self.library.clang_Cursor_Evaluate(cursor)
        if not result:
            return None
        try:
            if self.library.clang_EvalResult_getKind(result) != _INTEGER:
                return None
            if self.library.clang_EvalResult_isUnsignedInt(result):
                return int(self.library.clang_EvalResult_getAsUnsigned(result))
            return int(self.library.clang_EvalResult_getAsLongLong(result))
        finally:
            self.library.clang_EvalResult_dispose(result)

    def printed(self, cursor: Cursor) -> str:
        """Return the text of a declaration, its macros expanded."""
        return str(self.library.clang_getCursorPrettyPrinted(cursor, None))

    def start(self, cursor: Cursor) -> tuple[int | None, int, int, int]:
        """Return file, line, column in bytes and offset of where a cursor begins: of the use where a macro is used."""
        extent = self.library.clang_getCursorExtent(cursor)
        return self._locate(self.library.clang_getExpansionLocation, self.library.clang_getRangeStart(extent))

    def extent(self, cursor: Cursor) -> tuple[int, int]:
        """Return numbers of where a cursor begins and ends: equal ones where two cursors have the same text."""
        found = self.library.clang_getCursorExtent(cursor)
        return found.begin_int_data, found.end_int_data

    def where(self, cursor: Cursor) -> tuple[int | None, int, int, int]:
        """Return where the name of what a cursor declares stands."""
        return self._locate(self.library.clang_getExpansionLocation, self.library.clang_getCursorLocation(cursor))

    def _locate(self, ask: Any, location: Any) -> tuple[int | None, int, int, int]:
        ask(location, *self._fields)
        file, line, column, offset = self._place
        return file.value, line.value, column.value, offset.value

    def is_macro(self, cursor: Cursor) -> bool:
        """Tell whether a cursor begins inside a macro: Clang marks such places with the highest bit."""
        return bool(self.library.clang_getCursorExtent(cursor).begin_int_data >> 31)

    def text(self, cursor: Cursor) -> str:
        """Return the text of a cursor where it is written; where a macro has it, the use of the macro."""
        extent = self.library.clang_getCursorExtent(cursor)
        expanded = self.library.clang_getExpansionLocation
        file, *_, first = self._locate(expanded, self.library.clang_getRangeStart(extent))
        other, *_, last = self._locate(expanded, self.library.clang_getRangeEnd(extent))
        if not file:  # nowhere: Clang made it up
            return ""
        size = c_size_t()
        contents = self.library.clang_getFileContents(self.unit, file, byref(size))
        if not contents or file != other or not first <= last <= size.value:
            return ""
        return string_at(contents + first, last - first).decode("utf-8", "replace")


@cache
def names_of(kinds: Any) -> dict[int, str]:
    """Return the names of all kinds of cursors or types by their numbers."""
    return {kind.value: name for name, kind in vars(kinds).items() if isinstance(kind, kinds)}


@cache
def expression_kinds() -> frozenset[int]:
    """Return the numbers of those kinds of cursors that are expressions."""
    return frozenset(kind.value for kind in load_library().CursorKind.get_all_kinds() if kind.is_expression())
