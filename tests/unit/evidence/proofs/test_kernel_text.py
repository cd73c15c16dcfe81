"""The text of a program for the kernel: what may be missing, and what cells are."""

from __future__ import annotations

from knaster.evidence.proofs.kernel_text import _cell, _perhaps, expression_to_rows
from knaster.program.expression import Var
from knaster.program.objects import ArrayCell, ChannelCell, ClassCell, SetCell
from knaster.program.types import BOOL


def test_what_may_be_missing() -> None:
    assert _perhaps(None) is None
    assert _perhaps(Var("x")) == expression_to_rows(Var("x"))


def test_cells() -> None:
    cells = (ClassCell("C", (("f", BOOL),), ()), ArrayCell("A", BOOL, 3), ChannelCell("L", BOOL), SetCell("S", BOOL))
    assert [_cell(cell)[:2] for cell in cells] == [["class", "C"], ["array", "A"], ["channel", "L"], ["set", "S"]]
