"""Refusals say what should have been there, and where."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.refused import Refused, list_of, number_of, object_with, text_of, truth_of


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (lambda: list_of({}, "rows"), "rows: here should be a list"),
        (lambda: list_of([1], "rows", 2), "rows: here should be a list of 2"),
        (lambda: number_of(-1, "a size"), "a size: here should be a number from 0 on"),
        (lambda: number_of(True, "a size"), "a size: here should be a number from 0 on"),
        (lambda: number_of(5, "a size", 5), "a size: here should be a number from 0 to 4"),
        (lambda: text_of(1, "a name"), "a name: here should be a text"),
        (lambda: truth_of(1, "'deep'"), "'deep': here should be true or false"),
        (lambda: object_with({"b": 1}, ("b", "a"), "a row"), "a row: here should be an object with the fields a, b"),
    ],
)
def test_messages(read: Any, said: str) -> None:
    with pytest.raises(Refused) as refused:
        read()
    assert str(refused.value) == said and str(Refused("no", "'f'")) == "'f': no"


def test_what_is_right_is_returned() -> None:
    assert list_of([1], "rows", 1) == [1] and number_of(4, "a size", 5) == 4 and number_of(0, "a size") == 0
    assert object_with({"a": 1}, ("a",), "a row") == {"a": 1} and truth_of(False, "'deep'") is False
