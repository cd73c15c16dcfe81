"""Which part of a `_Generic` is chosen: Clang's tree has the value and all parts, and says neither types nor choice.

The printed declaration has its macros expanded, so the k-th `_Generic` in it is the k-th one of the tree, and tells the
types.  Clang itself is asked which of them is that of the value, in a second reading of the text with a line for each
selection.  There local names are not known: where a type speaks of one, the choice cannot be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.frontends.c.clang.reading import Unit
from knaster.frontends.c.tree.loops import TOKEN

GENERIC = "GENERIC_SELECTION_EXPR"
WRAPPERS = ("PAREN_EXPR", "UNEXPOSED_EXPR", GENERIC)
_CHOICE = "knaster_choice_"
_TAGS = ("struct", "union", "enum")
_TAGGED = ("STRUCT_DECL", "UNION_DECL", "ENUM_DECL")
_PLAIN = ("VAR_DECL", "PARM_DECL", "FUNCTION_DECL", "TYPEDEF_DECL", "ENUM_CONSTANT_DECL")
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
Name = tuple[bool, str]  # whether it is a tag, and what it is called


class Selection(NamedTuple):
    """A `_Generic` of the tree, the types of its parts as they are printed, and the local names around it."""

    cursor: Any
    types: list[list[str]]
    local: frozenset[Name]


class Selections:
    """The selections of one file; the text is read again when the first of them is asked for."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.cursors = unit.cursors
        self._known: dict[Any, Any] | None = None

    def below(self, cursor: Any) -> list[Any]:
        """Return the cursors directly below one: of a selection the part that is chosen, none where nobody can tell."""
        if self.cursors.kind(cursor) != GENERIC:
            return self.cursors.below(cursor)
        if self._known is None:
            self._known = self._choose()
        found = self._known.get(_key(cursor))
        return [] if found is None else [found]

    def unwrapped(self, cursor: Any) -> Any:
        """Return what stands in brackets, is converted without a word, or is chosen."""
        while self.cursors.kind(cursor) in WRAPPERS and len(below := self.below(cursor)) == 1:
            (cursor,) = below
        return cursor

    def _choose(self) -> dict[Any, Any]:
        """Return the chosen part of each selection of the file that can be told."""
        found = list(self._selections())
        choices = self._ask(found)
        chosen: dict[Any, Any] = {}
        for number, selection in enumerate(found):
            if (index := choices.get(number)) is not None:
                chosen[_key(selection.cursor)] = self.cursors.below(selection.cursor)[1 + index]
        return chosen

    def _selections(self) -> Iterator[Selection]:
        for declaration in self.cursors.below(self.unit.root.cursor):
            if self.unit.is_ours(declaration):
                continue
            cursors, local = self._walk(declaration)
            texts = types_of_selections(self.cursors.printed(declaration)) if cursors else []
            if len(cursors) != len(texts):
                continue
            for cursor, types in zip(cursors, texts, strict=True):
                if len(self.cursors.below(cursor)) == len(types) + 1:
                    yield Selection(cursor, types, local)

    def _walk(self, declaration: Any) -> tuple[list[Any], frozenset[Name]]:
        """Return the selections inside a declaration, in the order of the text, and the names that it declares."""
        found, local, todo = [], set(), self.cursors.below(declaration)[::-1]
        while todo:
            cursor = todo.pop()
            kind = self.cursors.kind(cursor)
            if kind == GENERIC:
                found.append(cursor)
            elif kind in _TAGGED or kind in _PLAIN:
                local.add((kind in _TAGGED, str(cursor.spelling)))
            todo += reversed(self.cursors.below(cursor))
        return found, frozenset(local)

    def _ask(self, selections: list[Selection]) -> dict[int, int]:
        """Return which part of each selection Clang chooses, as far as it can be told."""
        lines = ["", ""]
        for number, selection in enumerate(selections):
            value = self.cursors.below(selection.cursor)[0]
            own = TOKEN.findall(str(value.type.get_canonical().spelling))
            types = [own, *selection.types]
            if not any(selection.local & set(_names(type)) for type in types):
                lines += [f"#undef {name}" for type in types for name in type if _NAME.fullmatch(name)]
                lines.append(_question(number, own, selection.types))
        if len(lines) == 2:
            return {}
        again = self.unit.again("\n".join(lines) + "\n")
        return dict(_answers(again))


def types_of_selections(text: str) -> list[list[list[str]]]:
    """Return for each `_Generic` of a text the types of its parts, as tokens."""
    tokens = TOKEN.findall(text)
    return [
        _types(tokens, start + 2)
        for start, token in enumerate(tokens)
        if token == "_Generic" and tokens[start + 1 : start + 2] == ["("]
    ]


def _types(tokens: list[str], index: int) -> list[list[str]]:
    found: list[list[str]] = []
    depth, type = 0, False  # the value comes first
    for token in tokens[index:]:
        if token == ")" and depth == 0:
            break
        if token == "," and depth == 0:
            found.append([])
            type = True
        elif token == ":" and depth == 0 and type:
            type = False
        elif type:
            found[-1].append(token)
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
    return found


def _names(type: Iterable[str]) -> Iterator[Name]:
    """Yield the names in a type; some are words of C."""
    before = ""
    for token in type:
        if _NAME.fullmatch(token):
            yield before in _TAGS, token
        before = token


def _question(number: int, own: list[str], types: list[list[str]]) -> str:
    """Return a constant that is the number of the chosen part: pointers to types are compatible where these are."""
    parts = [
        f"default: {index}" if type == ["default"] else f"__typeof__({' '.join(type)}) *: {index}"
        for index, type in enumerate(types)
    ]
    return f"enum {{ {_CHOICE}{number} = _Generic((__typeof__({' '.join(own)}) *) 0, {', '.join(parts)}) }};"


def _answers(unit: Unit) -> Iterator[tuple[int, int]]:
    wrong = {diagnostic.location.line for diagnostic in unit.root.diagnostics if diagnostic.severity >= 3}
    for declaration in unit.cursors.below(unit.root.cursor):
        if unit.cursors.kind(declaration) != "ENUM_DECL" or unit.cursors.start(declaration)[1] in wrong:
            continue
        for constant in unit.cursors.below(declaration):
            if str(constant.spelling).startswith(_CHOICE):
                yield int(str(constant.spelling)[len(_CHOICE) :]), int(constant.enum_value)


def _key(cursor: Any) -> Any:
    return cursor.data[1]  # Clang's own address of the expression
