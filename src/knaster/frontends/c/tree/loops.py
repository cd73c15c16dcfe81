"""Which parts of a `for` are there: Clang's tree leaves out those that are not, and does not say which.

The printed function has its macros expanded, so the k-th `for` in it is the k-th one of the tree.
"""

from __future__ import annotations

import re
from typing import Any

from knaster.frontends.c.clang.cursors import Cursors

Present = tuple[bool, bool, bool]  # beginning, condition, step
TOKEN = re.compile(r"""(?:L|u8|u|U)?"(?:\\.|[^"\\])*"|[LuU]?'(?:\\.|[^'\\])*'|[A-Za-z_$][\w$]*|[0-9][\w.]*|\S""")


def parts_of_loops(text: str) -> list[Present]:
    """Return for each `for` of a text which of its parts are there."""
    found: list[Present] = []
    tokens = TOKEN.findall(text)
    for start, token in enumerate(tokens):
        if token == "for" and tokens[start + 1 : start + 2] == ["("]:
            found.append(_parts(tokens, start + 2))
    return found


def _parts(tokens: list[str], index: int) -> Present:
    depth, part, filled = 0, 0, [False, False, False]
    while index < len(tokens):
        token = tokens[index]
        if token == ")" and depth == 0:
            break
        if token == ";" and depth == 0:
            part += 1
        elif part < 3:
            filled[part] = True
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        index += 1
    return filled[0], filled[1], filled[2]


def loops_below(cursors: Cursors, function: Any) -> list[Any]:
    """Return all cursors of `for` in a function, in the order of the text."""
    found, todo = [], [function]
    while todo:
        cursor = todo.pop()
        if cursors.kind(cursor) == "FOR_STMT":
            found.append(cursor)
        todo += reversed(cursors.below(cursor))
    return found


class Loops:
    """The loops of one function; its text is printed when the first loop needs it."""

    def __init__(self, cursors: Cursors, function: Any) -> None:
        self.cursors = cursors
        self.function = function
        self._known: dict[Any, Present] | None = None

    def present(self, cursor: Any) -> Present | None:
        """Return which parts of a loop are there; None where that cannot be told."""
        if self._known is None:
            cursors = loops_below(self.cursors, self.function)
            texts = parts_of_loops(self.cursors.printed(self.function))
            agree = len(cursors) == len(texts)
            self._known = {_key(c): text for c, text in zip(cursors, texts, strict=True)} if agree else {}
        found = self._known.get(_key(cursor))
        return found if found is not None and sum(found) == len(self.cursors.below(cursor)) - 1 else None


def _key(cursor: Any) -> Any:
    return cursor.data[1]  # Clang's own address of the statement
