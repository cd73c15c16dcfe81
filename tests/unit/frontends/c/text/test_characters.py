"""Character constants and texts of C as numbers."""

from __future__ import annotations

import pytest

from knaster.frontends.c.text.characters import character, characters


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'a'", 97),
        (r"'\n'", 10),
        (r"'\x41'", 65),
        (r"'\101'", 65),
        (r"'\377'", -1),
        ("'ab'", 97 * 256 + 98),
        ("L'a'", 97),
    ],
)
def test_constants(text: str, value: int) -> None:
    assert character(text) == value


def test_texts() -> None:
    assert characters(r"a\0b\\") == [97, 0, 98, 92]
    assert characters(r"\1234") == [0o123, 52] and characters("é") == [0xC3, 0xA9]
