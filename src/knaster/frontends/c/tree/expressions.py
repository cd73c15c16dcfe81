"""Expressions as Clang read them, as nodes: operators, conversions and types are Clang's.

What Clang's tree does not name (`UNEXPOSED_EXPR`) is told by its parts: one part that is all of its text is a
conversion that C makes without a word; what else has a constant value, such as `offsetof`, is that value.
Recursion is by `Steps`, so nesting is bounded by memory alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.trampoline import Steps
from knaster.frontends.c.names.library import OBJECT_SIZES, SAME_AS
from knaster.frontends.c.names.types import (
    FLOAT,
    FUNCTION_POINTER,
    POINTER,
    Boolean,
    CType,
    Foreign,
    Integer,
    Record,
    Void,
)
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.characters import characters

if TYPE_CHECKING:
    from knaster.frontends.c.tree.unit import Reader

_ARRAYS = frozenset(("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY"))
_PLAIN = "write it in plain C"
_DECAY = "an array without an index is a pointer"


class Expressions:
    """The expressions of one file."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.unit = reader.unit
        self.cursors = reader.unit.cursors
        self.types = reader.types
        self._ways = {
            "PAREN_EXPR": self.inner,
            "GENERIC_SELECTION_EXPR": self.selection,
            "UNEXPOSED_EXPR": self.unexposed,
            "DECL_REF_EXPR": self.name,
            "MEMBER_REF_EXPR": self.member,
            "ARRAY_SUBSCRIPT_EXPR": self.subscript,
            "BINARY_OPERATOR": self.binary,
            "COMPOUND_ASSIGNMENT_OPERATOR": self.binary,
            "UNARY_OPERATOR": self.unary,
            "CONDITIONAL_OPERATOR": self.conditional,
            "CSTYLE_CAST_EXPR": self.cast,
            "CALL_EXPR": self.call,
            "StmtExpr": self.block,
            "INTEGER_LITERAL": self.number,
            "CHARACTER_LITERAL": self.number,
            "CXX_UNARY_EXPR": self.number,
            "CXX_BOOL_LITERAL_EXPR": self.number,
            "STRING_LITERAL": self.text,
            "FLOATING_LITERAL": self.floating,
            "IMAGINARY_LITERAL": self.floating,
        }

    @property
    def known_kinds(self) -> frozenset[str]:
        """The kinds of cursors that are read."""
        return frozenset(self._ways)

    def read(self, cursor: Any) -> Steps[nodes.Expr]:
        """Return the node of an expression; one that is not known is refused."""
        kind = self.cursors.kind(cursor)
        way = self._ways.get(kind)
        if way is None:
            return self.refuse(cursor, f"this expression is not read ({_words(kind)})")
        found: nodes.Expr = yield way(cursor)
        return found

    def refuse(self, cursor: Any, what: str, advice: str = _PLAIN) -> nodes.Refused:
        """Note that something is not read."""
        at = self.unit.start(cursor)
        self.reader.problem(what, at, advice)
        return nodes.Refused(self.types.of_cursor(cursor), at)

    def inner(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read what stands in brackets."""
        (part,) = self.cursors.below(cursor)
        found: nodes.Expr = yield self.read(part)
        return found

    def selection(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read the part of a `_Generic` that is chosen."""
        parts = self.reader.selections.below(cursor)
        if len(parts) != 1:
            return self.refuse(cursor, "which part of '_Generic' is chosen cannot be told")
        found: nodes.Expr = yield self.read(parts[0])
        return found

    def number(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read a constant: a literal, or a size."""
        value, type = self.cursors.constant(cursor), self.types.of_cursor(cursor)
        if value is None or not isinstance(type, Integer | Boolean):
            return self.refuse(cursor, "this is no constant that is read")
        return nodes.Number(value, type, self.unit.start(cursor))
        yield

    def text(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read a text; one of wide characters is not read."""
        spelling = str(cursor.spelling)
        if not spelling.startswith('"'):
            return self.refuse(cursor, "a text of wide characters is not read", "use plain characters")
        return nodes.Text(tuple(characters(spelling[1:-1])), POINTER, self.unit.start(cursor))
        yield

    def floating(self, cursor: Any) -> Steps[nodes.Expr]:
        """Refuse a number with a point."""
        return self.refuse(cursor, FLOAT.what, FLOAT.advice)
        yield

    def name(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read the name of a variable or of an enumeration constant."""
        declared, at = cursor.referenced, self.unit.start(cursor)
        kind = self.cursors.kind(declared)
        if kind == "ENUM_CONSTANT_DECL":
            return nodes.Number(declared.enum_value, self.types.of_cursor(cursor), at)
        if kind in ("VAR_DECL", "PARM_DECL"):
            found = self.reader.declarations.object(declared)
            return nodes.Name(found, found.type, at)
        if kind == "FUNCTION_DECL":
            what = f"the function '{cursor.spelling}' is used without being called"
            return self.refuse(cursor, what, FUNCTION_POINTER.advice)
        return self.refuse(cursor, f"'{cursor.spelling}' is not read here ({_words(kind)})")
        yield

    def member(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read a field."""
        (base,) = self.cursors.below(cursor)
        at = self.unit.start(cursor)
        record: nodes.Expr = yield self.read(base)
        if record.type is POINTER and not isinstance(record, nodes.Refused | nodes.Name):
            return self.refuse(cursor, POINTER.what, POINTER.advice)
        return nodes.Field(record, str(cursor.spelling), self.types.of_cursor(cursor), at)

    def subscript(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read an element; the array may stand on either side."""
        base, index = self.cursors.below(cursor)
        if isinstance(self.types.of_cursor(base), Integer):
            base, index = index, base
        array: nodes.Expr = yield self.read(self.array_of(base) or base)
        number: nodes.Expr = yield self.read(index)
        return nodes.Subscript(array, number, self.types.of_cursor(cursor), self.unit.start(cursor))

    def array_of(self, cursor: Any) -> Any:
        """Return the array that becomes a pointer here; None where none does."""
        while self.cursors.kind(cursor) == "PAREN_EXPR":
            (cursor,) = self.cursors.below(cursor)
        if self.cursors.kind(cursor) != "UNEXPOSED_EXPR":
            return None
        below = self.cursors.below(cursor)
        return below[0] if len(below) == 1 and self._is_array(below[0]) else None

    def _is_array(self, cursor: Any) -> bool:
        type = self.cursors.library.clang_getCanonicalType(self.cursors.library.clang_getCursorType(cursor))
        return self.cursors.type_kinds.get(type._kind_id, "") in _ARRAYS

    def binary(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read a binary operator or an assignment."""
        op, at = self.cursors.operator(cursor), self.unit.start(cursor)
        parts = self.cursors.below(cursor)
        type = self.types.of_cursor(cursor)
        if not op or len(parts) != 2:
            return self.refuse(cursor, "this operator is not read")
        left: nodes.Expr = yield self.read(parts[0])
        right: nodes.Expr = yield self.read(parts[1])
        if op == "=" or (op.endswith("=") and op not in ("==", "!=", "<=", ">=")):
            return nodes.Assign(op, left, right, type, at)
        return nodes.Binary(op, left, right, type, at)

    def unary(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read a unary operator."""
        sign, at = self.cursors.sign(cursor), self.unit.start(cursor)
        (part,) = self.cursors.below(cursor)
        type = self.types.of_cursor(cursor)
        if sign == "&":
            return self.refuse(cursor, "the address of a variable is a pointer", POINTER.advice)
        operand: nodes.Expr = yield self.read(part)
        match sign:
            case "-" | "+" | "~" | "!":
                return nodes.Unary(sign, operand, type, at)
            case "++" | "--" | "p++" | "p--":
                return nodes.Step(sign[-1] * 2, operand, sign[0] == "p", operand.type, at)
            case "__extension__":
                return operand
            case "*":
                return self.refuse(cursor, POINTER.what, POINTER.advice)
            case _:
                return self.refuse(cursor, f"the operator '{sign}' is not read")

    def conditional(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read `?:`."""
        condition, then, otherwise = self.cursors.below(cursor)
        first: nodes.Expr = yield self.read(condition)
        second: nodes.Expr = yield self.read(then)
        third: nodes.Expr = yield self.read(otherwise)
        return nodes.Conditional(first, second, third, self.types.of_cursor(cursor), self.unit.start(cursor))

    def cast(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read a conversion that the text asks for."""
        operand: nodes.Expr = yield self.read(self.cursors.below(cursor)[-1])
        return self.converted(cursor, operand, self.types.of_cursor(cursor))

    def converted(self, cursor: Any, operand: nodes.Expr, type: CType) -> nodes.Expr:
        """Return an operand converted to a type."""
        at = self.unit.start(cursor)
        if isinstance(operand, nodes.Refused):
            return nodes.Refused(type, at)
        if type is POINTER and isinstance(operand, nodes.Number) and operand.value == 0:
            return nodes.Refused(type, at)  # beside another pointer, or `lower` says it
        if isinstance(type, Foreign) and not isinstance(operand.type, Foreign):
            return self.refuse(cursor, type.what, type.advice)
        scalar = isinstance(type, Integer | Boolean) and isinstance(operand.type, Integer | Boolean | Foreign)
        if scalar or isinstance(type, Void) or isinstance(operand.type, Foreign):
            return nodes.Convert(operand, type, at)
        return self.refuse(cursor, "a value can only be converted to an integer type")

    def call(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read a call of a function by its name."""
        parts, at = self.cursors.below(cursor), self.unit.start(cursor)
        called = self.called(parts[0]) if parts else None
        if called is not None and str(called.spelling) == "__builtin_constant_p":
            return nodes.Number(int(self.is_constant(parts[1])), self.types.of_cursor(cursor), at)
        known = self.cursors.constant(cursor) if called is not None and called.spelling in OBJECT_SIZES else None
        if known is not None:
            return nodes.Number(known, self.types.of_cursor(cursor), at)
        arguments: list[nodes.Expr] = []
        for part in parts[1:]:
            arguments.append((yield self.read(part)))
        if called is None:
            return self.refuse(cursor, FUNCTION_POINTER.what, FUNCTION_POINTER.advice)
        name = self.reader.link.name(called)
        for word in self.reader.strange.get(name, ()):
            self.reader.problem(f"the attribute '{word}' of '{name}' is not read", at, "write the program without it")
        ours = name in SAME_AS or self.unit.is_ours(called)
        return nodes.Call(SAME_AS.get(name, name), tuple(arguments), self.types.of_cursor(cursor), at, ours)

    def is_constant(self, cursor: Any) -> bool:
        """Tell whether a value is known where it stands: a constant without variables."""
        todo = [cursor]
        while todo:
            part = todo.pop()
            kind = self.cursors.kind(part)
            if kind == "DECL_REF_EXPR" and self.cursors.kind(part.referenced) != "ENUM_CONSTANT_DECL":
                return False  # as gcc says that does not optimise
            todo += self.reader.selections.below(part) if kind != "CXX_UNARY_EXPR" else []
        return self.cursors.constant(cursor) is not None

    def called(self, cursor: Any) -> Any:
        """Return the function that is called; None where it is not called by its name."""
        cursor = self.reader.selections.unwrapped(cursor)
        if self.cursors.kind(cursor) != "DECL_REF_EXPR":
            return None
        found = cursor.referenced
        return found if self.cursors.kind(found) == "FUNCTION_DECL" else None

    def block(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read a statement that has a value."""
        (body,) = self.cursors.below(cursor)
        found = yield self.reader.statements.read(body)
        return nodes.Block(found, self.types.of_cursor(cursor), self.unit.start(cursor))

    def unexposed(self, cursor: Any) -> Steps[nodes.Expr]:
        """Read what Clang's tree has no name for: a conversion, `a ?: b`, or a constant that the compiler knows."""
        parts, type = self.cursors.below(cursor), self.types.of_cursor(cursor)
        expressions = [part for part in parts if self.reader.is_expression(part)]
        if len(parts) == len(expressions) == 1 and self.cursors.extent(parts[0]) == self.cursors.extent(cursor):
            found: nodes.Expr = yield self.conversion(cursor, parts[0], type)
            return found
        if len(parts) == len(expressions) == 4 and len({self.cursors.start(part) for part in parts[:3]}) == 1:
            value: nodes.Expr = yield self.read(parts[0])
            otherwise: nodes.Expr = yield self.read(parts[3])
            return nodes.Elvis(value, otherwise, type, self.unit.start(cursor))
        if isinstance(type, Integer) and type.width <= 64 and self.cursors.constant(cursor) is not None:
            found = yield self.number(cursor)
            return found
        return self.refuse(cursor, "this expression is not read")

    def conversion(self, cursor: Any, part: Any, type: CType) -> Steps[nodes.Expr]:
        """Read a conversion that C makes without a word."""
        if self._is_array(part) and type is POINTER:
            found: nodes.Expr = yield self.read(part)
            if isinstance(found, nodes.Text | nodes.Refused) or isinstance(found.type, Foreign):
                return found
            return self.refuse(cursor, _DECAY, POINTER.advice)
        operand: nodes.Expr = yield self.read(part)
        same = operand.type == type and isinstance(type, Integer | Boolean | Record)
        if same or type is operand.type or isinstance(operand, nodes.Text):
            return operand
        return self.converted(cursor, operand, type)


def _words(kind: str) -> str:
    return kind.lower().replace("_", " ")
