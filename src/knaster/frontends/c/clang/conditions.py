"""How often files include each other where conditions are told by names that they define themselves (`#ifndef T`).

A condition that cannot be told counts as both: the number is never too small.  What Clang, its options and our own
headers define cannot be told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path

from knaster.frontends.c.clang.command import HEADERS
from knaster.frontends.c.comments import COMMENT

_GAP = r"(?:[^\S\n]|\u180e|\ufeff)*"  # whatever Clang takes for blanks
_MOST = 1_000
_INCLUDES = ("include", "include_next", "import", "embed")
_ODD = re.compile(r"%:|\?\?|pop_macro")  # what directives may look like, too, and what defines a name again
_LINE = re.compile(rf"^{_GAP}#{_GAP}([a-z_]+)\b{_GAP}(.*)$", re.MULTILINE)
_ASKED = re.compile(r"(!?)\s*defined\s*(?:\(\s*(\w+)\s*\)|(\w+))\s*")
_NAME = re.compile(r"\w+")
_OF_SYSTEMS = frozenset(("linux", "unix", "i386"))


Directives = list[tuple[str, str]]  # a word and what stands behind it


class Holds(Enum):
    """Whether a condition holds."""

    YES = 1
    NO = 2
    PERHAPS = 3


_OTHERWISE = {Holds.YES: Holds.NO, Holds.NO: Holds.YES, Holds.PERHAPS: Holds.PERHAPS}


def count_includes(
    text: str,
    file: Path,
    texts: Mapping[Path, str],
    find: Callable[[str, Path], Path | None],
    defined: Iterable[str],
) -> int:
    """Return how many files a text includes; what is beyond 1,000 is not counted.

    `texts` has those that may be included, `find` says which of them a directive in a file means, and `defined` are the
    macros of the command line.
    """
    directives = {path: _directives(one) for path, one in texts.items()}
    first = _directives(text)
    if any(found is None for found in (first, *directives.values())):
        return _MOST + 1
    own = {name[0] for found in (first, *directives.values()) for name in _defined_in(found)}
    given = {name for macro in defined for name in _NAME.findall(macro)[:1]}
    walk = _Walk(own - _of_headers() - _OF_SYSTEMS - given)
    count, todo = 0, [(file, walk.includes(first))]
    while todo and count <= _MOST:
        here, rest = todo[-1]
        name = next(rest, None)
        if name is None:
            todo.pop()
        elif (path := find(name, here)) is not None and path in directives:
            count += 1
            todo.append((path, walk.includes(directives[path])))
    return count


class _Walk:
    """What is defined while files are read; `own` are the names that only they define."""

    def __init__(self, own: set[str]) -> None:
        self.own = own
        self.defined: dict[str, Holds] = {}

    def includes(self, directives: Directives | None) -> Iterator[str]:
        """Yield what stands behind each `#include` that may be reached."""
        conditions: list[tuple[Holds, Holds]] = []  # of the branch, and whether another one of them may be taken yet
        for word, rest in directives or ():
            if word in ("if", "ifdef", "ifndef"):
                holds = self._holds(word, rest)
                conditions.append((holds, _OTHERWISE[holds]))
            elif word in ("else", "elif", "elifdef", "elifndef") and conditions:
                left = conditions[-1][1]
                conditions[-1] = (left, Holds.NO) if word == "else" else (_unless(left), _unless(left))
            elif word == "endif" and conditions:
                conditions.pop()
            elif all(holds is not Holds.NO for holds, _ in conditions):
                if word in ("define", "undef"):
                    self._define(word, rest, all(holds is Holds.YES for holds, _ in conditions))
                elif word in _INCLUDES:
                    yield rest

    def _define(self, word: str, rest: str, sure: bool) -> None:
        told = Holds.YES if word == "define" else Holds.NO
        for name in _NAME.findall(rest)[:1]:
            self.defined[name] = told if sure or self._is_defined(name) is told else Holds.PERHAPS

    def _holds(self, word: str, rest: str) -> Holds:
        if word == "if":
            asked = _ASKED.fullmatch(rest)
            if asked is None:
                return {"0": Holds.NO, "1": Holds.YES}.get(rest, Holds.PERHAPS)
            found = self._is_defined(asked[2] or asked[3])
            return _OTHERWISE[found] if asked[1] else found
        name = _NAME.match(rest)
        found = self._is_defined(name[0]) if name else Holds.PERHAPS
        return found if word == "ifdef" else _OTHERWISE[found]

    def _is_defined(self, name: str) -> Holds:
        if name.startswith("_") or name not in self.own:
            return Holds.PERHAPS
        return self.defined.get(name, Holds.NO)


def _directives(text: str) -> Directives | None:
    """Return the directives of a text, each with its rest; None where some may be written otherwise."""
    text = re.sub(r"\\[^\S\n]*\n", "", text.replace("\r\n", "\n").replace("\r", "\n"))
    plain = COMMENT.sub(lambda match: match.group(1) or " ", text)
    if _ODD.search(text):
        return None
    return [(match[1], match[2].strip()) for match in _LINE.finditer(plain)]


def _defined_in(directives: Directives | None) -> Iterator[re.Match[str]]:
    for word, rest in directives or ():
        if word == "define" and (name := _NAME.match(rest)):
            yield name


def _unless(left: Holds) -> Holds:
    return Holds.NO if left is Holds.NO else Holds.PERHAPS


def _of_headers() -> set[str]:
    """Return the names that our own headers define."""
    texts = (path.read_text("utf-8") for path in HEADERS.rglob("*.h"))
    return {name for text in texts for name in re.findall(r"define\s+(\w+)", text)}
