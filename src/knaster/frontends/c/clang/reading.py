"""A text of C as Clang reads it: its translation unit, or Clang's errors in our form.

Functions that verifiers know and that nobody declares are declared as `words` says, in a second reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ctypes import c_void_p
from pathlib import Path
from typing import Any

from knaster.base.errors import Problem, SourceError, Span
from knaster.base.records import dataclass, replace
from knaster.frontends.c.clang.command import HEADERS, command_line
from knaster.frontends.c.clang.cursors import Cursors
from knaster.frontends.c.clang.designators import find_far_designators
from knaster.frontends.c.clang.includes import ADVICE, OUTSIDE, Includes, find_includes
from knaster.frontends.c.clang.library import load_library
from knaster.frontends.c.clang.macros import find_large_macros
from knaster.frontends.c.clang.words import declarations_of
from knaster.frontends.c.tree.nodes import Spot
from knaster.frontends.c.tree.spots import Layout, Text
from knaster.frontends.text.options import COptions

_NEWEST = "gnu2x"
_ERROR = 3  # the severity of an error; fatal ones are above
_UNDECLARED = re.compile(r"call to undeclared (?:library )?function '(\w+)'")
_UNKNOWN_NAME = re.compile(r"use of undeclared identifier '(\w+)'")  # what the newest C says of a call, too
_UNKNOWN = re.compile(r"(?:unknown attribute|attribute) '([\w:]+)' ignored|'(\w+)' attribute ignored")
_HEADER = re.compile(r"'(.*)' file not found")
_REFUSED = frozenset(("scalar_storage_order", "vector_size", "mode", "packed", "aligned", "cleanup"))
_NO_CONSTANT = "static assertion expression is not an integral constant"  # HOLA's way to write assert
_STATIC = "__knaster_assert_is_static"
_ATOMICS = re.compile(r"\b__(?:atomic|sync)_\w")  # words of compilers, which have no type of their own
_WORDS = str(HEADERS / "words-of-verifiers.h")  # a file that is only in memory


@dataclass(slots=True)
class Unit:
    """What Clang read, and where it stands."""

    cursors: Cursors
    root: Any
    layout: Layout
    lines: list[bytes | None]  # of the file, where they are not plain ASCII
    main: int | None  # the file itself
    included: dict[int, Spot]  # other files: where they are included
    ours: frozenset[int]  # headers of our own
    again: Callable[[str], Unit]  # what Clang reads where more stands at the end of the text

    def spot(self, place: tuple[int | None, int, int, int]) -> Spot:
        """Return where a place of Clang stands in the text that a reader sees."""
        file, line, column, _ = place
        if file != self.main:
            return self.included.get(file or 0, (1, 1))
        if line <= len(self.lines) and (encoded := self.lines[line - 1]) is not None:
            column = len(encoded[: column - 1].decode("utf-8", "replace")) + 1
        return self.layout.spot(line, column)

    def start(self, cursor: Any) -> Spot:
        """Return where a cursor begins."""
        return self.spot(self.cursors.start(cursor))

    def name_of(self, cursor: Any) -> Spot:
        """Return where the name stands that a cursor declares."""
        return self.spot(self.cursors.where(cursor))

    def is_ours(self, cursor: Any) -> bool:
        """Tell whether only a header of ours, or nobody, declares what a cursor stands for."""
        file = self.cursors.where(cursor)[0]
        return file is None or file in self.ours


def read_unit(text: str, file: str, options: COptions, layout: Layout, problems: list[Problem]) -> Unit | None:
    """Return what Clang reads; None where it finds errors, which are added to the problems."""
    includes = find_includes(text, file, options.include, options.define)
    problems += includes.problems
    if "\0" in text:
        problems.append(Problem("there is a character with the code 0 in this text", Span(1, 1)))
    problems += find_far_designators(text)
    problems += find_large_macros(text)
    if problems:
        return None
    unit = _declared(text, file, options, layout, includes)
    found = _problems(unit, includes)
    if found and options.std == COptions().std:  # perhaps it is a text of the newest C
        newer = _declared(text, file, replace(options, std=_NEWEST), layout, includes)
        if not _problems(newer, includes):
            return newer
    problems += found
    return None if problems else unit


def _declared(text: str, file: str, options: COptions, layout: Layout, includes: Includes) -> Unit:
    """Return what Clang reads, words of verifiers declared."""
    unit = _parse(text, file, options, layout, includes, "")
    undeclared = _UNKNOWN_NAME if options.std.endswith("2x") else _UNDECLARED
    words = declarations_of(dict.fromkeys(_undeclared(unit, undeclared)))
    if any(diagnostic.spelling.startswith(_NO_CONSTANT) for diagnostic in unit.root.diagnostics):
        words += f"\n#define {_STATIC}\n"
    return _parse(text, file, options, layout, includes, words) if words else unit


def _parse(text: str, file: str, options: COptions, layout: Layout, includes: Includes, words: str) -> Unit:
    cindex = load_library()
    arguments = command_line(options)
    unsaved = [(file, text)] + [
        (path, f'#error "{name}"\n') for path, name in includes.hidden.items() if "\0" not in path
    ]
    if _ATOMICS.search(text):
        arguments += ["-include", str(HEADERS / "atomics.h")]
    if words:
        unsaved.append((_WORDS, words))
        arguments += ["-include", _WORDS]
    try:
        root = cindex.Index.create().parse(file, args=arguments, unsaved_files=unsaved)
    except cindex.TranslationUnitLoadError:
        raise SourceError(file, layout.text, [Problem("Clang cannot read this text", Span(1, 1), ADVICE)]) from None

    def again(more: str) -> Unit:
        return _parse(text + more, file, options, layout, includes, words)

    return _unit(root, text, file, layout, again)


def _unit(root: Any, text: str, file: str, layout: Layout, again: Callable[[str], Unit]) -> Unit:
    cursors = Cursors(root)
    lines = [None if line.isascii() else line.encode("utf-8") for line in text.split("\n")]
    handle = _handle(root.get_file(file))
    unit = Unit(cursors, root, layout, lines, handle, {}, frozenset(), again)
    ours = set()
    for inclusion in root.get_includes():
        included = _handle(inclusion.include)
        at = inclusion.location  # what it points to is gone by now: only what was asked in time can be asked
        source = (_handle(at.file) if at.file else None, at.line, at.column, at.offset)
        unit.included.setdefault(included, unit.spot(source))
        if Path(inclusion.include.name).is_relative_to(HEADERS):
            ours.add(included)
    unit.ours = frozenset(ours)
    return unit


def _handle(file: Any) -> int:
    return int(c_void_p.from_buffer(file._as_parameter_).value or 0)


def _undeclared(unit: Unit, message: re.Pattern[str]) -> list[str]:
    found = (message.match(diagnostic.spelling) for diagnostic in unit.root.diagnostics)
    return [match.group(1) for match in found if match]


def _problems(unit: Unit, includes: Includes) -> list[Problem]:
    """Return Clang's errors in our form, and what it ignores although it matters."""
    shown = Text(unit.layout.text)
    found: list[Problem] = []
    for diagnostic in unit.root.diagnostics:
        where = unit.cursors._locate(unit.cursors.library.clang_getExpansionLocation, diagnostic.location)
        span = shown.first(unit.spot(where)) if where[0] is not None else Span(1, 1)
        message = diagnostic.spelling
        if diagnostic.severity >= _ERROR:
            found.append(_problem(message, span, diagnostic, where[0] != unit.main, includes))
        elif (match := _UNKNOWN.search(message)) and (match.group(1) or match.group(2)).strip("_") in _REFUSED:
            word = (match.group(1) or match.group(2)).strip("_")
            found.append(Problem(f"the attribute '{word}' is not read", span, "write the program without it"))
    return list(dict.fromkeys(found))


def _problem(message: str, span: Span, diagnostic: Any, elsewhere: bool, includes: Includes) -> Problem:
    if header := _HEADER.fullmatch(message):
        return Problem(f"the header '{header.group(1)}' is not known", span, ADVICE)
    if elsewhere and message.strip('"') in includes.hidden.values():
        return Problem(f"'{message.strip(chr(34))}' is outside of the program's folder", span, OUTSIDE)
    notes = [f"line {note.location.line}: {note.spelling}" for note in diagnostic.children if note.location.line]
    return Problem(message, span, "; ".join(notes[:2]))
