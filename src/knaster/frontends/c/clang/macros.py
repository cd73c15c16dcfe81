"""Finds macros that stand for so many words, as when each of forty is twice the one before, that Clang never ends.

The words of a macro are counted from the texts of those that it names, without writing them out.  What a header hides,
and calls of a macro inside its own arguments, are not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from knaster.base.errors import Problem
from knaster.base.spans import line_starts, span_at

MOST = 1_000_000  # words of a macro
_DEFINITION = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)\n]*\))?((?:\\\n|[^\n])*)$", re.MULTILINE)
_WORD = re.compile(r"\w+|[^\s\w]")


def find_large_macros(text: str) -> Iterator[Problem]:
    """Yield a problem for each macro that is used outside of macros and stands for too many words."""
    if text.count("define") < 2:  # it takes more than one
        return
    bodies = {match[1]: _WORD.findall(match[2]) for match in _DEFINITION.finditer(text)}
    sizes = _sizes(bodies)
    large = {name for name, size in sizes.items() if size > MOST}
    if not large:
        return
    plain, starts = _DEFINITION.sub(lambda match: " " * len(match[0]), text), line_starts(text)
    for match in re.finditer(r"\w+", plain):
        if match[0] in large:
            where = span_at(starts, match.start(), len(match[0]))
            yield Problem(f"the macro '{match[0]}' stands for more than {MOST:,} words", where, "use smaller macros")
            return


def _sizes(bodies: Mapping[str, list[str]]) -> dict[str, int]:
    """Return how many words each macro stands for; those that name themselves count once."""
    sizes: dict[str, int] = {}
    for root in bodies:
        todo, open_ones = [root], set[str]()
        while todo:
            name = todo[-1]
            inner = [word for word in bodies[name] if word in bodies and word not in sizes and word not in open_ones]
            if name not in sizes and name not in open_ones and inner:
                open_ones.add(name)
                todo += dict.fromkeys(inner)
                continue
            todo.pop()
            open_ones.discard(name)
            sizes.setdefault(name, min(sum(sizes.get(word, 1) for word in bodies[name]), MOST + 1))
    return sizes
