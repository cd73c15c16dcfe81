"""Lines that users name: of the file of a program, or of one of several."""

from __future__ import annotations

import pytest

from knaster.evidence.questions.lines import files_of, line_named
from knaster.frontends.text.several import FilePart, join_files
from knaster.program.model import Program

ONE = Program((), (), file="dir/p.c", source="int x;\n")
MANY = Program((), (), file="all", source=join_files([FilePart("d/a.c", "\n\n"), FilePart("d/b.c", "\n")]))


@pytest.mark.parametrize(
    "program, text, line",
    [
        (ONE, "3", 3), (ONE, "p.c:3", 3), (ONE, "q.c:3", None), (ONE, "L", None),
        (MANY, "d/a.c:1", 2), (MANY, "b.c:1", 5), (MANY, "3", None), (MANY, "c.c:1", None),
    ],
)  # fmt: skip
def test_a_line(program: Program, text: str, line: int | None) -> None:
    assert line_named(program, text) == line


def test_files() -> None:
    assert files_of(ONE) == ["p.c"] and files_of(MANY) == ["d/a.c", "d/b.c"]
    assert str(line_named(MANY, "b.c:1")) == "d/b.c:1"
