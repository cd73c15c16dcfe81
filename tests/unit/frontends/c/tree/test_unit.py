"""The whole tree: every kind of cursor is read or refused by name, and nothing is skipped."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.errors import Problem
from knaster.base.trampoline import run
from knaster.frontends.c.clang.library import load_library
from knaster.frontends.c.clang.reading import read_unit
from knaster.frontends.c.linkage.link import Link
from knaster.frontends.c.tree import nodes
from knaster.frontends.c.tree.spots import Layout
from knaster.frontends.c.tree.unit import Reader
from knaster.frontends.text.options import COptions

TEXT = "int main(void) { int x = 1; return x + 2; }\n"


def reader_of(text: str) -> Reader:
    problems: list[Problem] = []
    unit = read_unit(text, "test.c", COptions(), Layout(text), problems)
    assert unit is not None
    return Reader(unit, problems, Link())


def kinds(which: str) -> list[Any]:
    return [kind for kind in load_library().CursorKind.get_all_kinds() if getattr(kind, which)()]


@pytest.mark.parametrize("which", ["is_expression", "is_statement", "is_declaration"])
def test_every_kind_of_cursor_is_read_or_refused(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of(TEXT)
    (main,) = reader.cursors.below(reader.unit.root.cursor)
    known = reader.expressions.known_kinds | reader.statements.known_kinds
    for kind in kinds(which):
        name = reader.cursors.kinds[kind.value]
        if name in known:
            continue
        before = len(reader.problems)
        monkeypatch.setattr(reader.cursors, "kind", lambda cursor, name=name: name)
        monkeypatch.setattr(reader, "is_expression", lambda cursor: which == "is_expression")
        reader.problems.clear()
        run(reader.statements.read(main))
        assert len(reader.problems) == 1 and "not read" in reader.problems[0].message, (name, before)


def test_the_tree_of_a_text() -> None:
    file = reader_of(TEXT).read()
    (main,) = file.functions
    declaration, leave = main.body.parts
    assert isinstance(declaration, nodes.Declaration) and declaration.object.name == "x"
    assert isinstance(leave, nodes.Return) and isinstance(leave.value, nodes.Binary) and leave.value.op == "+"
    assert [type(part).__name__ for part in nodes.parts(leave.value)] == ["Name", "Number"]
