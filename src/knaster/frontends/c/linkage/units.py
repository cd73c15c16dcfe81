"""The files of a text of C as Clang reads them: one unit for a plain text, one for each file of several."""

from __future__ import annotations

from typing import Any

from knaster.base.errors import Problem, Span
from knaster.base.records import replace
from knaster.frontends.c.clang.reading import Unit, read_unit
from knaster.frontends.c.tree.spots import Layout, Text, lay_out
from knaster.frontends.text.options import COptions
from knaster.frontends.text.several import FilePart, is_several, join_files, split_files

_LISTS = ("include", "define", "undefine")


def lay_out_files(text: str) -> Layout:
    """Return a text as a reader sees it, each file of several as its line markers say."""
    if not is_several(text):
        return lay_out(text)
    return Layout(join_files([part._replace(text=lay_out(part.text).text) for part in split_files(text)]))


def read_units(text: str, file: str, options: COptions, layout: Layout, problems: list[Problem]) -> list[Unit]:
    """Return what Clang reads, file by file; what is wrong is added to the problems, and then there may be fewer."""
    if not is_several(text):
        one = read_unit(text, file, options, layout, problems)
        return [] if one is None else [one]
    shown, found = Text(layout.text), []
    for part, seen in zip(split_files(text), split_files(layout.text), strict=True):
        own: list[Problem] = []
        unit = read_unit(part.text, part.name, _options(options, part), _layout(part, seen, layout.text), own)
        problems += [replace(one, span=_span(one.span, seen, shown)) for one in own]
        found += [] if unit is None else [unit]
    return found


def _options(options: COptions, part: FilePart) -> COptions:
    """Return how one of several files is read: what is its own comes after what is said for all."""
    own: dict[str, Any] = {name: value for name, value in part.options.items() if name == "std"}
    for name in _LISTS:
        own[name] = (*getattr(options, name), *part.options.get(name, ()))
    return replace(options, **own)


def _layout(part: FilePart, seen: FilePart, whole: str) -> Layout:
    """Return where the lines of a file stand in the whole text."""
    own, lines = lay_out(part.text), part.text.count("\n") + 1
    places = own.places or tuple((number, 0) for number in range(1, lines + 1))
    return Layout(whole, tuple((line + seen.first - 1, before) for line, before in places))


def _span(span: Span, seen: FilePart, shown: Text) -> Span:
    """Return where a problem stands in the whole text; one that was found before Clang has a line of its file."""
    if type(span.line) is not int:
        return span
    return span._replace(line=shown.number(span.line + seen.first - 1))
