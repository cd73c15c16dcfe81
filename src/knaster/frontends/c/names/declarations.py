"""From pycparser's declarations to types of C."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count, islice
from math import prod
from typing import Any

from pycparser import c_ast as syntax

from knaster.base.errors import Problem
from knaster.frontends.c.names.scope import Enumerator, Scopes, TypeName, Variable, clash
from knaster.frontends.c.names.types import (
    BIT_FIELD,
    FLOAT,
    FUNCTION_POINTER,
    INCOMPLETE,
    INT,
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
from knaster.frontends.c.text.headers import LONG
from knaster.frontends.c.text.parse import Text
from knaster.program.types import Int

MOST_ELEMENTS = 1_000_000
MOST_PARTS = 10_000  # of a struct, those of inner structs counted


def vector_of(element: CType, length: int) -> CType:
    """Return an array type; one with too many elements, those of inner arrays and fields counted, is not read."""
    size = max([length, *(length * prod(max(1, other) for other in leaf.lengths) for leaf in leaves(element))])
    if not 0 < length <= MOST_ELEMENTS or size > MOST_ELEMENTS:
        return Foreign(f"an array of {size} elements is not read", f"use 1 to {MOST_ELEMENTS:,} elements")
    return Vector(element, length)


class Declarations:
    """Reads types; `constant` gives the value of a constant expression, None where it is none.

    `is_changed` tells whether a variable of a name is ever assigned.
    """

    def __init__(
        self,
        scopes: Scopes,
        text: Text,
        data_model: str,
        problems: list[Problem],
        constant: Callable[[Any], int | None],
        is_changed: Callable[[str], bool],
    ) -> None:
        self.scopes = scopes
        self.text = text
        self.long = LONG[data_model]
        self.problems = problems
        self.constant = constant
        self.is_changed = is_changed
        self._tags = count(1)
        self._known: dict[int, CType] = {}  # structs and enums by node: several declarators share one

    def type_of(self, node: Any) -> CType:
        """Return the type that a node of the syntax tree stands for."""
        around: list[Any] = []  # arrays around the rest, outermost first
        while True:
            match node:
                case syntax.TypeDecl() if "volatile" in node.quals:
                    return VOLATILE
                case syntax.TypeDecl() | syntax.Typename() | syntax.Decl() | syntax.Typedef():
                    node = node.type
                case syntax.ArrayDecl():
                    around.append(node)
                    node = node.type
                case syntax.PtrDecl():
                    pointee = node.type
                    return FUNCTION_POINTER if isinstance(pointee, syntax.FuncDecl) else POINTER
                case syntax.FuncDecl():
                    return self.function(node)
                case _:
                    break
        found = self.base(node)
        for array in reversed(around):
            found = self.array(array, found)
        return found

    def base(self, node: Any) -> CType:
        """Return the type of specifiers."""
        match node:
            case syntax.IdentifierType():
                return self.type_of_words(node.names)
            case syntax.Struct():
                return self.struct(node)
            case syntax.Union():
                return UNION
            case syntax.Enum():
                self.enum(node)
                return INT
            case _:
                return Foreign("this type is not read", "use integers, arrays and structs")

    def type_of_words(self, names: Sequence[str]) -> CType:
        """Return the type of a list of words such as `unsigned long`, or of a typedef."""
        words = [name for name in names if name not in ("const", "volatile")]
        if len(words) == 1 and isinstance(symbol := self.scopes.find(words[0]), TypeName):
            return symbol.type
        known = {"void", "char", "short", "int", "long", "signed", "unsigned", "_Bool"}
        if not set(words) <= known:
            if {"float", "double", "_Complex"} & set(words):
                return FLOAT
            return Foreign(f"the type '{' '.join(words)}' is not known", "declare it with typedef")
        if "void" in words:
            return Void()
        if "_Bool" in words:
            return Boolean()
        signed = "unsigned" not in words
        if "char" in words:
            return Integer(8, signed)
        if "short" in words:
            return Integer(16, signed)
        longs = words.count("long")
        return Integer(64 if longs > 1 else self.long if longs else 32, signed)

    def struct(self, node: Any) -> CType:
        """Return a struct; its fields may come later in the file."""
        if id(node) in self._known:
            return self._known[id(node)]
        if node.decls is None:
            return self.scopes.find_tag(f"struct {node.name}") or INCOMPLETE
        fields: list[tuple[str, CType]] = []
        found: CType | None = None
        for declaration in node.decls:
            if isinstance(declaration, syntax.Pragma | syntax.StaticAssert):
                continue
            if declaration.bitsize is not None:
                found = BIT_FIELD
                continue
            type = self.type_of(declaration.type)
            if isinstance(type, Foreign | Function | Void):
                found = found or (type if isinstance(type, Foreign) else FUNCTION_POINTER)
            elif declaration.name is None:
                found = Foreign("a struct without a name inside another is not read", "give the field a name")
            elif declaration.name in (name for name, _ in fields):
                what = f"the field '{declaration.name}' is declared twice"
                self.problems.append(Problem(what, self.text.token(declaration)))
            fields.append((declaration.name or "", type))
        if isinstance(found, Foreign):
            found = Foreign(found.what, found.advice)  # not the very type of the field: it has another size
        result = found or self._record(f"{node.name or ''}#{next(self._tags)}", tuple(fields))
        self._known[id(node)] = result
        if node.name is not None:
            self.scopes.tags[-1][f"struct {node.name}"] = result
        return result

    def _record(self, name: str, fields: tuple[tuple[str, CType], ...]) -> CType:
        """Return a struct; one with too many parts is not read."""
        record = Record(name, fields)
        if len(list(islice(leaves(record), MOST_PARTS + 1))) > MOST_PARTS:
            return Foreign(f"a struct of more than {MOST_PARTS:,} parts is not read", "use an array")
        return record

    def enum(self, node: Any) -> None:
        """Declare the constants of an enumeration."""
        if node.values is None or id(node) in self._known:
            return
        self._known[id(node)] = INT
        following = 0
        for enumerator in node.values.enumerators:
            if enumerator.value is not None:
                value = self.constant(enumerator.value)
                if value is None:
                    what = f"the value of '{enumerator.name}' is no constant"
                    self.problems.append(Problem(what, self.text.token(enumerator)))
                following = value or 0
            if clash(self.scopes.symbols[-1].get(enumerator.name), Enumerator(following)):
                what = f"'{enumerator.name}' is declared twice here"
                self.problems.append(Problem(what, self.text.token(enumerator), "give one of the two another name"))
            self.scopes.add(enumerator.name, Enumerator(following))
            following += 1

    def array(self, node: Any, element: CType) -> CType:
        """Return an array type."""
        if isinstance(element, Foreign):
            return element
        if isinstance(element, Function | Void):
            return FUNCTION_POINTER
        if node.dim is None:
            return Vector(element, 0)
        length = self.length(node.dim)
        if length is None:
            return VARIABLE_LENGTH
        return vector_of(element, length)

    def length(self, node: Any) -> int | None:
        """Return the length of an array: a constant, or a variable that is always the same number."""
        symbol = self.scopes.find(node.name) if isinstance(node, syntax.ID) else None
        if not isinstance(symbol, Variable):
            return self.constant(node)
        if not isinstance(symbol.initial, syntax.Constant) or not isinstance(symbol.type, Integer):
            return None
        value = None if self.is_changed(node.name) else self.constant(symbol.initial)
        return None if value is None else Int(symbol.type.width, symbol.type.signed).wrap(value)

    def function(self, node: Any) -> Function:
        """Return a function type; an array as a parameter is a pointer."""
        result = self.type_of(node.type)
        if node.args is None:
            return Function(result, None)
        if any(isinstance(parameter, syntax.EllipsisParam) for parameter in node.args.params):
            return Function(result, None)
        if any(isinstance(parameter, syntax.ID) for parameter in node.args.params):
            return Function(result, None)  # types follow, in the old style
        types = [self.parameter(parameter) for parameter in node.args.params]
        return Function(result, () if types == [Void()] else tuple(types))

    def parameter(self, node: Any) -> CType:
        """Return the type of a parameter."""
        type = self.type_of(node.type)
        if isinstance(type, Vector):
            return Foreign("an array as a parameter is a pointer, and pointers are not read", "make it a global")
        return FUNCTION_POINTER if isinstance(type, Function) else type


def number_type(value: int, suffix: str, decimal: bool, long: int) -> Integer:
    """Return the type of an integer constant (6.4.4.1)."""
    letters = suffix.lower()
    longs = letters.count("l")
    widths = (64,) if longs > 1 else (long, 64) if longs else (32, long, 64)
    for width in widths:
        for signed in (True, False):
            if signed and "u" in letters:
                continue
            if not signed and decimal and "u" not in letters:
                continue
            if Int(width, signed).holds(value):
                return Integer(width, signed)
    return Integer(64, "u" not in letters)
