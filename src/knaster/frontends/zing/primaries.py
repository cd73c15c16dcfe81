"""What stands in an expression by itself: numbers, variables, fields, values of enums, new cells, names of methods."""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.hints import did_you_mean
from knaster.base.records import dataclass, field
from knaster.frontends.zing.kinds import INT, LONG, NULL, Class, Kinds
from knaster.frontends.zing.kinds import words as spelled
from knaster.frontends.zing.lexer import REFUSED, is_name, is_text
from knaster.frontends.zing.mistakes import Mistakes, Unexpected
from knaster.frontends.zing.operators import Operand
from knaster.program.expression import FALSE, TRUE, Const, Field, New, Part, Self, Var
from knaster.program.objects import ArrayCell
from knaster.program.types import BOOL, Enumeration, Pointer, Struct, Type

_LARGEST = 2**63


@dataclass(slots=True)
class Scope:
    """What a name means inside a method: a local of its own name, or a field of its class."""

    owner: Class | None
    static: bool
    locals: list[dict[str, tuple[str, Type | None]]] = field(default_factory=list)

    def local(self, name: str) -> tuple[str, Type | None] | None:
        """Return the variable and its type that a name means, the innermost first."""
        for names in reversed(self.locals):
            if name in names:
                return names[name]
        return None

    def visible(self) -> set[str]:
        """Return every name that means a variable here."""
        own = set(self.owner.fields) | set(self.owner.statics) if self.owner is not None else set()
        return own.union(*self.locals)


@dataclass(frozen=True, slots=True)
class Callee:
    """A call that was met: what it is called on (None: this class), or the class that is named, and the method."""

    receiver: Operand | None
    owner: Class | None
    at: int  # the token of the method's name


