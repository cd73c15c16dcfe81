"""What of a proof a witness can say."""

from __future__ import annotations

import pytest

import knaster
from knaster.competition.proved_claims import Claims, ends_do, write_part
from knaster.competition.tokens import TokenText


@pytest.mark.parametrize(
    ("part", "written"),
    [
        ("i >= 0", "i >= 0"),
        ("7 >= i", "7 >= (__int128)i"),
        ("i + 2 * n <= -3 - k", "(__int128)i + 2 * (__int128)n <= -3 - (__int128)k"),
        ("\\result >= \\old(n) + 1", "(__int128)\\result >= (__int128)\\at(n, Old) + 1"),
        ("(int)(i + n) <= 3", None),
        ("a[i] <= 3", None),
        ("i + gone <= 3", None),
        ("i % 2 == 1", None),
        ("i + 99999999999999999999 > n", None),
        ("a" * 60 + "[1] <= 3", None),  # at once
    ],
)
def test_parts_of_proofs(part: str, written: str | None) -> None:
    text = "int main(void) { int i = 0, n = 1, k = 2, a[3]; return i; }\n"
    claims = Claims(knaster.check(text, file="p.c", property="termination"), TokenText(text), "p.c")
    assert write_part(claims, part) == written


def test_the_while_of_a_do_is_no_loop() -> None:
    text = TokenText("void f(int x) { if (x) { x--; } while (x) ; do { x--; } while (x); do x--; while (x); }")
    loops = [number for number, token in enumerate(text.tokens) if token.text == "while"]
    assert [ends_do(text, number) for number in loops] == [False, True, True]
