"""Where nodes stand in the text: from Clang's lines and columns to spans on the lines that a reader sees.

A preprocessed text is laid out again as its line markers say, so that each line stands where the marker says
(`lay_out`).  What comes from an included file stands on the line that includes it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from knaster.base.errors import Span
from knaster.base.file_line import FileLine
from knaster.base.named_tuples import NamedTuple
from knaster.frontends.c.tree.nodes import Spot
from knaster.frontends.text.several import split_files

_MARKER = re.compile(r'^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)[ \t]+"([^"\n]*)"[^\n]*$')
_TOKEN = re.compile(
    r"""(?P<gap>\s+|//.*|/\*.*?(?:\*/|$))|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[A-Za-z_$]\w*|\.?[0-9](?:[eEpP][+-]|[\w.])*"""
    r"|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|."
)
_ENDS = frozenset((";", "{", "}", ","))
_LAST = 1_000_000  # line


class Layout(NamedTuple):
    """A text as a reader sees it, and where each line of the file begins in it; None where they are the same."""

    text: str
    places: tuple[Spot, ...] | None = None

    def spot(self, line: int, column: int) -> Spot:
        """Return where a place of the file stands."""
        if self.places is None:
            return line, column
        shown, before = self.places[min(line, len(self.places)) - 1]
        return shown, column + before


def lay_out(text: str) -> Layout:
    """Return a preprocessed text as its line markers say; the text itself where there are none.

    Lines of the file that the first marker names keep their numbers; what other files contributed stands on the line
    where it was included.  Markers that lead backwards in that file, as generated code has them, are not heeded.
    """
    lines = text.split("\n")
    first = next((found for line in lines if "#" in line and (found := _MARKER.match(line))), None)
    if first is None:
        return Layout(text)
    main, inside, number, last = first.group(2), True, 1, 1
    shown: dict[int, str] = {}
    places: list[Spot] = []
    for line in lines:
        if marker := _MARKER.match(line):
            inside = marker.group(2) == main
            number = int(marker.group(1)[:12]) if inside else number
            places.append((max(1, number), 0))
            continue
        places.append((max(1, number), len(shown[number]) + 1 if number in shown else 0))
        if line.strip():
            if number < last:
                return Layout(text)
            last = number
            shown[number] = f"{shown[number]} {line}" if number in shown else line
        number += inside
        if number > _LAST:
            return Layout(text)
    return Layout(
        "\n".join(shown.get(index, "") for index in range(1, max(shown, default=0) + 1)) + "\n", tuple(places)
    )


class Text:
    """The text that a reader sees, for spans of nodes; of several files each line says where it stands."""

    def __init__(self, source: str) -> None:
        self.lines = source.split("\n")
        self._files = [(part.first, part.shown) for part in split_files(source)]
        self._starts = [first for first, _ in self._files]
        self._firsts: dict[Spot, Span] = {}

    def number(self, line: int) -> int:
        """Return a line of the text as spans have it."""
        if not self._files:
            return line
        first, file = self._files[max(0, bisect_right(self._starts, line) - 1)]
        return FileLine(line, file, line - first + 1)

    def token(self, node: Any) -> Span:
        """Return the span of the first token of a node."""
        return self.first(node.at)

    def first(self, at: Spot) -> Span:
        """Return the span of the token at a spot."""
        span = self._firsts.get(at)
        if span is None:
            line, column = at
            found = _TOKEN.match(self._line(line), column - 1)
            length = 1 if found is None or found.lastgroup == "gap" else len(found.group())
            span = self._firsts[at] = Span(self.number(line), column, max(1, length))
        return span

    def statement(self, node: Any) -> Span:
        """Return the span of a statement or of a part of one, as far as it stands on its first line.

        It goes to the end of the statement, and to the closing bracket where the statement is a head as `if (...)`.
        """
        return self._statement(*node.at)

    def loop_end(self, condition: Any) -> Span:
        """Return the span of `while (...)` at the end of a do loop."""
        line, column = condition.at
        for number in range(line, max(0, line - 20), -1):
            before = self._line(number)[: column - 1] if number == line else self._line(number)
            found = list(re.finditer(r"\bwhile\b", before))
            if found:
                return self._statement(number, found[-1].start() + 1)
        return self._statement(line, column)

    def _line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def _statement(self, line: int, column: int) -> Span:
        end, depth, head = column, 0, None
        for found in _TOKEN.finditer(self._line(line), column - 1):
            if found.lastgroup == "gap":
                continue
            text = found.group()
            head = text in ("if", "while", "switch", "for") if head is None else head
            if text in (")", "]") or (text in _ENDS and depth == 0):
                depth -= 1
                if depth < 0:
                    break
            elif text in ("(", "["):
                depth += 1
            end = found.end() + 1
            if head and depth == 0 and text == ")":
                break
        return Span(self.number(line), column, max(1, end - column))
