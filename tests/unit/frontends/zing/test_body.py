"""What statements of a method share: the values that it gives back, its conditions, and channels."""

from __future__ import annotations

import pytest

from support.zing_text import messages, model, steps


def test_what_a_return_gives_back() -> None:
    """The result, or its default where the method just ends, and then every out parameter."""
    members = "static int one(out bool b) { b = true; return 7; } static bool two(out int n) { n = 3; }"
    assert steps("", members, "one")[-1] == "1-2 return 7, b"
    assert steps("", members, "two")[-1] == "1-2 return false, n"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("if (1) { }", "a condition is a bool, this is int"),
        ("while true { }", "expected '(', found 'true'"),
        ("assume(true;", "expected ')', found ';'"),
        ("int i; send(i, 1);", "this is int, no channel"),
    ],
)
def test_mistakes(body: str, problem: str) -> None:
    assert messages(model(body))[0] == problem
