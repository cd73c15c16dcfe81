"""The value of what stands after `#if`."""

from __future__ import annotations

import pytest

from knaster.frontends.c.text.conditions import NoCondition, holds, integer_of
from knaster.frontends.c.text.tokens import logical_lines


def value(text: str) -> bool:
    return holds(logical_lines(text, [])[0])


@pytest.mark.parametrize(
    "text",
    ["1 + 2 * 3 == 7", "10 - 4 - 3 == 3", "!NAME", "-1 < 0 && ~0 == -1", "0 ? 0 : 2", "(1 || 0) & 1", "1 << 2 == 4"],
)
def test_holds(text: str) -> None:
    assert value(text) and not value(f"!({text})")


@pytest.mark.parametrize("text", ["", "1 +", "(1", "1 2", "1 ? 2", "1 / 0", '"a"', "1.5", "(" * 300 + "1" + ")" * 300])
def test_no_conditions(text: str) -> None:
    with pytest.raises(NoCondition):
        value(text)


@pytest.mark.parametrize(
    ("text", "number"), [("0x1F", 31), ("010", 8), ("0b101", 5), ("12UL", 12), ("0", 0), ("08", None), ("1.0", None)]
)
def test_integers(text: str, number: int | None) -> None:
    assert integer_of(text) == number
