"""Text to tokens, as flat lists: the spelling of each token and the offset where it starts.

A token is its spelling; the text is split by one regular expression, so the time per token is that of C.  Comments are
blanked out beforehand and keep their length, so that offsets stay those of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from knaster.base.errors import Problem, Span
from knaster.base.spans import line_of, line_starts, span_at
from knaster.frontends.boolean.habits import BLOCKS
from knaster.frontends.boolean.notation import NAME, is_name

_TOKEN = re.compile(rf"({NAME}|[0-9]+|:=|&&?|\|\|?|=>|==?|!=?|->|[~^'()\[\],;:?*<>])")
_COMMENT = re.compile(r"\{[^}\n]*\}|//[^\n]*|/\*.*?\*/|/\*.*", re.DOTALL)
_VISIBLE = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text in pieces; `spellings` ends with four empty ones, `offsets` with the length of the text."""

    spellings: Sequence[str]
    offsets: Sequence[int]
    lines: Sequence[int]  # the offset where each line starts
    names: frozenset[str]  # the spellings that are names

    def span(self, at: int) -> Span:
        """Return where token `at` stands."""
        at = min(at, len(self.offsets) - 1)
        return span_at(self.lines, self.offsets[at], len(self.spellings[at]))

    def stretch(self, first: int, last: int) -> Span:
        """Return where tokens `first` to `last` stand, as far as they are on one line."""
        lines, offsets = self.lines, self.offsets
        start = offsets[first]
        end = offsets[last] + len(self.spellings[last])
        line = line_of(lines, start)
        if line < len(lines) and end >= lines[line]:
            end = lines[line] - 1
        return span_at(lines, start, end - start)

    def line(self, at: int) -> int:
        """Return the line of token `at`."""
        return line_of(self.lines, self.offsets[min(at, len(self.offsets) - 1)])


def tokenize(text: str, problems: list[Problem]) -> Tokens:
    """Return the tokens of `text`; report what is no token and drop it.  Lines end with a line feed."""
    lines = line_starts(text)
    if "//" in text or "/*" in text:
        text = _without_comments(text, lines, problems)
    parts = _TOKEN.split(text)
    offsets = list(accumulate(map(len, parts), initial=0))[1::2]
    between = "".join(parts[0::2])
    if between and not between.isspace():
        _report_strangers(parts, lines, problems)
    spellings = [*parts[1::2], "", "", "", ""]
    return Tokens(spellings, offsets, lines, frozenset(filter(is_name, set(spellings))))


def _without_comments(text: str, lines: Sequence[int], problems: list[Problem]) -> str:
    def blank(match: re.Match[str]) -> str:
        comment = match.group()
        if comment[0] == "{":
            return comment
        if comment[1] == "*" and (len(comment) < 4 or not comment.endswith("*/")):
            span = span_at(lines, match.start(), 2)
            problems.append(Problem("this comment has no end", span, "expected '*/'"))
        return _VISIBLE.sub(" ", comment)

    return _COMMENT.sub(blank, text)


def _report_strangers(parts: Sequence[str], lines: Sequence[int], problems: list[Problem]) -> None:
    offset = 0
    for index, part in enumerate(parts):
        if index % 2 == 0 and part and not part.isspace():
            for match in re.finditer(r"\S+", part):
                strange = match.group()
                kind = "character" if len(strange) == 1 else "characters"
                shown = strange if len(strange) <= 20 else strange[:20] + "..."
                hint = _brace_hint(strange, re.match(r"[^\S\n]*\n", part[match.end() :]) is not None)
                span = span_at(lines, offset + match.start(), len(strange))
                problems.append(Problem(f"unknown {kind} {shown!a}", span, hint))
        offset += len(part)


def _brace_hint(strange: str, ends_line: bool) -> str:
    if strange == "}" or (strange == "{" and ends_line):
        return BLOCKS
    return "a name in braces ends on the line where it starts" if strange[0] == "{" else ""
