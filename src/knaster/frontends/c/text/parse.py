"""Tokens to pycparser's syntax tree: the only module besides the ones that walk the tree which knows pycparser.

The parser is given one token a line, so that the line of a node is the number of its first token.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

from knaster.base.errors import Problem, Span, UsageError
from knaster.frontends.c.text.tokens import Token, same_line

INSTALL = "reading C needs two packages that are not installed; type: pip install 'knaster[c]'"
_ENDS = frozenset((";", "{", "}", ","))
_MOST_DEEP = 1_000_000


class Text:
    """The tokens that were parsed, for finding the text of a node."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.jumps = any(token.text in ("goto", "switch") for token in tokens)  # whether there is such a statement

    def index(self, node: Any) -> int:
        """Return the number of the first token of a node."""
        coordinate = getattr(node, "coord", None)
        return 0 if coordinate is None else min(coordinate.line - 1, len(self.tokens) - 1)

    def token(self, node: Any) -> Span:
        """Return the span of the first token of a node."""
        return self.tokens[self.index(node)].span if self.tokens else Span(1, 1)

    def statement(self, node: Any) -> Span:
        """Return the span of a statement or of a part of one, as far as it stands on its first line.

        It goes to the end of the statement, and to the closing bracket where the statement is a head as `if (...)`.
        """
        if not self.tokens:
            return Span(1, 1)
        first = self.index(node)
        head = self.tokens[first].text in ("if", "while", "switch", "for")
        last, depth = first, 0
        for index in range(first, len(self.tokens)):
            text = self.tokens[index].text
            if text in (")", "]") or (text in _ENDS and depth == 0):
                depth -= 1
                if depth < 0:
                    break
            elif text in ("(", "["):
                depth += 1
            last = index
            if head and depth == 0 and text == ")":
                break
        return same_line(self.tokens[first : last + 1])

    def loop_end(self, condition: Any) -> Span:
        """Return the span of `while (...)` at the end of a do loop."""
        index = self.index(condition)
        while index > 0 and self.tokens[index].text != "while":
            index -= 1
        return self.statement(_At(index + 1))


class _At:
    """Something that stands at a token."""

    def __init__(self, line: int) -> None:
        self.coord = self
        self.line = line


def parse_tokens(tokens: Sequence[Token], problems: list[Problem]) -> Any:
    """Return the syntax tree of the tokens; None, with a problem, where they are no C."""
    try:
        from pycparser.c_parser import CParser, ParseError
    except ImportError:
        raise UsageError(INSTALL) from None
    text = "\n".join(token.text for token in tokens) + "\n"
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_MOST_DEEP)  # the parser descends once for each bracket; its frames are on the heap
    parser = CParser()
    try:
        return parser.parse(text, "")
    except ParseError as error:
        problems.append(_problem(str(error), tokens, _find_stop(parser)))
        return None
    except (RecursionError, MemoryError):
        problems.append(Problem("brackets or statements are nested too deep", tokens[0].span))
        return None
    finally:
        sys.setrecursionlimit(limit)


def _find_stop(parser: Any) -> int | None:
    """Return the line of the token at which the parser stopped, for mistakes that it reports without a place."""
    try:
        return int(parser._peek().lineno)
    except Exception:  # whatever a version of the parser does instead, the mistake is reported
        return None


def _problem(message: str, tokens: Sequence[Token], stopped: int | None) -> Problem:
    if message.startswith(": ") and stopped is not None:
        message = f":{stopped}:1{message}"
    found = re.match(r"[^:]*:(\d+)(?::\d+)?: (.*)", message, re.DOTALL)
    if not tokens:
        return Problem("there is no program in this file", Span(1, 1))
    if found is None:
        return Problem("the file ends in the middle of a declaration or statement", tokens[-1].span)
    token = tokens[min(int(found.group(1)) - 1, len(tokens) - 1)]
    said = found.group(2).strip()
    what = f"syntax error at '{token.text}'" + ("" if said.startswith("before:") else f": {said.lower()}")
    return Problem(what, token.span, "if this is an extension of C, write it in plain C")
