"""Files of formulas: names, comments, and errors at their line."""

from __future__ import annotations

import pytest

from knaster.automata.formula_files import read_formulas, split_name
from knaster.base.errors import SourceError

TEXT = "# what is asked\nlive: G F at(L)  # often\n\nG !at(a.bp:12)\n"


def test_names_and_comments() -> None:
    found = read_formulas(TEXT, "f.ltl")
    assert [(one.name, one.text) for one in found] == [("live", "G F at(L)"), ("", "G !at(a.bp:12)")]
    assert [one.property for one in found] == ["live: G F at(L)", "G !at(a.bp:12)"]


def test_a_name_is_told_from_a_formula() -> None:
    assert split_name("a.b: F p")[0] == "a.b" and split_name("at(f:12)") == ("", "at(f:12)")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("live: G (\n", 1, "too early"),
        ("\n\nlive:\n", 3, "too early"),
        ("# nothing\n", 1, "no formula"),
        ("a: F p\na: G p\n", 2, "twice"),
    ],
)
def test_errors(text: str, line: int, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        read_formulas(text, "f.ltl")
    problem = caught.value.problems[0]
    assert problem.span.line == line and message in problem.message
