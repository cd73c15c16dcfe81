"""Collects the mistakes of a Zing model, so that one run reports every one of them."""

from __future__ import annotations

from knaster.base.errors import Problem, Span
from knaster.base.records import dataclass, field
from knaster.frontends.text.tokens import Tokens
from knaster.frontends.zing.lexer import REFUSED

OPENING = ("(", "{", "[")


class Unexpected(Exception):
    """Reading cannot go on at a token; the statement around it is given up.  Expects nothing where that was said."""

    def __init__(self, at: int, expected: str) -> None:
        self.at = at
        self.expected = expected
        super().__init__(expected)


@dataclass(slots=True)
class Mistakes:
    """The problems found so far, with the text that they are in."""

    tokens: Tokens
    problems: list[Problem] = field(default_factory=list)
    _told: set[int] = field(default_factory=set)

    def add(self, at: int, message: str, hint: str = "") -> None:
        """Report a mistake at a token; only the first one of each token is kept."""
        at = min(at, len(self.tokens.offsets) - 1) if self.tokens.offsets else 0
        if at in self._told:
            return
        self._told.add(at)
        self.problems.append(Problem(message, self.tokens.span(at) if self.tokens.offsets else Span(1, 1), hint))

    def add_at(self, span: Span, message: str, hint: str = "") -> None:
        """Report a mistake at a place in the text."""
        self.problems.append(Problem(message, span, hint))

    def behind(self, at: int) -> int:
        """Return the token behind the bracket that closes the one at `at`; report one that is not closed."""
        words, depth, start = self.tokens.spellings, 0, at
        while words[at]:
            if words[at] in OPENING:
                depth += 1
            elif words[at] in (")", "}", "]"):
                depth -= 1
                if depth == 0:
                    return at + 1
            at += 1
        self.add(start, f"this '{words[start]}' is not closed")
        return at

    def behind_attribute(self, at: int) -> int:
        """Return the token behind an attribute, which means nothing here; report one that is not closed."""
        words, start = self.tokens.spellings, at
        while words[at] not in ("]", ";", "{", "}", ""):
            at += 1
        if words[at] != "]":
            self.add(start, "this '[' is not closed")
            raise Unexpected(at, "")
        return at + 1

    def report_unexpected(self, error: Unexpected) -> None:
        """Report a token that does not belong where it stands."""
        if not error.expected:
            return  # it was said already
        found = self.tokens.spellings[min(error.at, len(self.tokens.spellings) - 1)]
        if found in REFUSED:
            self.refuse(error.at)
            return
        shown = f"'{found[:40]}'" if found else "the end of the text"
        self.add(error.at, f"expected {error.expected}, found {shown}")

    def refuse(self, at: int) -> None:
        """Report a word of Zing that is not read."""
        word = self.tokens.spellings[at]
        self.add(at, f"'{word}' is not read by Knaster", REFUSED[word])
