"""Values at earlier moments: expressions become variables, and what literals hold is no part of that."""

from __future__ import annotations

import pytest

from knaster.competition.past_values import PastValue, replace_past_values
from knaster.competition.sequence import NotValidated


def test_expressions_become_variables() -> None:
    text, past = replace_past_values("\\at(f(x, y), Old) < x && \\at(x, AnyPrev) > \\at(x, AnyPrev)", "p")
    assert text == "p0 < x && p1 > p1"
    assert past == [PastValue("p0", "f(x, y)", "Old"), PastValue("p1", "x", "AnyPrev")]


@pytest.mark.parametrize("literal", ["'\\0'", "')'", "'\\''", "'\"'", '"\\at(a"', '"(\\""'])
def test_literals_are_taken_as_they_are(literal: str) -> None:
    text, past = replace_past_values(f"\\at(a[i] != {literal}, AnyPrev) && {literal}", "p")
    assert text == f"p0 && {literal}" and past == [PastValue("p0", f"a[i] != {literal}", "AnyPrev")]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("\\at(\\at(x, Old), Old)", "has a value of a value"),
        ("\\at(x, Never)", "is no value at"),
        ("\\at(x, Old", "do not fit"),
    ],
)
def test_what_is_not_understood(text: str, why: str) -> None:
    with pytest.raises(NotValidated, match=why):
        replace_past_values(text, "p")
