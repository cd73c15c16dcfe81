"""Nothing that is shown can move a cursor or turn the direction of writing."""

from __future__ import annotations

import unicodedata

from knaster.base.visible import make_line, make_visible


def test_control_characters_are_shown() -> None:
    assert make_visible("a\x1b[2Kb\x7f\x9b\r\u202e") == r"a\x1b[2Kb\x7f\x9b\x0d\u202e"


def test_no_control_character_is_left() -> None:
    left = make_visible("".join(map(chr, range(0x3000))))
    assert {character for character in left if unicodedata.category(character) in ("Cc", "Zl", "Zp")} == {"\n", "\t"}


def test_other_texts_stay() -> None:
    text = "ümläut\tλ → 漢字\n"
    assert make_visible(text) == text


def test_one_line() -> None:
    assert make_line("a\n\tb\x1b") == r"a\n\tb\x1b"
