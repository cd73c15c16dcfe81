"""Cursors: an error inside a callback is raised again, and nothing below a cursor is left out."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.frontends.c.clang.cursors import Cursors
from knaster.frontends.c.clang.reading import Unit, read_unit
from knaster.frontends.c.tree.spots import Layout
from knaster.frontends.text.options import COptions


def unit_of(text: str) -> Unit:
    found = read_unit(text, "test.c", COptions(), Layout(text), [])
    assert found is not None
    return found


def test_what_stands_below() -> None:
    unit = unit_of("int x = 3; int f(void) { return x; }\n")
    below = unit.cursors.below(unit.root.cursor)
    assert [unit.cursors.kind(cursor) for cursor in below] == ["VAR_DECL", "FUNCTION_DECL"]
    initial = unit.cursors.initializer(below[0])
    assert initial is not None and unit.cursors.constant(initial) == 3 and unit.cursors.text(initial) == "3"
    assert "return x;" in unit.cursors.printed(below[1])


def test_an_interrupt_inside_a_callback_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = unit_of("int x; int y;\n")

    def interrupted(self: Cursors, child: Any, parent: Any, data: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(Cursors, "_collect", interrupted)
    cursors = Cursors(unit.root)
    with pytest.raises(KeyboardInterrupt), cursors.watch():
        cursors.below(unit.root.cursor)
