"""Collects the mistakes of a Boolean program while reading goes on."""

from __future__ import annotations

from collections.abc import Collection

from knaster.base.errors import Problem, Span
from knaster.frontends.boolean import habits
from knaster.frontends.text.tokens import Tokens

_MOST_HINTS = 50  # comparing a misspelt name with all others takes time


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

    def report_unexpected(self, mistake: Unexpected) -> None:
        """Report what was expected and what was found instead, unless the line there is garbled anyway.

        A semicolon that is missing at the end of a line is reported there.
        """
        at, expected = mistake.at, mistake.expected
        starts_line = at > 0 and self._tokens.line(at) > self._tokens.line(at - 1)
        if self._tokens.line(at) in self._garbled or (starts_line and self._tokens.line(at - 1) in self._garbled):
            return
        if "';'" in expected and starts_line:
            line, column, length = self._tokens.span(at - 1)
            problem = Problem(
                f"expected {expected} behind {self.show_token(at - 1)}", Span(line, column + length), mistake.hint
            )
            self.problems.append(problem)
        else:
            hint = mistake.hint or habits.hint(self._tokens.spellings, at, expected)
            self.add(at, f"expected {expected}, found {self.show_token(at)}", hint)

    def show_token(self, at: int) -> str:
        """Return how token `at` is called in a message."""
        token = self._tokens.spellings[at]
        return f"'{token}'" if token else "the end of the file"

    def nearest(self, name: str, *candidates: Collection[str]) -> str:
        """Return a question naming the candidate most like `name`; nothing where none is close or hints abound."""
        if self._hints >= _MOST_HINTS:
            return ""
        from knaster.base.hints import did_you_mean  # only a text with a mistake pays for the import

        self._hints += 1
        return did_you_mean(name, *candidates)


def with_noun(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
