"""Lines of several files have the names of their files, and names of lines are read back."""

from __future__ import annotations

import json

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.languages import load
from knaster_check import Refused, read_program
from knaster_check.lines import name_line, read_line
from knaster_check.program import Program


def several(*files: tuple[int, str]) -> Program:
    """Return a program whose text has these files."""
    document = json.loads(program_to_kernel(load("void main() begin skip; end", file="a.bp")))
    return read_program(json.dumps({**document, **({"files": files} if files else {})}))


@pytest.mark.parametrize(
    ("files", "line", "name"),
    [
        ((), 7, "7"),
        (((2, "a.c"), (10, "b.c")), 2, "a.c:1"),
        (((2, "a.c"), (10, "b.c")), 9, "a.c:8"),
        (((2, "a.c"), (10, "b.c")), 10, "b.c:1"),
        (((2, ""), (10, "qsort.c")), 5, "4"),
        (((2, "a.c"),), 1, "1"),
    ],
)
def test_a_line_has_the_name_of_its_file(files: tuple[tuple[int, str], ...], line: int, name: str) -> None:
    assert name_line(several(*files), line) == name


@pytest.mark.parametrize(
    ("files", "name", "line"),
    [
        ((), "31", (31, 0)),
        ((), "31:9", (31, 9)),
        ((), "0", None),
        ((), "31:0", None),
        ((), "a.c:31", None),
        ((), "", None),
        ((), f"{1 << 31}", None),
        ((), f"1:{1 << 31}", None),
        ((), "\N{SUPERSCRIPT TWO}", None),
        (((2, "a.c"), (10, "b.c")), "a.c:8", (9, 0)),
        (((2, "a.c"), (10, "b.c")), "a.c:9", None),
        (((2, "a.c"), (10, "b.c")), "a.c:0", None),
        (((2, "a.c"), (10, "b.c")), "b.c:1:5", (10, 5)),
        (((2, "a.c"), (10, "b.c")), "1", None),
        (((2, ""), (10, "qsort.c")), "4:3", (5, 3)),
        (((2, ""), (10, "qsort.c")), "qsort.c:4", (13, 0)),
    ],
)
def test_the_name_of_a_line_is_read_back(
    files: tuple[tuple[int, str], ...], name: str, line: tuple[int, int] | None
) -> None:
    assert read_line(several(*files), name) == line


def test_a_name_of_two_lines_and_files_in_disorder_are_refused() -> None:
    with pytest.raises(Refused, match="two files have this line"):
        read_line(several((2, ""), (10, "5")), "5:3")
    for files in (((10, "a.c"), (2, "b.c")), ((2, "a.c"), (2, "b.c")), ((0, "a.c"),)):
        with pytest.raises(Refused, match="another order"):
            several(*files)
