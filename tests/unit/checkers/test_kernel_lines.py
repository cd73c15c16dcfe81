"""The kernel is not asked about a program of several files: its text has no names for their lines."""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.base.file_line import FileLine
from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.checkers.kernel import ask_kernel
from knaster.frontends.languages import load
from knaster.program.model import Program


def test_several_files() -> None:
    program = load("void main() begin skip; end", file="a.bp")
    assert isinstance(program, Program)
    (main,) = program.procedures
    moved = replace(program, procedures=(replace(main, span=Span(FileLine(7, "b.c", 1), 1)),))
    word = ask_kernel(moved, "no proof", Budget())
    assert not word.holds and "several files" in word.silence
