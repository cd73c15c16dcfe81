"""Which files a text may include: those beside it, those of folders that the user names, and our own headers.

The text is searched for includes before Clang sees it, because Clang would read any file, and some never end.  What
lies outside is replaced by an error; so is a header that is included without end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from knaster.base.errors import KnasterError, Problem, Span
from knaster.base.records import dataclass, field
from knaster.frontends.c.clang.command import HEADERS
from knaster.frontends.c.clang.conditions import count_includes
from knaster.frontends.c.comments import COMMENT
from knaster.frontends.text.files import read_text

ADVICE = "run 'cc -E FILE.c > FILE.i' first and check FILE.i"
OUTSIDE = "allow its folder with '-I FOLDER'"
_MOST = 1_000  # includes of one program
_GAP = r"(?:[^\S\n]|\u180e|\ufeff)*"  # whatever Clang takes for blanks
_DIRECTIVE = re.compile(rf"^{_GAP}(?:#|%:|\?\?=){_GAP}(?:include|include_next|import|embed)\b{_GAP}(.*)$", re.MULTILINE)
_GUARD = re.compile(r"\s*#\s*(?:ifndef\s+(\w+)|if\s+!\s*defined\s*\(?\s*(\w+)\s*\)?)\s*\n\s*#\s*define\s+(\w+)")
_SPLICES = (r"\\[^\S\n]*\n", r"(?:\\|\?\?/)[^\S\n]*\n")  # without trigraphs, and with them
_ONCE = re.compile(r"^\s*#\s*pragma\s+once\b", re.MULTILINE)


@dataclass(slots=True)
class Includes:
    """What a program includes; `hidden` are the files that it must not see, `problems` what is wrong already."""

    folders: Sequence[Path]  # that of the program comes first
    hidden: dict[str, str] = field(default_factory=dict)  # path: what is wrong with it
    problems: list[Problem] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)  # what is included, but for our own headers

    def is_inside(self, path: Path) -> bool:
        """Tell whether a file lies in one of the folders that may be read, links followed."""
        try:
            whole = path.resolve()
            return any(whole.is_relative_to(folder.resolve()) for folder in (*self.folders, HEADERS))
        except (OSError, RuntimeError, ValueError):  # links that lead nowhere, names that no file can have
            return False

    def place(self, directive: str, file: Path) -> Path | None:
        """Return the file that the rest of an include in a file means; None where it is one of ours, or none."""
        name = directive[1:].split(">" if directive[:1] == "<" else '"')[0]
        near = [file.parent] if directive[:1] == '"' or Path(name).is_absolute() else []
        places = [place / name for place in (*near, *self.folders[1:])]
        return next((path for path in places if self.is_inside(path) and path.is_file()), None)


def find_includes(text: str, file: str, folders: Sequence[str], defined: Sequence[str] = ()) -> Includes:
    """Return what a text of this file includes, directly or not; `defined` are the macros of the command line."""
    found = Includes([Path(file).parent, *map(Path, folders)])
    if not any(mark in text for mark in ("#", "%:", "??=")):
        return found
    seen: dict[Path, tuple[bool, list[Path]]] = {}
    texts: dict[Path, str] = {}
    start = list(_next_files(text, Path(file).parent, found, True))
    todo = list(start)
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        try:
            inner = read_text(path)
        except KnasterError as error:
            found.hidden[str(path)] = str(error)
            continue
        texts[path] = inner
        seen[path] = _is_guarded(inner), list(_next_files(inner, path.parent, found, False))
        todo += seen[path][1]
    found.files = [path for path in seen if not path.is_relative_to(HEADERS)]
    if _are_too_many(start, seen) and count_includes(text, Path(file), texts, found.place, defined) > _MOST:
        what = f"headers are included more than {_MOST:,} times"
        found.problems.append(Problem(what, Span(1, 1), ADVICE))
    return found


def _next_files(text: str, folder: Path, found: Includes, main: bool) -> Iterator[Path]:
    """Yield the files that a text includes and that may be read; those that may not are refused."""
    for number, rest in _directives(text):
        where = Span(number, 1) if main else Span(1, 1)
        if rest[:1] not in ('"', "<"):
            found.problems.append(Problem("the name of this include is a macro, which is not read", where, ADVICE))
            continue
        name = rest[1:].split(">" if rest[0] == "<" else '"')[0]
        own = found.is_inside(HEADERS / name) and (HEADERS / name).is_file()
        near = [folder] if rest[0] == '"' or Path(name).is_absolute() else []
        places = [place / name for place in (*near, *found.folders[1:])]
        inside = [path for path in places if found.is_inside(path)]
        path = next((path for path in inside if path.is_file()), None)
        if (len(inside) < len(places) and not own and path is None) or (
            not found.is_inside(HEADERS / name) and not inside
        ):
            found.problems.append(Problem(f"'{name}' is outside of the program's folder", where, OUTSIDE))
        found.hidden |= {str(place): name for place in (*places, HEADERS / name) if not found.is_inside(place)}
        if path is not None:
            yield path


def _directives(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the rest of each include of a text, whether its condition holds or not."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for splice in _SPLICES if "??/" in text else _SPLICES[:1]:
        cuts: list[int] = []  # where lines were joined, in the joined text
        removed = 0
        for match in re.finditer(splice, text):
            cuts.append(match.start() - removed)
            removed += len(match.group())
        plain = COMMENT.sub(lambda match: match.group(1) or _blank(match.group()), re.sub(splice, "", text))
        for match in _DIRECTIVE.finditer(plain):
            before = plain[: match.start()]
            lines = before.count("\n") + before.count("\v") + sum(cut <= match.start() for cut in cuts)
            yield 1 + lines, match.group(1).strip()


def _blank(comment: str) -> str:
    """Return as many blanks as a comment has letters; its ends of lines end no line of the text."""
    return re.sub(r"[^\n]", " ", comment).replace("\n", "\v")


def _is_guarded(text: str) -> bool:
    """Tell whether a header counts once, however often it is included."""
    plain = COMMENT.sub(lambda match: match.group(1) or " ", text)
    guard = _GUARD.match(plain)
    if guard is None or guard.group(3) not in (guard.group(1), guard.group(2)):
        return bool(_ONCE.search(plain))
    return not re.search(rf"\b(?:undef|pop_macro)\b.*\b{guard.group(3)}\b", plain)


def _are_too_many(start: list[Path], seen: dict[Path, tuple[bool, list[Path]]]) -> bool:
    """Tell whether headers may be included without end where all conditions hold."""
    count, once, todo = 0, set[Path](), list(start)
    while todo and count <= _MOST:
        path = todo.pop()
        guarded, inner = seen.get(path, (True, []))
        if guarded and path in once:
            continue
        once.add(path)
        count += 1
        todo += inner
    return count > _MOST
