"""Text written into a program without moving a line: what is inserted has no line break."""

from __future__ import annotations

from knaster.base.errors import KnasterError
from knaster.competition.statements import declarations, function_start
from knaster.competition.tokens import TokenText


class Insertions:
    """A text, and what is to be inserted before or behind its tokens."""

    def __init__(self, text: TokenText) -> None:
        self.text = text
        self._parts: list[tuple[int, int, int, str]] = []

    def before(self, token: int, part: str) -> None:
        """Insert something before a token; what is inserted first stands first."""
        self._parts.append((self.text.tokens[token].start, 1, len(self._parts), part))

    def behind(self, token: int, part: str) -> None:
        """Insert something behind a token; what is inserted first stands last."""
        self._parts.append((self.text.tokens[token].end, 0, -len(self._parts), part))

    def define(self, token: int, part: str) -> None:
        """Insert a definition before the function in which a token stands."""
        start = function_start(self.text, token)
        if start is None:
            line = self.text.tokens[token].line
            raise KnasterError(f"line {line} stands in no function")
        self.before(start, part)

    def written(self, preamble: str) -> str:
        """Return the whole text, with a preamble before its first declaration."""
        out, place = [], 0
        for start, _, _, part in sorted(self._with(preamble)):
            out += [self.text.text[place:start], part]
            place = start
        return "".join([*out, self.text.text[place:]])

    def place_of(self, token: int, preamble: str) -> tuple[int, int]:
        """Return the line and the column of a token in the written text."""
        found = self.text.tokens[token]
        begin = found.start - found.column + 1
        parts = self._with(preamble)
        moved = sum(len(part) for start, behind, _, part in parts if begin <= start <= found.start - (not behind))
        return found.line, found.column + moved

    def _with(self, preamble: str) -> list[tuple[int, int, int, str]]:
        """Return the parts with a preamble before the first declaration that no `#if` can leave out."""
        used = min((start for start, *_ in self._parts), default=0)
        starts = [self.text.tokens[number] for number in declarations(self.text)]
        sure = [token.start for token in starts if token.start <= used and not self.text.conditions_at(token.start)]
        first = self.text.tokens[0].start if self.text.tokens else 0
        return [(sure[0] if sure else first, 0, -1_000_000, preamble), *self._parts]


def end_run(function: str) -> str:
    """Return an expression that ends a run in a function; that it ends is said here too, where ways through it part."""
    return f"({function}(), abort())"
