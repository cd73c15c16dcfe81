"""The mistakes of a Boolean program: collected while reading goes on, with what may be meant, and where to go on.

People who are used to other languages write theirs: a table says how that is written here.  Looking ahead tells what is
missing from what is misspelt, so that one slip gives one message.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from knaster.base.errors import Problem, Span
from knaster.base.records import dataclass
from knaster.frontends.text.tokens import Tokens

ASSIGN = "to assign, write ':='"
TYPES = ("bool", "int")
_DECLARE = "variables are declared by 'decl', whatever they hold"
BLOCKS = "blocks stand between 'begin' and 'end', 'then' and 'fi', 'do' and 'od'"
_BITS = "variables are single bits: compare them by '=' and '!='"

_OTHERWISE = {
    "and": "write '&' for 'and'",
    "or": "write '|' for 'or'",
    "xor": "write '^' for 'xor'",
    "not": "write '!' for 'not'",
    "elseif": "did you mean 'elsif'?",
    "elif": "did you mean 'elsif'?",
    "endif": "did you mean 'fi'?",
    "endwhile": "did you mean 'od'?",
    "done": "did you mean 'od'?",
    **dict.fromkeys(TYPES, _DECLARE),
    "<": _BITS,
    ">": _BITS,
}
WRONG_CLOSERS = frozenset(("endif", "endwhile", "done"))
_CONSTANTS = {"true": "T", "false": "F"}
_HEADERS = frozenset(("", "void", "bool"))
_MOST_HINTS = 50  # comparing a misspelt name with all others takes time


class Unexpected(Exception):
    """The text cannot go on like this at token `at`."""

    def __init__(self, at: int, expected: str, hint: str = "") -> None:
        super().__init__(at, expected)
        self.at = at
        self.expected = expected
        self.hint = hint


@dataclass(slots=True)
class Mistakes:
    """The problems of one text so far; `garbled` are the lines where something is no token."""

    tokens: Tokens
    problems: list[Problem]
    garbled: set[int]
    hints: int = 0

    def add(self, at: int, message: str, hint: str = "") -> None:
        """Report `message` at token `at`."""
        self.problems.append(Problem(message, self.tokens.span(at), hint))

    def report_unexpected(self, mistake: Unexpected) -> None:
        """Report what was expected and what was found instead, unless the line there is garbled anyway.

        A semicolon that is missing at the end of a line is reported there.
        """
        at, expected = mistake.at, mistake.expected
        starts_line = at > 0 and self.tokens.line(at) > self.tokens.line(at - 1)
        if self.tokens.line(at) in self.garbled or (starts_line and self.tokens.line(at - 1) in self.garbled):
            return
        if "';'" in expected and starts_line:
            line, column, length = self.tokens.span(at - 1)
            problem = Problem(
                f"expected {expected} behind {self.show_token(at - 1)}", Span(line, column + length), mistake.hint
            )
            self.problems.append(problem)
        else:
            meant = mistake.hint or suggest(self.tokens.spellings, at, expected)
            self.add(at, f"expected {expected}, found {self.show_token(at)}", meant)

    def show_token(self, at: int) -> str:
        """Return how token `at` is called in a message."""
        token = self.tokens.spellings[at]
        return f"'{token}'" if token else "the end of the file"

    def nearest(self, name: str, *candidates: Collection[str]) -> str:
        """Return a question naming the candidate most like `name`; nothing where none is close or hints abound."""
        if self.hints >= _MOST_HINTS:
            return ""
        from knaster.base.hints import did_you_mean  # only a text with a mistake pays for the import

        self.hints += 1
        return did_you_mean(name, *candidates)


def with_noun(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


# What may be meant


def constant(word: str) -> str:
    """Return `T` or `F` for a word that is a constant elsewhere, nothing for any other word."""
    return _CONSTANTS.get(word.lower(), "")


def other_word(word: str) -> str:
    """Return how a word of another language is written here, nothing for any other word."""
    return _OTHERWISE.get(word, "")


def suggest(spellings: Sequence[str], at: int, expected: str) -> str:
    """Return what may have been meant by token `at`, where one of `expected` should stand, as far as it is known."""
    token = spellings[at]
    if token in ("=", "==") and "':='" in expected:
        return ASSIGN
    if token.startswith("{"):
        return BLOCKS
    return other_word(token) or (other_word(spellings[at - 1]) if "behind" in expected else "")


# Where to go on


def starts_statement(tokens: Tokens, at: int) -> bool:
    """Tell whether a line starts at token `at` with what can only be a statement."""
    spellings = tokens.spellings
    return (
        spellings[at + 1] in (":=", ":", "(")
        and (spellings[at] in tokens.names or spellings[at].isdecimal())
        and tokens.line(at) > tokens.line(at - 1)
    )


def ends_procedure(spellings: Sequence[str], at: int) -> bool:
    """Tell whether another procedure or declaration stands behind the `end` at `at`, so that it closes no block."""
    at += 1
    while spellings[at] == ";":
        at += 1
    if spellings[at] in _HEADERS or spellings[at] in ("decl", "proc", "dfs"):
        return True
    if spellings[at + 1] != "(":
        return False
    while spellings[at] not in _HEADERS and spellings[at] not in (";", "begin", "end"):
        at += 1
    return spellings[at] == "begin"


def closed_behind(spellings: Sequence[str], at: int) -> int:
    """Return how many of the blocks that are open at token `at` are closed behind it in the same procedure."""
    closed = 0
    at += 1
    while spellings[at] not in _HEADERS and spellings[at] != "end":
        closed += (spellings[at] in ("fi", "od")) - (spellings[at] in ("if", "while"))
        at += 1
    return closed
