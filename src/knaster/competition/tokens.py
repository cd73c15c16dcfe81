"""The tokens of a text of C with their places, to which witnesses point; comments and directives are skipped."""

from __future__ import annotations

import re

from knaster.base.named_tuples import NamedTuple

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\f\v\r]+|//[^\n]*|/\*.*?\*/|\\\n)
    |(?P<newline>\n)
    |(?P<text>(?:L|u8|u|U)?"(?:\\.|[^"\\\n])*"|(?:L|u|U)?'(?:\\.|[^'\\\n])*')
    |(?P<word>[A-Za-z_$][\w$]*)
    |(?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
    |(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!+\-*/%&^|]=|&&|\|\||.)""",
    re.VERBOSE | re.DOTALL,
)
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(if|endif)", re.MULTILINE)
_OPENS, _CLOSES = "([{", ")]}"


class Token(NamedTuple):
    """A token: its text, where it begins and ends in the whole text, and its line and column, from 1."""

    text: str
    start: int
    end: int
    line: int
    column: int


class TokenText:
    """A text as tokens, with the partner of each bracket."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _tokens(text)
        self.partner = _partners(self.tokens)
        self._conditions = [
            (match.start(), 1 if match[1] == "if" else -1)
            for match in re.finditer(r"^[ \t]*#[ \t]*(if|endif)", text, re.M)
        ]

    def on_line(self, line: int) -> list[int]:
        """Return the numbers of the tokens that begin on a line."""
        return [number for number, token in enumerate(self.tokens) if token.line == line]

    def at(self, line: int, column: int) -> int | None:
        """Return the number of the token that begins at a place."""
        return next((number for number in self.on_line(line) if self.tokens[number].column == column), None)

    def conditions_at(self, place: int) -> int:
        """Return of how many `#if` the lines around a place may be left out."""
        return sum(change for start, change in self._conditions if start < place)

    def source(self, first: int, last: int) -> str:
        """Return the text of the tokens from `first` up to, without, `last`; empty where there are none."""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end] if first < last else ""


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    line, begins, fresh, place = 1, 0, True, 0
    while place < len(text):
        if fresh and text[place] == "#":
            end = place
            while (end := text.find("\n", end)) > 0 and text[end - 1] == "\\":
                end += 1
            place = len(text) if end < 0 else end
            line += text.count("\n", begins, place)
            begins = text.rfind("\n", 0, place) + 1
            continue
        match = _TOKEN.match(text, place)
        assert match is not None
        if match.lastgroup == "newline":
            line, begins, fresh = line + 1, match.end(), True
        elif match.lastgroup == "blank":
            if newlines := match[0].count("\n"):
                line += newlines
                begins = match.start() + match[0].rfind("\n") + 1
        else:
            tokens.append(Token(match[0], place, match.end(), line, place - begins + 1))
            fresh = False
        place = match.end()
    return tokens


def _partners(tokens: list[Token]) -> dict[int, int]:
    partner: dict[int, int] = {}
    stack: list[int] = []
    for number, token in enumerate(tokens):
        if token.text in _OPENS:
            stack.append(number)
        elif token.text in _CLOSES and stack:
            opened = stack.pop()
            partner[opened], partner[number] = number, opened
    return partner
