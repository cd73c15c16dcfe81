"""A position in a list of tokens, and what every part of the parser asks of it."""

from __future__ import annotations

from knaster.base.errors import Problem
from knaster.calculus.language.lexer import Source, Token


class RefusedCommand(Exception):
    """The command cannot be read; carries the problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.message)


class Cursor:
    """Reads tokens from left to right."""

    def __init__(self, source: Source, tokens: list[Token]) -> None:
        self.source = source
        self.tokens = tokens
        self.index = 0

    @property
    def token(self) -> Token:
        """The next token, not yet taken."""
        return self.tokens[self.index]

    @property
    def kind(self) -> str:
        """The kind of the next token."""
        return self.tokens[self.index].kind

    @property
    def last_end(self) -> int:
        """The offset just behind the last token taken."""
        return self.tokens[self.index - 1].end if self.index else 0

    def peek(self, ahead: int = 1) -> str:
        """Return the kind of a later token."""
        return self.tokens[min(self.index + ahead, len(self.tokens) - 1)].kind

    def take(self) -> Token:
        """Take the next token."""
        token = self.tokens[self.index]
        if token.kind != "end":
            self.index += 1
        return token

    def accept(self, kind: str) -> bool:
        """Take the next token where it is of this kind; tell whether it was."""
        if self.tokens[self.index].kind == kind:
            self.take()
            return True
        return False

    def expect(self, kind: str, what: str = "") -> Token:
        """Take a token of this kind, or refuse the command."""
        if self.kind != kind:
            raise self.refusal(f"expected {what or _spell(kind)}, found {_describe_token(self.token)}")
        return self.take()

    def number(self, what: str) -> int:
        """Take a number, or refuse the command."""
        text = self.expect("number", what).text
        if len(text) > 12:
            raise self.refusal(f"{what} is too large")
        return int(text)

    def refusal(self, message: str, hint: str = "", token: Token | None = None) -> RefusedCommand:
        """Return the exception that refuses the command at `token`, by default at the next one."""
        at = token or self.token
        return RefusedCommand(Problem(message, self.source.span(at.start, at.end), hint))


def _spell(kind: str) -> str:
    return {"name": "a name", "number": "a number", "string": "a string", "end": "the end"}.get(kind, f"'{kind}'")


def _describe_token(token: Token) -> str:
    return "the end of the text" if token.kind == "end" else f"'{token.text[:40]}'"
