"""The text of a program for the kernel: what may be missing, and what cells are."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from knaster.base.errors import Span
from knaster.base.file_line import FileLine
from knaster.evidence.proofs import kernel_text
from knaster.evidence.proofs.kernel_text import _cell, _files, _perhaps, expression_to_rows, program_to_kernel
from knaster.frontends.languages import load
from knaster.program.expression import Var
from knaster.program.objects import ArrayCell, ChannelCell, ClassCell, SetCell
from knaster.program.types import BOOL


def test_what_may_be_missing() -> None:
    assert _perhaps(None) is None
    assert _perhaps(Var("x")) == expression_to_rows(Var("x"))


def test_cells() -> None:
    cells = (ClassCell("C", (("f", BOOL),), ()), ArrayCell("A", BOOL, 3), ChannelCell("L", BOOL), SetCell("S", BOOL))
    assert [_cell(cell)[:2] for cell in cells] == [["class", "C"], ["array", "A"], ["channel", "L"], ["set", "S"]]


def test_files_begin_where_their_first_lines_are() -> None:
    """Of a program of several files each line knows its file, and its line there."""

    def span(line: int, file: str, own: int) -> Span:
        return Span(FileLine(line, file, own), 1)

    edges = [SimpleNamespace(span=span(12, "b.c", 3)), SimpleNamespace(span=span(5, "a.c", 5))]
    program: Any = SimpleNamespace(procedures=[SimpleNamespace(span=span(2, "a.c", 2), edges=edges)])
    assert _files(program) == [(1, "a.c"), (10, "b.c")]
    plain = [SimpleNamespace(span=Span(5, 1))]
    assert _files(SimpleNamespace(procedures=[SimpleNamespace(span=Span(2, 1), edges=plain)])) == []  # type: ignore[arg-type]


def test_only_a_program_of_several_files_names_them(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load("void main() begin skip; end", file="a.bp")
    assert "files" not in json.loads(program_to_kernel(program))
    monkeypatch.setattr(kernel_text, "_files", lambda program: [(1, "a.bp"), (3, "b.bp")])
    assert json.loads(program_to_kernel(program))["files"] == [[1, "a.bp"], [3, "b.bp"]]
