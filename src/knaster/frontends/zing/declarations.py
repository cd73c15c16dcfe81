"""The first pass: every type, field and method of a model, with bodies and initialisers skipped."""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.hints import did_you_mean
from knaster.base.records import dataclass, field
from knaster.frontends.text.tokens import Tokens
from knaster.frontends.zing.kinds import BASIC, Kinds
from knaster.frontends.zing.lexer import REFUSED, is_name
from knaster.frontends.zing.members import Initialiser, Members
from knaster.frontends.zing.mistakes import Mistakes, Unexpected
from knaster.program.objects import MOST_SLOTS, ArrayCell, ChannelCell, SetCell
from knaster.program.types import Enumeration, Int, Pointer, Struct, Type


@dataclass(slots=True)
class Declared:
    """What the first pass finds."""

    kinds: Kinds = field(default_factory=Kinds)
    initialisers: list[Initialiser] = field(default_factory=list)


def declarations(tokens: Tokens, mistakes: Mistakes) -> Declared:
    """Return everything that is declared outside methods."""
    return _Reader(tokens, mistakes).read()


class _Reader:
    """Reads the declarations of one text; types are looked up when all names are known."""

    def __init__(self, tokens: Tokens, mistakes: Mistakes) -> None:
        self.tokens = tokens
        self.words = tokens.spellings
        self.mistakes = mistakes
        self.declared = Declared()
        self.kinds = self.declared.kinds
        self.names: dict[str, int] = {}
        self.later: list[Callable[[], None]] = []
        self.structs: dict[str, list[tuple[str, int]]] = {}
        self.resolving: set[str] = set()
        self.members = Members(self, self.kinds, mistakes)
        self.declared.initialisers = self.members.initialisers

    def read(self) -> Declared:
        at = 0
        handlers = {
            "class": self.members.read,
            "interface": self.members.read,
            "struct": self.struct,
            "enum": self.enum,
            "range": self.range,
            "chan": self.element,
            "set": self.element,
            "array": self.array,
        }
        while self.words[at]:
            try:
                if self.words[at] == ";":
                    at += 1
                    continue
                if self.words[at] == "[":
                    at = self.mistakes.behind_attribute(at)
                    continue
                handler = handlers.get(self.words[at])
                if handler is None:
                    raise Unexpected(at, "a declaration: class, struct, enum, range, chan, set, array or interface")
                at = self.end(handler(at))
            except Unexpected as error:
                self.mistakes.report_unexpected(error)
                at = self.recover(max(at, error.at))
        for resolve in self.later:
            resolve()
        return self.declared

    def recover(self, at: int) -> int:
        """Return the next token that begins a declaration."""
        begins = ("class", "interface", "struct", "enum", "range", "chan", "set", "array")
        at += 1 if self.words[at] else 0
        while self.words[at] and not (self.words[at] in begins and self.words[at - 1] in (";", "}")):
            at += 1
        return at

    def end(self, at: int) -> int:
        """Return the token behind the semicolon of a declaration."""
        if self.words[at] != ";":
            self.mistakes.add(at - 1, "a declaration ends with ';'", "add ';' behind it")
            return at
        return at + 1

    def behind(self, at: int) -> int:
        """Return the token behind the bracket that closes the one at `at`."""
        return self.mistakes.behind(at)

    def name(self, at: int, what: str) -> str:
        """Return the name of a new type."""
        word = self.words[at]
        if not is_name(word):
            raise Unexpected(at, f"the name of {what}")
        if word in self.names:
            self.mistakes.add(at, f"there is already a type '{word}' (line {self.tokens.line(self.names[word])})")
        self.names.setdefault(word, at)
        return word

    def type(self, at: int) -> Type | None:
        """Return the type that a token names; report an unknown one."""
        word = self.words[at]
        if word in BASIC:
            return BASIC[word]
        if word in REFUSED:
            self.mistakes.refuse(at)
            return None
        if word in self.structs and word not in self.kinds.types:
            return self.resolve_struct(word, at)
        if word not in self.kinds.types:
            if is_name(word):
                hint = did_you_mean(word, self.kinds.types, BASIC)
                self.mistakes.add(at, f"there is no type '{word}'", hint)
            else:
                self.mistakes.report_unexpected(Unexpected(at, "a type"))
            return None
        return self.kinds.types[word]

    def known_struct(self, name: str, at: int) -> None:
        """Make sure that a struct type is known, used or not."""
        if name not in self.kinds.types:
            self.resolve_struct(name, at)

    def resolve_struct(self, name: str, at: int) -> Type | None:
        """Return a struct type, its parts resolved before it; one level of Python's stack for each level of nesting."""
        if name in self.resolving or len(self.resolving) > 100:
            self.mistakes.add(at, f"the struct '{name}' contains itself", "a reference to a class may close the cycle")
            return None
        self.resolving.add(name)
        parts: list[tuple[str, Type]] = []
        for part, token in self.structs[name]:
            found = self.type(token)
            if found is not None:
                parts.append((part, found))
        self.resolving.discard(name)
        return self.kinds.types.setdefault(name, Struct(name, tuple(parts)))

    # One method for each kind of declaration: from its first token to the token behind it

    def enum(self, at: int) -> int:
        name = self.name(at + 1, "an enum")
        self.expect(at + 2, "{")
        at, members = at + 3, dict[str, None]()
        while self.words[at] != "}":
            if not is_name(self.words[at]):
                raise Unexpected(at, "the name of a value")
            if self.words[at] in members:
                self.mistakes.add(at, f"'{self.words[at]}' is there twice")
            members[self.words[at]] = None
            at += 1
            if self.words[at] == ",":
                at += 1
            elif self.words[at] != "}":
                raise Unexpected(at, "',' or '}'")
        self.kinds.types[name] = Enumeration(name, tuple(members))
        return at + 1

    def range(self, at: int) -> int:
        name = self.name(at + 1, "a range")
        low, at = self.number(at + 2)
        self.expect(at, "..")
        high, at = self.number(at + 1)
        self.kinds.types[name] = Int(32)
        self.kinds.ranges[name] = low, high
        return at

    def number(self, at: int) -> tuple[int, int]:
        sign = -1 if self.words[at] == "-" else 1
        at += sign < 0
        if not self.words[at][:1].isdigit() or "." in self.words[at]:
            raise Unexpected(at, "a number")
        if len(self.words[at]) > 20:
            self.mistakes.add(at, "this number does not fit into 64 bits")
            return 0, at + 1
        return sign * int(self.words[at], 0 if self.words[at][:2] in ("0x", "0X") else 10), at + 1

    def element(self, at: int) -> int:
        word = self.words[at]
        name = self.name(at + 1, "a channel type" if word == "chan" else "a set type")
        self.kinds.types[name] = Pointer(name)
        make = ChannelCell if word == "chan" else SetCell

        def resolve() -> None:
            self.kinds.collections[name] = make(name, self.type(at + 2) or Int(32))

        self.later.append(resolve)
        return at + 3

    def array(self, at: int) -> int:
        name = self.name(at + 1, "an array type")
        self.expect(at + 2, "[")
        behind, length = at + 3, None
        if self.words[behind] != "]":
            length, behind = self.number(behind)
            if length > MOST_SLOTS:
                self.mistakes.add(at + 3, f"an array has at most {MOST_SLOTS:,} elements")
                length = 0
        self.expect(behind, "]")
        self.kinds.types[name] = Pointer(name)

        def resolve() -> None:
            self.kinds.collections[name] = ArrayCell(name, self.type(behind + 1) or Int(32), length)

        self.later.append(resolve)
        return behind + 2

    def struct(self, at: int) -> int:
        name = self.name(at + 1, "a struct")
        self.expect(at + 2, "{")
        parts: list[tuple[str, int]] = []
        start, at = at, at + 3
        while self.words[at] != "}":
            if not is_name(self.words[at + 1]):
                raise Unexpected(at + 1, "the name of a field")
            if self.words[at + 1] in (part for part, _ in parts):
                self.mistakes.add(at + 1, f"the struct '{name}' has two fields '{self.words[at + 1]}'")
            parts.append((self.words[at + 1], at))
            self.expect(at + 2, ";")
            at += 3
        self.structs[name] = parts
        self.later.insert(0, lambda: self.known_struct(name, start + 1))
        return at + 1

    def expect(self, at: int, word: str) -> None:
        """Require a token."""
        if self.words[at] != word:
            raise Unexpected(at, f"'{word}'")
