"""Texts of C as numbers, from their spelling."""

from __future__ import annotations

import re

_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}


def characters(body: str) -> list[int]:
    """Return the codes of the characters of a text or character constant, as bytes."""
    codes: list[int] = []
    index = 0
    while index < len(body):
        letter = body[index]
        index += 1
        if letter != "\\" or index == len(body):
            codes += letter.encode("utf-8")
            continue
        letter = body[index]
        index += 1
        if letter in "xX":
            end = index
            while end < len(body) and body[end] in "0123456789abcdefABCDEF":
                end += 1
            codes.append(int(body[index:end] or "0", 16) & 255)
            index = end
        elif letter in "01234567":
            end = index
            while end < len(body) and end < index + 2 and body[end] in "01234567":
                end += 1
            codes.append(int(body[index - 1 : end], 8) & 255)
            index = end
        else:
            codes.append(_ESCAPES.get(letter, ord(letter) & 255))
    return codes


_WIDE = re.compile(r'""|\\x([0-9A-F]+)|\\u(.{4})|\\U(.{8})|\\([0-7]{1,3})|\\?(.)', re.DOTALL)


def wide_characters(body: str, width: int) -> list[int]:
    """Return the codes of a text of wide characters as Clang spells it, of so many bytes each.

    Clang ends `\\x` before a digit with two quotes; a character beyond 16 bits is two, where each has two bytes.
    """
    codes: list[int] = []
    for match in _WIDE.finditer(body):
        number, *_, octal, letter = match.groups()
        number = number or match[2] or match[3]
        if number is not None:
            codes += _units(int(number, 16), width)
        elif octal is not None:
            codes.append(int(octal, 8))
        elif letter is not None:
            codes.append(_ESCAPES[letter] if match[0][0] == "\\" else ord(letter))
    return codes


def _units(code: int, width: int) -> list[int]:
    if width == 2 and code > 0xFFFF:
        return [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code - 0x10000 & 0x3FF)]
    return [code]
