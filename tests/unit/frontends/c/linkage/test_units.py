"""The files of a text as Clang reads them: lines of each stand where they stand in the whole."""

from __future__ import annotations

from knaster.base.errors import Problem
from knaster.frontends.c.linkage.units import lay_out_files, read_units
from knaster.frontends.text.options import COptions
from knaster.frontends.text.several import FilePart, join_files


def test_lines_stand_in_the_whole() -> None:
    parts = [FilePart("a.i", '# 5 "x.c"\nint a;\n'), FilePart("b.c", "\nint b;\n")]
    text = join_files(parts)
    layout, problems = lay_out_files(text), list[Problem]()
    first, second = read_units(text, "all", COptions(), layout, problems)
    assert not problems
    lines = layout.text.split("\n")
    for unit, name in ((first, "int a;"), (second, "int b;")):
        (found,) = unit.cursors.below(unit.root.cursor)
        assert lines[unit.start(found)[0] - 1] == name


def test_a_plain_text_is_one_unit() -> None:
    problems: list[Problem] = []
    text = "int a;\n"
    assert len(read_units(text, "a.c", COptions(), lay_out_files(text), problems)) == 1
    assert read_units("int ;;;= 3;\n", "a.c", COptions(), lay_out_files(text), problems) == [] and problems
