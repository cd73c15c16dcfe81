"""Text of C to tokens: comments are gone, every token knows where it stands.

Lines that a backslash continues are one logical line.  The line markers of preprocessed files are heeded: such a text
is laid out again so that each line stands where the marker says (`laid_out`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from knaster.base.errors import Problem, Span
from knaster.base.named_tuples import NamedTuple

_TOKEN = re.compile(
    r"""(?P<space>(?:[ \t\f\v]|\\\n)+)|(?P<newline>\n)|(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)|(?P<open>/\*)
    |(?P<string>(?:L|u8|u|U)?"(?:\\.|[^"\\\n])*")|(?P<char>[LuU]?'(?:\\.|[^'\\\n])+')
    |(?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)|(?P<name>[A-Za-z_$]\w*)
    |(?P<mark>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|[^\s])""",
    re.VERBOSE | re.DOTALL,
)
_MARKER = re.compile(r'^[ \t]*#[ \t]*(\d+)[ \t]+"([^"\n]*)"[^\n]*$', re.MULTILINE)


_LAST = 1_000_000  # line


class Token(NamedTuple):
    """A token of C; `hidden` names the macros that it came from, which are not expanded in it again."""

    text: str
    span: Span
    hidden: frozenset[str] = frozenset()

    @property
    def is_name(self) -> bool:
        """Whether it is an identifier or a keyword."""
        return self.text[0].isalpha() or self.text[0] in "_$"


Line = list[Token]  # a logical line


def logical_lines(text: str, problems: list[Problem]) -> list[Line]:
    """Return the tokens of each logical line; a comment that is never closed is a problem."""
    lines: list[Line] = [[]]
    number, start = 1, 0  # the line, and where it begins
    for match in _TOKEN.finditer(text):
        kind, found = match.lastgroup, match.group()
        span = Span(number, match.start() - start + 1, len(found))
        if kind == "newline":
            lines.append([])
        elif kind == "open":
            problems.append(Problem("a comment is never closed", span, "close it with */"))
            break
        elif kind not in ("space", "comment"):
            if found in "\"'":
                problems.append(Problem("a text or character constant is never closed", span))
                continue
            if not found.isascii() and kind == "mark":
                problems.append(Problem(f"{found!r} is no character of C", span))
                continue
            lines[-1].append(Token(found, span))
        if "\n" in found:
            number += found.count("\n")
            start = match.start() + found.rindex("\n") + 1
    return lines


def laid_out(text: str) -> str:
    """Return a preprocessed text as its line markers say; the text itself where there are none.

    Lines of the file that the first marker names keep their numbers; what other files contributed stands on the line
    where it was included.  Markers that lead backwards in that file, as generated code has them, are not heeded.
    """
    first = _MARKER.search(text)
    if first is None:
        return text
    main, inside, number, last = first.group(2), True, 1, 1
    lines: dict[int, list[str]] = {}
    for line in text.split("\n"):
        if marker := _MARKER.match(line):
            inside = marker.group(2) == main
            number = int(marker.group(1)[:12]) if inside else number
            continue
        if line.strip():
            if number < last:
                return text
            last = number
            lines.setdefault(number, []).append(line)
        number += inside
        if number > _LAST:
            return text
    return "\n".join(" ".join(lines.get(index, ())) for index in range(1, max(lines, default=0) + 1)) + "\n"


def same_line(tokens: Sequence[Token]) -> Span:
    """Return the span from the first token to the last one that stands on its line, in the order of the text."""
    line, column, _ = tokens[0].span
    end = max(token.span.column + token.span.length for token in tokens if token.span.line == line)
    return Span(line, column, max(1, end - column))
