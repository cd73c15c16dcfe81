"""Splits the text of a Boolean program into tokens: the spelling of each and the offset where it starts.

A token is its spelling; the text is split by one regular expression, so the time per token is that of C.  Comments are
blanked out beforehand and keep their length, so that offsets stay those of the text.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

from knaster.base.errors import Problem
from knaster.base.spans import line_starts, span_at
from knaster.frontends.boolean.mistakes import BLOCKS
from knaster.frontends.text.tokens import Tokens

NAME = r"[$A-Za-z_][A-Za-z0-9_$#.]*(?:-(?!>)[A-Za-z0-9_$#.]*)*|\{[^}\n]*\}"
"""The pattern of a name; `{...}` holds any text of one line."""

_BLOCK_WORDS = {"begin", "end", "if", "then", "elsif", "else", "fi", "while", "do", "od"}
_OTHER_WORDS = {
    "decl",
    "void",
    "bool",
    "skip",
    "goto",
    "return",
    "assert",
    "assume",
    "constrain",
    "schoose",
    "T",
    "F",
    "_",
}

RESERVED = frozenset(_BLOCK_WORDS | _OTHER_WORDS)
"""Words that are never names.  The other keywords are names wherever the text leaves no doubt."""

_TOKEN = re.compile(rf"({NAME}|[0-9]+|:=|&&?|\|\|?|=>|==?|!=?|->|[~^'()\[\],;:?*<>])")
_COMMENT = r"\{[^}\n]*\}|//[^\n]*|/\*.*?\*/|/\*.*"
_PIECE = 1 << 16  # characters that are split at once


def is_name(text: str) -> bool:
    """Tell whether a variable, a procedure or a label may be called `text`."""
    return text not in RESERVED and re.fullmatch(NAME, text) is not None


def tokenize(text: str, problems: list[Problem]) -> Tokens:
    """Return the tokens of `text`; report what is no token and drop it.  Lines end with a line feed."""
    lines = line_starts(text)
    if "//" in text or "/*" in text:
        text = _without_comments(text, lines, problems)
    spellings: list[str] = []
    offsets = array("i")
    same: dict[str, str] = {}  # equal spellings are one object: a long text has many tokens and few spellings
    for start, end in _pieces(lines, len(text)):
        parts = _TOKEN.split(text[start:end])
        between = "".join(parts[0::2])
        if between and not between.isspace():
            _report_strangers(parts, start, lines, problems)
        found = parts[1::2]
        spellings += map(same.setdefault, found, found)
        offsets.extend(islice(accumulate(map(len, parts), initial=start), 1, len(parts), 2))
    offsets.append(len(text))
    spellings += ("", "", "", "")
    return Tokens(spellings, offsets, lines, frozenset(filter(is_name, same)))


def _pieces(lines: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """Yield stretches of whole lines, so that a long text is not in memory twice."""
    start = 0
    while start < size:
        following = bisect_left(lines, start + _PIECE)
        end = lines[following] if following < len(lines) else size
        yield start, end
        start = end


def without_comments(text: str) -> str:
    """Return a text with spaces instead of its comments."""
    return _without_comments(text, line_starts(text), []) if "//" in text or "/*" in text else text


def _without_comments(text: str, lines: Sequence[int], problems: list[Problem]) -> str:
    def blank(match: re.Match[str]) -> str:
        comment = match.group()
        if comment[0] == "{":
            return comment
        if comment[1] == "*" and (len(comment) < 4 or not comment.endswith("*/")):
            span = span_at(lines, match.start(), 2)
            problems.append(Problem("this comment has no end", span, "expected '*/'"))
        return re.sub(r"[^\n]", " ", comment)

    return re.sub(_COMMENT, blank, text, flags=re.DOTALL)


def _report_strangers(parts: Sequence[str], offset: int, lines: Sequence[int], problems: list[Problem]) -> None:
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
