"""Texts of C as numbers."""

from __future__ import annotations

import pytest

from knaster.frontends.c.tree.characters import characters, wide_characters


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


@pytest.mark.parametrize(
    ("text", "width", "codes"),
    [
        (r"a\x1234" '""' r"5\x20AC\n\"\\", 4, [97, 0x1234, 53, 0x20AC, 10, 34, 92]),
        (r"\304\0011\uFEFFx\U0001F600", 4, [0xC4, 1, 49, 0xFEFF, 120, 0x1F600]),
        (r"a\U0001F600b", 2, [97, 0xD83D, 0xDE00, 98]),
    ],
)
def test_texts_of_wide_characters_as_clang_spells_them(text: str, width: int, codes: list[int]) -> None:
    assert wide_characters(text, width) == codes
