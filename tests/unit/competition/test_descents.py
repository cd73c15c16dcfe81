"""Which transition invariants are shown by steps: measures that descend, and whatever is less than that is not one."""

from __future__ import annotations

import pytest

from knaster.competition.descents import descent_of


@pytest.mark.parametrize(
    ("value", "condition"),
    [
        (r"\at(x, AnyPrev) > x", ""),
        (r"-\at(x, AnyPrev) > -x", ""),
        (r"(long long)\at(n, AnyPrev) - (long long)\at(i, AnyPrev) + 1 > (long long)n - (long long)i + 1", ""),
        (r"\at(x, AnyPrev) > x || (\at((i < n), AnyPrev) && !(i < n))", "i < n"),
        (r"(\at((f(i) < (n)), AnyPrev) && !(f(i) < (n))) || \at(x, AnyPrev) > x", "f ( i ) < ( n )"),
    ],
)
def test_descents(value: str, condition: str) -> None:
    found = descent_of(value)
    assert found is not None and found.condition == condition


@pytest.mark.parametrize(
    "value",
    [
        "",
        ") || (",
        "1 > 1",
        r"\at(x, AnyPrev) >= x",
        r"\at(x, AnyPrev) > y",
        r"\at(x, LastPrev) > x",
        r"\at(x, AnyPrev) - y > x - y",  # y is the one of now
        r"\at(x.y, AnyPrev) > x.y",
        r"\at(x, AnyPrev) > x && y > 1",
        r"!\at(x, AnyPrev) > !x",
        r"\at(x, AnyPrev) > x > 0",
        r"\at(x, AnyPrev) > x || \at(y, AnyPrev) > y",  # of which neither has to go on
        r"\at(x, AnyPrev) > x || (\at((i < n), AnyPrev) && !(i <= n))",
        r"\at(x, AnyPrev) > x || (\at((i < n), AnyPrev) || !(i < n))",
        r"\at(x, AnyPrev) > x || (\at((a) || (b), AnyPrev) && !(a) || (b))",
        r"\at(x, AnyPrev) > x || \at((i), AnyPrev) && !(i)",
        r"\at(x, AnyPrev) > x || (\at((i), AnyPrev) && !(i)) || y",
    ],
)
def test_what_is_none(value: str) -> None:
    assert descent_of(value) is None
