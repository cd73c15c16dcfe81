"""A program without undefined steps of the kinds that are asked for may have others: the sentence does not deny it."""

from __future__ import annotations

import pytest

import knaster


@pytest.mark.parametrize(
    "body", ["int i = 2147483647; i++;", "int a = f(); if (a < 0 || a > 50000) return 0; a = a * a;"]
)
def test_overflow_is_not_denied(body: str) -> None:
    result = knaster.check(f"int f(void); int main(void) {{ {body} return 0; }}\n", file="a.c")
    said = result.to_text()
    assert "TRUE. No undefined step that was asked about can happen" in said
    assert "overflow" in said
