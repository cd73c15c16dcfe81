"""What a user may have meant."""

from __future__ import annotations

import pytest

from knaster.base.hints import MOST, did_you_mean, nearest


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("conter", ["counter", "count"], "counter"),
        ("error", ["ERROR", "errors"], "ERROR"),  # the same in other case wins over a similar one
        ("error", ["ERROR", "Error"], "ERROR"),
        ("xyz", ["counter"], ""),
        ("xyz", [], ""),
    ],
)
def test_the_nearest_name(name: str, known: list[str], expected: str) -> None:
    assert nearest(name, known) == expected
    assert nearest(name, known[::-1]) == expected


def test_several_collections_are_searched_at_once() -> None:
    assert nearest("lop", {"loop": 1}, {"x"}) == nearest("lop", ["x"], ("loop",)) == "loop"


def test_the_question() -> None:
    assert did_you_mean("lop", ["loop"]) == "did you mean 'loop'?"
    assert did_you_mean("lop", []) == ""


def test_among_very_many_names_only_case_is_mended() -> None:
    many = [f"name{number}" for number in range(MOST + 1)]
    assert nearest("nam17", many) == ""
    assert nearest("NAME17", many) == "name17"
