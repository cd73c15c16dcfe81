"""Lines that know their file: numbers in order, shown as FILE:LINE, and the same after a journey."""

from __future__ import annotations

import json
import pickle

from knaster.base.file_line import FileLine, place


def test_a_line_is_a_number_that_shows_its_file() -> None:
    line = FileLine(14, "b.c", 3)
    assert f"line {line}" == "line b.c:3" and f"{line:>8}|{line:<6}|" == "   b.c:3|b.c:3 |"
    assert f"{line:>7d}" == "  b.c:3"
    assert line == 14 and FileLine(13, "z.c", 99) < line < 15 and json.dumps([line]) == "[14]"
    again = pickle.loads(pickle.dumps(line))
    assert (again, again.file, again.own) == (14, "b.c", 3)


def test_a_place() -> None:
    assert place("a.c", 3) == "a.c:3" and place("a.c b.c", FileLine(14, "b.c", 3)) == "b.c:3"
