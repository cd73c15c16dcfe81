"""What is wrong with a text, collected while reading goes on."""

from __future__ import annotations

from collections.abc import Collection

from knaster.errors import Problem
from knaster.frontends.boolean.lexer import Tokens

_MOST_CANDIDATES = 2000  # comparing a misspelt name with more names than this takes too long
_MOST_HINTS = 50


class Unexpected(Exception):
    """The text cannot go on like this at token `at`."""

    def __init__(self, at: int, expected: str, hint: str = "") -> None:
        super().__init__(at, expected)
        self.at = at
        self.expected = expected
        self.hint = hint


class Mistakes:
    """The problems found so far in one text."""

    __slots__ = ("_garbled", "_hints", "_tokens", "problems")

    def __init__(self, tokens: Tokens, problems: list[Problem]) -> None:
        self._tokens = tokens
        self._hints = 0
        self._garbled = {problem.span.line for problem in problems}  # lines where something is no token
        self.problems = problems

    def add(self, at: int, message: str, hint: str = "") -> None:
        """Report `message` at token `at`."""
        self.problems.append(Problem(message, self._tokens.span(at), hint))

    def unexpected(self, mistake: Unexpected) -> None:
        """Report what was expected and what was found instead, unless its line is garbled anyway."""
        if self._tokens.line(mistake.at) not in self._garbled:
            self.add(mistake.at, f"expected {mistake.expected}, found {self.shown(mistake.at)}", mistake.hint)

    def shown(self, at: int) -> str:
        """Return how token `at` is called in a message."""
        token = self._tokens.spellings[at]
        return f"'{token}'" if token else "the end of the file"

    def nearest(self, name: str, *candidates: Collection[str]) -> str:
        """Return a question naming the candidate most like `name`; nothing where none is close or hints abound."""
        if self._hints >= _MOST_HINTS or sum(map(len, candidates)) > _MOST_CANDIDATES:
            return ""
        from difflib import get_close_matches  # only a text with a mistake pays for the import

        self._hints += 1
        close = get_close_matches(name, sorted(set().union(*candidates)), n=1)
        return f"did you mean '{close[0]}'?" if close else ""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
