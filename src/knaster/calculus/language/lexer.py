"""Text -> tokens of the fixed-point language (muCKE's, with its traps mended).

Differences from muCKE, none of which changes a valid file: a carriage return is white space; a run of operator
characters is split at the longest operator, so that `a &!b` is fine; `<=`, `>=`, `+` and `-` are operators.
"""

from __future__ import annotations

import re

from knaster.base.errors import Problem, Span
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field
from knaster.base.spans import line_starts, span_at

_TOKEN = re.compile(
    r"""(?: [ \t\r\n\f\v]+ | //[^\n]* | /\*.*?\*/ )*
        (?: (?P<name>[A-Za-z_\#][A-Za-z0-9_\#$']*)
          | (?P<symbol><->|<\+>|->|<-|~\+|~-|!=|<=|>=|[!&|=<>+\-?:;,.(){}\[\]])
          | (?P<number>[0-9]+)
          | (?P<string>"[^"]*")
          | (?P<end>\Z)
          | (?P<bad>/\*|"|.) )""",
    re.VERBOSE | re.DOTALL,
)
KEYWORDS = {
    **dict.fromkeys(("exists", "Exists", "EXISTS"), "exists"),
    **dict.fromkeys(("forall", "Forall", "FORALL"), "forall"),
    **dict.fromkeys(("class", "struct"), "class"),
    **dict.fromkeys(("witcs", "witnessconstraint", "WitnessConstraint"), "witcs"),
    **dict.fromkeys(("alloccs", "allocationConstraint", "AllocationConstraint"), "alloccs"),
    **{word: word for word in ("if", "else", "then", "fi", "case", "esac", "enum", "true", "false", "mu", "nu")},
    **{word: word for word in ("assume", "cofactor", "show")},
}


class Token(NamedTuple):
    """One word of the text.

    `kind` is the keyword's or symbol's own spelling, `name`, `number`, `string`, or `end` after the last token.
    """

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset just behind the token."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Source:
    """A text with its name; turns offsets into lines and columns."""

    name: str
    text: str
    lines: list[int] = field(default_factory=list, compare=False, repr=False)

    def span(self, start: int, end: int | None = None) -> Span:
        """Return the place of text[start:end], cut off at the end of its first line."""
        if not self.lines:
            self.lines.extend(line_starts(self.text))
        stop = self.text.find("\n", start)
        stop = len(self.text) if stop < 0 else stop
        length = min(end if end is not None else start + 1, stop) - start
        return span_at(self.lines, start, length)


def tokenize(source: Source) -> tuple[list[Token], list[Problem]]:
    """Return the tokens of `source`, the last one of kind `end`, and what is not a token."""
    tokens: list[Token] = []
    problems: list[Problem] = []
    for match in _TOKEN.finditer(source.text):
        kind = match.lastgroup
        assert kind is not None
        text, start = match[kind], match.start(kind)
        if kind == "name":
            kind = KEYWORDS.get(text, kind)
        elif kind == "symbol":
            kind = text
        elif kind == "bad":
            problems.append(_bad(source, text, start))
            continue
        tokens.append(Token(kind, text, start))
        if kind == "end":
            break
    return tokens, problems


def _bad(source: Source, text: str, start: int) -> Problem:
    span = source.span(start)
    if text == "/*":
        return Problem("this comment is never closed", span, "close it with */")
    if text == '"':
        return Problem("this string is never closed", span, 'close it with "')
    return Problem(f"unexpected character {text!r}", span)
