"""A strict reader of the part of ACSL in which proofs are shown: predicates and terms, and what each context allows.

Operators bind as in ACSL 1.17, table 2.1; predicates and terms are told apart, as Frama-C does.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_TOKEN = re.compile(r"\s*(\\\w+|[A-Za-z_]\w*|\d+|<==>|==>|\^\^|&&|\|\||[<>=!]=|<<|>>|[-+*/%<>!~&|^?:()\[\].,])")
_LEVELS = (("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
_TYPES = {"int", "unsigned", "char", "short", "long", "signed", "_Bool"}


class NotAcsl(Exception):
    """The text is no predicate."""


class _Reader:
    def __init__(self, text: str, names: Collection[str], context: str) -> None:
        self.tokens: list[str] = []
        self.names = names
        self.context = context
        rest = text
        while rest.strip():
            found = _TOKEN.match(rest)
            if found is None:
                raise NotAcsl(f"{rest[:20]!r} is no token")
            self.tokens.append(found[1])
            rest = rest[found.end() :]
        self.tokens.append("")

    def take(self, *expected: str) -> str:
        if expected and self.tokens[0] not in expected:
            raise NotAcsl(f"{self.tokens[0]!r} where {expected} is expected")
        return self.tokens.pop(0)

    def predicate(self) -> None:
        """Read `a ==> b`, which binds to the right, and `a <==> b`."""
        self.either()
        if self.tokens[0] == "==>":
            self.take()
            self.predicate()
        elif self.tokens[0] in ("<==>", "^^"):
            self.take()
            self.either()

    def either(self) -> None:
        self.both()
        while self.tokens[0] == "||":
            self.take()
            self.both()

    def both(self) -> None:
        self.simple()
        while self.tokens[0] == "&&":
            self.take()
            self.simple()

    def simple(self) -> None:
        if self.tokens[0] == "!":
            self.take()
            self.simple()
            return
        if self.tokens[0] in ("\\true", "\\false"):
            self.take()
            return
        if self.tokens[0] == "(":
            before = list(self.tokens)
            try:  # a predicate in brackets
                self.take("(")
                self.predicate()
                self.take(")")
                if self.tokens[0] in ("", ")", "&&", "||", "==>", "<==>", "^^", "?"):
                    return
            except NotAcsl:
                pass
            self.tokens = before
        self.term(0)
        if self.tokens[0] in _RELATIONS:
            self.take()
            self.term(0)
            if self.tokens[0] in _RELATIONS:
                raise NotAcsl("a chain of comparisons")

    def term(self, level: int) -> None:
        if level == len(_LEVELS):
            self.unary()
            return
        self.term(level + 1)
        while self.tokens[0] in _LEVELS[level]:
            self.take()
            self.term(level + 1)

    def unary(self) -> None:
        if self.tokens[0] in ("-", "~"):
            self.take()
            self.unary()
        elif self.tokens[0] == "(" and self.tokens[1] in _TYPES:
            self.take()
            while self.tokens[0] in _TYPES:
                self.take()
            self.take(")")
            self.unary()
        else:
            self.postfix()

    def postfix(self) -> None:
        self.atom()
        while self.tokens[0] in (".", "["):
            if self.take() == "[":
                self.term(0)
                self.take("]")
            elif not self.take().isidentifier():
                raise NotAcsl("a field without a name")

    def atom(self) -> None:
        token = self.take()
        if token == "(":
            before = list(self.tokens)
            try:  # a conditional term
                self.predicate()
                self.take("?")
                self.term(0)
                self.take(":")
                self.term(0)
            except NotAcsl:
                self.tokens = before
                self.term(0)
            self.take(")")
        elif token == "\\result":
            self._only_in("ensures", token)
        elif token in ("\\old", "\\at"):
            self._only_in("ensures" if token == "\\old" else "inside", token)
            self.take("(")
            self.term(0)
            if token == "\\at":
                self.take(",")
                self.take("Pre")
            self.take(")")
        elif token == "\\offset":
            self.take("(")
            self._name(self.take())
            self.take(")")
        elif not token.isdigit():
            self._name(token)

    def _only_in(self, context: str, token: str) -> None:
        if self.context != context:
            raise NotAcsl(f"{token} in {self.context}")

    def _name(self, token: str) -> None:
        if not token.isidentifier() or token not in self.names:
            raise NotAcsl(f"{token!r} is no name there")


def read_predicate(text: str, names: Collection[str], context: str) -> None:
    """Raise `NotAcsl` unless a text is a predicate over names; the context is 'inside', 'requires' or 'ensures'."""
    reader = _Reader(text, names, context)
    reader.predicate()
    reader.take("")
