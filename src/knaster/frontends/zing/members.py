"""Classes and interfaces: their fields and methods, with bodies and initialisers skipped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from knaster.base.hints import did_you_mean
from knaster.base.records import dataclass
from knaster.frontends.zing.kinds import Class, Kinds, Method
from knaster.frontends.zing.lexer import REFUSED, is_name
from knaster.frontends.zing.mistakes import OPENING, Mistakes, Unexpected
from knaster.program.types import Int, Pointer, Type

_MODIFIERS = ("static", "atomic", "activate")


class Around(Protocol):
    """What the reader of all declarations offers."""

    later: list[Callable[[], None]]  # what is to be done when all names are known

    def name(self, at: int, what: str) -> str:
        """Return the name of a new type."""

    def type(self, at: int) -> Type | None:
        """Return the type that a token names; report an unknown one."""

    def behind(self, at: int) -> int:
        """Return the token behind the bracket that closes the one at `at`."""

    def expect(self, at: int, word: str) -> None:
        """Require a token."""


@dataclass(slots=True)
class Initialiser:
    """A static or instance field that begins with the value of an expression."""

    owner: Class
    name: str
    at: int  # the first token of the expression
    static: bool


class Members:
    """Reads classes; types are looked up when all names are known."""

    def __init__(self, around: Around, kinds: Kinds, mistakes: Mistakes) -> None:
        self.around = around
        self.kinds = kinds
        self.mistakes = mistakes
        self.words = mistakes.tokens.spellings
        self.initialisers: list[Initialiser] = []

    def read(self, at: int) -> int:
        """Read a class or an interface; return the token behind it."""
        owner = Class(self.around.name(at + 1, "a class"), at + 1, self.words[at] == "interface")
        self.kinds.types[owner.name] = Pointer(owner.name)
        self.kinds.classes[owner.name] = owner
        at += 2
        while self.words[at] in (":", ","):
            owner.implements.append((self.words[at + 1], at + 1))
            at += 2
        self.around.expect(at, "{")
        at += 1
        while self.words[at] != "}":
            if not self.words[at]:
                raise Unexpected(at, f"the '}}' of '{owner.name}'")
            if self.words[at] == ";":
                at += 1
                continue
            try:
                at = self._member(owner, at)
            except Unexpected as error:
                self.mistakes.report_unexpected(error)
                at = self._recover(max(at, error.at))
        self.around.later.append(lambda: self._check_interfaces(owner))
        return at + 1

    def _recover(self, at: int) -> int:
        while self.words[at] and self.words[at] not in (";", "}"):
            at = self.around.behind(at) if self.words[at] in OPENING else at + 1
        return at + 1 if self.words[at] == ";" else at

    def _member(self, owner: Class, at: int) -> int:
        """Read a field or a method."""
        if self.words[at] == "[":
            return self.mistakes.behind_attribute(at)
        modifiers = set()
        while self.words[at] in _MODIFIERS:
            modifiers.add(self.words[at])
            at += 1
        if not is_name(self.words[at + 1]):
            raise Unexpected(at + 1 if self.words[at] not in REFUSED else at, "the name of a field or a method")
        if self.words[at + 2] == "(":
            return self._method(owner, at, modifiers)
        return self._field(owner, at, "static" in modifiers)

    def _field(self, owner: Class, at: int, static: bool) -> int:
        kind = at
        while True:
            at += 1
            name = self.words[at]
            if not is_name(name):
                raise Unexpected(at, "the name of a field")
            if name in owner.fields or name in owner.statics:
                self.mistakes.add(at, f"the class '{owner.name}' has two fields '{name}'")
            (owner.statics if static else owner.fields)[name] = None
            self.around.later.append(self._resolver(owner, kind, name, static))
            at += 1
            if self.words[at] == "=":
                self.initialisers.append(Initialiser(owner, name, at + 1, static))
                while self.words[at] not in (";", "}", ""):
                    at = self.around.behind(at) if self.words[at] in OPENING else at + 1
                    if self.words[at] == ",":
                        break
            if self.words[at] != ",":
                self.around.expect(at, ";")
                return at + 1

    def _resolver(self, owner: Class, kind: int, name: str, static: bool) -> Callable[[], None]:
        def resolve() -> None:
            (owner.statics if static else owner.fields)[name] = self.around.type(kind)

        return resolve

    def _method(self, owner: Class, at: int, modifiers: set[str]) -> int:
        name, result = self.words[at + 1], at
        static, atomic, activate = (word in modifiers for word in _MODIFIERS)
        method = Method(owner.name, name, at + 1, static, atomic, activate, None, [], 0)
        if name in owner.methods:
            self.mistakes.add(at + 1, f"the class '{owner.name}' has two methods '{name}'", "there is no overloading")
        owner.methods.setdefault(name, method)
        at += 3
        while self.words[at] != ")":
            out = self.words[at] == "out"
            at += out
            if not is_name(self.words[at + 1]):
                raise Unexpected(at + 1, "the name of a parameter")
            method.parameters.append((self.words[at + 1], None, out, at))
            at += 2
            if self.words[at] == ",":
                at += 1
            elif self.words[at] != ")":
                raise Unexpected(at, "',' or ')'")
        self.around.later.append(lambda: self._signature(method, result))
        if owner.is_interface:
            self.around.expect(at + 1, ";")
            return at + 2
        self.around.expect(at + 1, "{")
        method.body = at + 1
        return self.around.behind(at + 1)

    def _signature(self, method: Method, result: int) -> None:
        """Look up the types of a method; check what an activate method promises."""
        void = self.words[result] == "void"
        method.result = None if void else self.around.type(result)
        method.parameters = [(name, self.around.type(at), out, at) for name, _, out, at in method.parameters]
        if not void and method.result is None:
            method.result = Int(32)
        if method.activate and (not method.static or not void or method.parameters):
            self.mistakes.add(
                method.at, f"the activate method '{method.name}' must be static, void, without parameters"
            )

    def _check_interfaces(self, owner: Class) -> None:
        """Report methods of an interface that a class lacks."""
        for name, at in owner.implements:
            interface = self.kinds.classes.get(name)
            if interface is None or not interface.is_interface:
                self.mistakes.add(at, f"there is no interface '{name}'", did_you_mean(name, self.kinds.classes))
                continue
            for wanted in interface.methods.values():
                if wanted.name not in owner.methods or owner.methods[wanted.name].static:
                    self.mistakes.add(at, f"'{owner.name}' has no method '{wanted.name}', which '{name}' asks for")
