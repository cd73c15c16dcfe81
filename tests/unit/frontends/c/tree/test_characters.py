"""Texts of C as numbers."""

from __future__ import annotations

import pytest

from knaster.frontends.c.tree.characters import characters


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (r"a\0b\\", [97, 0, 98, 92]),
        (r"\1234", [0o123, 52]),
        ("é", [0xC3, 0xA9]),
        (r"\x41\n\377", [65, 10, 255]),
    ],
)
def test_texts(text: str, codes: list[int]) -> None:
    assert characters(text) == codes
