"""Which names of several files mean the same: external ones are one thing, those of one file are told apart.

C17 6.2.2 and 6.9: a function or variable of the whole program is defined in one file, and declared with compatible
types elsewhere; what is `static` belongs to its file.  Inline functions may be defined in several files alike.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

from knaster.base.errors import Problem
from knaster.base.records import dataclass, field
from knaster.frontends.c.clang.reading import Unit
from knaster.frontends.c.library.sources import OURS
from knaster.frontends.c.tree.nodes import Object
from knaster.frontends.c.tree.spots import Text

_EXTERNAL, _INTERNAL = 4, 2  # linkages of libclang
_EXTERN = 2  # a storage class
_PLACE = re.compile(r"\((?:unnamed|anonymous)[^)]*\)")
_LENGTH = re.compile(r"\[\d*\]")
_ONCE = "name the files of one program, or make one of them static"
_ALIKE = "declare it in one header that both files include"


@dataclass(slots=True)
class Link:
    """What the names of one file mean in the whole program."""

    renamed: dict[str, str] = field(default_factory=dict)  # names that only this file knows
    dropped: set[str] = field(default_factory=set)  # inline functions that another file defines alike
    objects: dict[str, Object] = field(default_factory=dict)  # the variables of all files
    tags: dict[Any, str] | None = None  # structs by what they are, where files share them
    alone: bool = True  # whether this is the only file

    def name(self, cursor: Any) -> str:
        """Return the name in the program of what a cursor declares."""
        name = str(cursor.spelling)
        if name in self.renamed and cursor.linkage.value == _INTERNAL:
            return self.renamed[name]
        return name

    def tag(self, name: str, number: int, shape: object) -> str:
        """Return what tells a struct from others."""
        if self.tags is None:
            return f"{name}#{number}"
        name = name if name.isidentifier() else ""
        return self.tags.setdefault((name, shape), f"{name}#{len(self.tags) + 1}")


@dataclass(frozen=True, slots=True)
class _Declared:
    """A declaration outside of functions that other files can mean."""

    unit: Unit
    cursor: Any
    kind: str
    defines: bool

    @property
    def is_ours(self) -> bool:
        return str(self.unit.root.spelling) in OURS

    @property
    def is_inline(self) -> bool:
        return bool(self.unit.cursors.library.clang_Cursor_isFunctionInlined(self.cursor))


def link_units(units: Sequence[Unit], problems: list[Problem]) -> list[Link]:
    """Return what the names of each file mean; what contradicts itself is added to the problems."""
    if len(units) < 2:
        return [Link() for _ in units]
    objects: dict[str, Object] = {}
    tags: dict[Any, str] = {}
    links = [Link(objects=objects, tags=tags, alone=False) for _ in units]
    shared: dict[str, list[_Declared]] = {}
    own: list[set[str]] = []
    mentioned: list[set[str]] = []
    for unit in units:
        internal, names = set(), set()
        for cursor in unit.cursors.below(unit.root.cursor):
            kind = unit.cursors.kind(cursor)
            if kind not in ("FUNCTION_DECL", "VAR_DECL"):
                continue
            name = str(cursor.spelling)
            names.add(name)
            if cursor.linkage.value == _INTERNAL:
                internal.add(name)
            elif cursor.linkage.value == _EXTERNAL:
                shared.setdefault(name, []).append(_Declared(unit, cursor, kind, _defines(unit, cursor, kind)))
        own.append(internal)
        mentioned.append(names)
    titles = _titles([str(unit.root.spelling) for unit in units])
    for number, names in enumerate(own):
        others = set().union(*(mentioned[other] for other in range(len(units)) if other != number))
        links[number].renamed = {name: f"{titles[number]}::{name}" for name in sorted(names & others)}
    for name, declared in shared.items():
        _check(name, declared, problems)
        _drop(name, declared, dict(zip(map(id, units), links, strict=True)))
    return links


def _titles(files: Sequence[str]) -> list[str]:
    """Return short names of files: the last part of a path where that is enough."""
    short = [os.path.basename(file) for file in files]
    return [name if short.count(name) == 1 else file for name, file in zip(short, files, strict=True)]


def _defines(unit: Unit, cursor: Any, kind: str) -> bool:
    if kind == "FUNCTION_DECL":
        return bool(cursor.is_definition())
    storage = unit.cursors.library.clang_Cursor_getStorageClass(cursor)
    return storage != _EXTERN or unit.cursors.initializer(cursor) is not None


def _check(name: str, declared: Sequence[_Declared], problems: list[Problem]) -> None:
    """Add what is wrong with a name: two files define it, or they do not agree what it is."""
    first = next((one for one in declared if one.defines), declared[0])
    for one in declared:
        if one.unit is first.unit:
            continue
        if one.kind != first.kind or not _agree(first, one):
            what = f"'{name}' is '{_type(one)}' here, and '{_type(first)}' at {_where(first)}"
            problems.append(Problem(what, _span(one), _ALIKE))
        elif one.is_ours or first.is_ours:
            continue  # a function of the library that the program defines itself
        elif one.defines and first.defines and not (one.is_inline and first.is_inline and _same(one, first)):
            problems.append(Problem(f"'{name}' is defined twice: here and at {_where(first)}", _span(one), _ONCE))


def _drop(name: str, declared: Sequence[_Declared], links: dict[int, Link]) -> None:
    """Let one definition of an inline function stand for all."""
    defined = [one for one in declared if one.defines and one.kind == "FUNCTION_DECL"]
    for one in sorted(defined, key=lambda one: one.is_ours)[1:]:
        links[id(one.unit)].dropped.add(name)


def _same(one: _Declared, other: _Declared) -> bool:
    return one.unit.cursors.printed(one.cursor) == other.unit.cursors.printed(other.cursor)


def _type(one: _Declared) -> str:
    return str(one.cursor.type.get_canonical().spelling)


def _agree(one: _Declared, other: _Declared) -> bool:
    """Tell whether two declarations are compatible, as far as their types are written."""
    first, second = (_PLACE.sub("", _type(each)) for each in (one, other))
    if first == second:
        return True
    if "FUNCTIONNOPROTO" in (_kind(one), _kind(other)) and one.kind == "FUNCTION_DECL":
        return str(one.cursor.result_type.get_canonical().spelling) == str(
            other.cursor.result_type.get_canonical().spelling
        )
    open_ends = "INCOMPLETEARRAY" in (_kind(one), _kind(other))
    return open_ends and _LENGTH.sub("[]", first, count=1) == _LENGTH.sub("[]", second, count=1)


def _kind(one: _Declared) -> str:
    return one.unit.cursors.type_kinds.get(one.cursor.type.get_canonical()._kind_id, "")


def _span(one: _Declared) -> Any:
    return Text(one.unit.layout.text).first(one.unit.name_of(one.cursor))


def _where(one: _Declared) -> str:
    return str(_span(one).line)
