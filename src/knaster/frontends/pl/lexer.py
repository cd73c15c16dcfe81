"""The words of a PL text with their places, and how the next one is taken or missed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from knaster.base.errors import Problem, SourceError, Span
from knaster.base.spans import line_starts, span_at

_TOKEN = re.compile(r"(?P<name>[A-Za-z_]\w*)|(?P<number>\d+)|(?P<sign>:=|->|&&|\|\||[<>=!]=|[-+*<>!(){},;:])")
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
KEYWORDS = frozenset(
    ["skip", "assume", "assert", "var", "kill", "if", "then", "else", "while", "true", "false", "nondet"]
)
END = "the end of the text"


class Words:
    """The words of a text, one after the other."""

    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self._lines = line_starts(text)
        self._words: list[tuple[str, int]] = []
        self._at = 0
        place = _skip(text, 0)
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                self._words.append((text[place], place))
                self._at = len(self._words) - 1
                self.refuse(f"unknown character {text[place]!a}")
            self._words.append((match.group(), place))
            place = _skip(text, match.end())
        self._words.append(("", len(text)))

    @property
    def word(self) -> str:
        """The next word; empty at the end."""
        return self._words[self._at][0]

    @property
    def following(self) -> str:
        """The word behind the next one."""
        return self._words[min(self._at + 1, len(self._words) - 1)][0]

    @property
    def span(self) -> Span:
        """Where the next word stands."""
        word, place = self._words[self._at]
        return span_at(self._lines, place, max(1, len(word)))

    @property
    def last(self) -> Span:
        """Where the word stands that was taken last."""
        word, place = self._words[max(0, self._at - 1)]
        return span_at(self._lines, place, max(1, len(word)))

    def since(self, first: Span) -> Span:
        """Return the place of all words from one on, as far as they are on its line."""
        word, place = self._words[max(0, self._at - 1)]
        last = span_at(self._lines, place, len(word))
        end = last.column + last.length if last.line == first.line else first.column + first.length
        return Span(first.line, first.column, max(1, end - first.column))

    def take(self) -> str:
        """Return the next word and go on."""
        word = self.word
        if self._at < len(self._words) - 1:
            self._at += 1
        return word

    def accept(self, *words: str) -> bool:
        """Take the next word if it is one of these."""
        if self.word in words:
            self.take()
            return True
        return False

    def expect(self, word: str, where: str = "") -> None:
        """Take this word, or say that it is missing."""
        if not self.accept(word):
            self.refuse(f"expected '{word}'{where}, found {self.shown()}")

    def name(self, what: str) -> str:
        """Take a name."""
        word = self.word
        if not (word[:1].isalpha() or word[:1] == "_") or word in KEYWORDS:
            self.refuse(f"expected the name of {what}, found {self.shown()}")
        return self.take()

    def names(self, what: str) -> list[str]:
        """Take names with commas between them."""
        found = [self.name(what)]
        while self.accept(","):
            found.append(self.name(what))
        return found

    def shown(self) -> str:
        """Return the next word for a message."""
        return f"'{self.word}'" if self.word else END

    def refuse(self, message: str, hint: str = "", span: Span | None = None) -> NoReturn:
        """Raise `SourceError` at the next word, or at a place."""
        raise SourceError(self.file, self.text, [Problem(message, span or self.span, hint)])


def twice(names: Iterable[str]) -> str | None:
    """Return the first name that comes a second time; None where there is none."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    assert match is not None
    return match.end()
