"""Tests of characters and numbers in texts: against what Python says of ASCII."""

from __future__ import annotations

import string

import pytest

from support.kernel_desk import Desk

MEANT = {
    "isupper": string.ascii_uppercase,
    "islower": string.ascii_lowercase,
    "isdigit": string.digits,
    "isalpha": string.ascii_letters,
    "isalnum": string.ascii_letters + string.digits,
    "isspace": " \t\n\v\f\r",
    "isblank": " \t",
    "isxdigit": string.hexdigits,
    "isprint": string.ascii_letters + string.digits + string.punctuation + " ",
    "isgraph": string.ascii_letters + string.digits + string.punctuation,
    "ispunct": string.punctuation,
    "iscntrl": "".join(map(chr, range(32))) + "\x7f",
}


@pytest.mark.parametrize("name", MEANT)
def test_characters(name: str) -> None:
    desk = Desk()
    for code in range(-1, 256):
        assert desk.call(name, code) == (code >= 0 and chr(code) in MEANT[name]), code


def test_large_and_small_letters() -> None:
    desk = Desk()
    for code in range(-1, 256):
        letter = chr(code) if 0 <= code < 128 else ""
        assert desk.call("tolower", code) == (ord(letter.lower()) if letter else code)
        assert desk.call("toupper", code) == (ord(letter.upper()) if letter else code)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[
            ("", 0),
            ("0", 0),
            ("7", 7),
            ("-7", -7),
            ("+7", 7),
            (" \t\n\v\f\r19", 19),
            ("12x9", 12),
            ("x1", 0),
            ("--1", 0),
        ],
        *[
            ("+-1", 0),
            ("- 1", 0),
            ("/", 0),
            (":", 0),
            ("9:", 9),
            ("2147483647", 2147483647),
            ("-2147483648", -(1 << 31)),
        ],
        *[("\x081", 0), ("\x0e1", 0), ("1 2", 1), ("007", 7)],
    ],
)
def test_numbers_in_texts(text: str, number: int) -> None:
    desk = Desk()
    assert desk.call("atoi", desk.text(text)) == number