class Primaries:
    """Reads them, in the scope that is set."""

    def __init__(self, kinds: Kinds, mistakes: Mistakes) -> None:
        self.kinds = kinds
        self.mistakes = mistakes
        self.tokens = mistakes.tokens
        self.words = mistakes.tokens.spellings
        self.scope = Scope(None, True)
        self._simple: Mapping[str, tuple[Const | Self, Type]] = {
            "true": (TRUE, BOOL),
            "false": (FALSE, BOOL),
            "null": (Const(None), NULL),
            "self": (Self(), INT),
        }

    def read(self, at: int) -> tuple[Operand | Callee, int]:
        """Read one, or the beginning of a call up to its method's name."""
        word = self.words[at]
        if word in self._simple:
            expr, type = self._simple[word]
            return Operand(expr, type, at), at + 1
        if word == "this":
            return self._this(at), at + 1
        if word[:1].isdigit():
            return self._number(at), at + 1
        if word == "new":
            if not is_name(self.words[at + 1]):
                raise Unexpected(at + 1, "a type")
            behind = at + 4 if self.words[at + 2 : at + 4] == ["(", ")"] else at + 2
            return self.new(at, self.words[at + 1], None), behind
        if word == "sizeof":
            return Operand(Const(self.fixed_length(at)), INT, at), at + 4
        if is_text(word):
            self.mistakes.add(at, "strings are no values", REFUSED["string"])
            return Operand(Const(0), None, at), at + 1
        if not is_name(word):
            if word == "choose":
                self.mistakes.add(at, "'choose' is no part of an expression", "a choice stands alone right of '='")
            raise Unexpected(at, "an expression")
        return self._name(at)

    def _number(self, at: int) -> Operand:
        word = self.words[at]
        if "." in word:
            self.mistakes.add(at, "floating numbers are not read by Knaster", REFUSED["float"])
            return Operand(Const(0), None, at)
        value = int(word, 16) if word[:2] in ("0x", "0X") else int(word) if len(word) < 1_000 else _LARGEST + 1
        if value > _LARGEST or (value == _LARGEST and self.words[at - 1] != "-"):
            shown = word if len(word) < 40 else "this number"
            self.mistakes.add(at, f"{shown} does not fit into 64 bits")
            value = 0
        return Operand(Const(value), INT if INT.holds(value) else LONG, at)

    def _this(self, at: int) -> Operand:
        if self.scope.owner is None or self.scope.static:
            self.mistakes.add(at, "there is no 'this' in a static method")
            return Operand(Const(None), None, at)
        return Operand(Var("this"), Pointer(self.scope.owner.name), at)

    def _name(self, at: int) -> tuple[Operand | Callee, int]:
        """Read a name: a variable, a field, a static, a value of an enum, or the beginning of a call."""
        word = self.words[at]
        if self.words[at + 1] == "(":
            return Callee(None, None, at), at
        if (local := self.scope.local(word)) is not None:
            return Operand(Var(local[0]), local[1], at), at + 1
        owner = self.scope.owner
        if owner is not None and word in owner.statics:
            return Operand(Var(f"{owner.name}.{word}"), owner.statics[word], at), at + 1
        if owner is not None and word in owner.fields:
            if self.scope.static:
                self.mistakes.add(at, f"'{word}' belongs to an instance; this method is static")
                return Operand(Const(None), None, at), at + 1
            return self.field(Operand(Var("this"), Pointer(owner.name), at), at), at + 1
        if self.words[at + 1] == "." and is_name(self.words[at + 2]):
            return self._read_qualified(at)
        hint = did_you_mean(word, self.scope.visible())
        self.mistakes.add(at, f"there is no variable '{word}' here", hint)
        return Operand(Const(None), None, at), at + 1

    def _read_qualified(self, at: int) -> tuple[Operand | Callee, int]:
        """Read `TYPE.name`."""
        word, member = self.words[at], self.words[at + 2]
        named = self.kinds.types.get(word)
        if isinstance(named, Enumeration):
            if member not in named.members:
                hint = did_you_mean(member, named.members)
                self.mistakes.add(at + 2, f"the enum '{word}' has no value '{member}'", hint)
                return Operand(Const(0), named, at), at + 3
            return Operand(Const(named.members.index(member)), named, at), at + 3
        owner = self.kinds.classes.get(word)
        if owner is None:
            hint = did_you_mean(word, self.scope.visible(), self.kinds.types)
            self.mistakes.add(at, f"there is no variable and no type '{word}'", hint)
            return Operand(Const(None), None, at), at + 3
        if self.words[at + 3] == "(":
            return Callee(None, owner, at + 2), at + 2
        if member in owner.statics:
            return Operand(Var(f"{word}.{member}"), owner.statics[member], at), at + 3
        why = "belongs to an instance" if member in owner.fields else "does not exist"
        self.mistakes.add(at + 2, f"the static field '{word}.{member}' {why}", did_you_mean(member, owner.statics))
        return Operand(Const(None), None, at), at + 3

    def field(self, inner: Operand, at: int) -> Operand:
        """Return a field of an instance or of a struct."""
        name = self.words[at]
        match inner.type:
            case Struct(struct, fields):
                names = [part for part, _ in fields]
                if name in names:
                    index = names.index(name)
                    return Operand(Part(inner.expr, index, name), fields[index][1], inner.at)
                self.mistakes.add(at, f"the struct '{struct}' has no field '{name}'", did_you_mean(name, names))
            case Pointer(target) if target in self.kinds.classes:
                owner = self.kinds.classes[target]
                if name in owner.fields:
                    index = list(owner.fields).index(name)
                    expr = Field(inner.expr, index, name, self.tokens.span(at))
                    return Operand(expr, owner.fields[name], inner.at)
                if name in owner.statics:
                    return Operand(Var(f"{target}.{name}"), owner.statics[name], inner.at)
                self.mistakes.add(at, f"the class '{target}' has no field '{name}'", did_you_mean(name, owner.fields))
            case None:
                pass
            case other:
                self.mistakes.add(at, f"{spelled(other)} has no fields")
        return Operand(inner.expr, None, inner.at)

    def new(self, at: int, name: str, length: Operand | None) -> Operand:
        """Return a new cell; report what cannot be made."""
        cell = self.kinds.collections.get(name)
        if isinstance(cell, ArrayCell):
            if cell.length is None and length is None:
                self.mistakes.add(at + 1, f"the length of '{name}' is missing", f"write new {name}[LENGTH]")
            elif cell.length is not None and length is not None:
                self.mistakes.add(at + 1, f"'{name}' has the length {cell.length}", f"write new {name}")
        elif length is not None:
            self.mistakes.add(at + 1, f"'{name}' is no array type")
        elif cell is None and (name not in self.kinds.classes or self.kinds.classes[name].is_interface):
            hint = did_you_mean(name, self.kinds.classes, self.kinds.collections)
            self.mistakes.add(at + 1, f"'{name}' is nothing that can be made with 'new'", hint)
            return Operand(Const(None), None, at)
        size = None if length is None else length.expr
        return Operand(New(name, size, self.tokens.span(at)), Pointer(name), at)

    def fixed_length(self, at: int) -> int | None:
        """Return the length of the array type in `sizeof(TYPE)`; None where it is no such type."""
        name = self.words[at + 2]
        cell = self.kinds.collections.get(name)
        if self.scope.local(name) is not None or not isinstance(cell, ArrayCell) or self.words[at + 3] != ")":
            return None
        return cell.length
