"""Texts of C as numbers, from their spelling."""

from __future__ import annotations

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
