"""Finds designators of elements so far away, as `{[999999999] = 1}`, that Clang would take all memory for the array.

Clang makes an initialiser for every element before such a one, and breaks the process down where there is no memory, so
they are refused by their text: numbers, macros and enumerators that stand for numbers, products, and every shift.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod

from knaster.base.errors import Problem
from knaster.base.spans import line_starts, span_at

FARTHEST = 1_000_000
_IGNORED = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_DESIGNATOR = re.compile(r"[{,]\s*\[([^\[\]{}]*)\]")
_NUMBER = re.compile(r"\b(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)[uUlL]*\b")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_DEEPEST = 8  # macros of macros


def find_far_designators(text: str) -> Iterator[Problem]:
    """Yield a problem for each designator of an element that is too far away."""
    if "[" not in text or "{" not in text:
        return
    plain = _IGNORED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    starts = line_starts(text)
    for match in _DESIGNATOR.finditer(plain):
        if _is_far(match[1], plain, _DEEPEST):
            index = " ".join(match[1].split())
            where = span_at(starts, match.start(1), len(match[1]))
            yield Problem(f"element {index} is too far away for an initialiser", where, f"use less than {FARTHEST:,}")


def _is_far(expression: str, text: str, depth: int) -> bool:
    numbers = [_value(each) for each in _NUMBER.findall(expression)]
    if "<<" in expression or any(number >= FARTHEST for number in numbers):
        return True
    if "*" in expression and prod(numbers) >= FARTHEST:
        return True
    names = set(_NAME.findall(expression)) if depth else set()
    return any(_is_far(meaning, text, depth - 1) for name in sorted(names) for meaning in _meanings(name, text))


def _value(number: str) -> int:
    if len(number) > 20:
        return FARTHEST
    return int(number, 0) if number[:2].lower() in ("0x", "0b") else int(number)


def _meanings(name: str, text: str) -> list[str]:
    """Return what a name stands for where a macro or an enumerator says so."""
    macros = re.findall(rf"^[ \t]*#[ \t]*define[ \t]+{name}\b(?:\([^)\n]*\))?([^\n]*)$", text, re.MULTILINE)
    return [*macros, *re.findall(rf"[{{,]\s*{name}\s*=([^,}}]*)", text)]
