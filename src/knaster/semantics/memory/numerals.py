"""Floating-point numbers in texts: `strtod`, `strtof` and `atof` (C17 7.22.1.3), in the locale "C".

The nearest number, the even one of two, as IEEE 754 has it.  A number that is too large is infinite and sets `errno`;
whether one that is too small sets it is left open.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.floating_point import nearest
from knaster.program.memory import NULL, Addresses, Floating
from knaster.program.types import Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.library import Does
from knaster.semantics.memory.mathematics import DOUBLE, SINGLE
from knaster.semantics.memory.strings import after, text_at
from knaster.semantics.memory.unknown import force

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine

_DECIMAL = re.compile(r"(\d+\.?\d*|\.\d+)(?:[eE]([-+]?\d+))?", re.ASCII)
_HEXADECIMAL = re.compile(r"0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP]([-+]?\d+))?", re.ASCII)
_WORDS = re.compile(r"(inf)(?:inity)?|(nan)(?:\(\w*\))?", re.ASCII | re.IGNORECASE)
_SIGN = re.compile(r"[ \t\n\v\f\r]*([-+]?)")
_LEAST_NORMAL = {64: Fraction(2) ** -1022, 32: Fraction(2) ** -126}
_RANGE = 34  # the number of the error
_MOST_DIGITS = 4_000
_FAR = 5_000  # an exponent that is as good as any larger one


def read_number(text: str, type: Floating) -> tuple[float, int, str]:
    """Return the number at the beginning of a text, how many characters it has, and "over" or "under" if it is none."""
    sign = _SIGN.match(text)
    assert sign is not None
    rest, at = text[sign.end() :], sign.end()
    minus = sign[1] == "-"
    if (word := _WORDS.match(rest)) is not None:
        return (-math.inf if minus else math.inf) if word[1] else math.nan, at + word.end(), ""
    if (found := _HEXADECIMAL.match(rest)) is not None:
        exact = _exact(found[1], 16, found[2], 2)
    elif (found := _DECIMAL.match(rest)) is not None:
        exact = _exact(found[1], 10, found[2], 10)
    else:
        return 0.0, 0, ""
    value = nearest(exact, type) if exact else 0.0
    small = exact < _LEAST_NORMAL[type.width] and Fraction(value) != exact  # mutant(<): that one is a number
    trouble = "over" if math.isinf(value) else "under" if small else ""
    return -value if minus else value, at + found.end(), trouble


def _exact(digits: str, base: int, exponent: str | None, power: int) -> Fraction:
    if max(len(digits), len(exponent or "")) > _MOST_DIGITS:
        raise Unclear(f"a number has more than {_MOST_DIGITS:,} digits")
    whole, _, part = digits.partition(".")
    significant = Fraction(int(whole + part, base), base ** len(part))
    most = _FAR + 4 * len(digits)
    return significant * Fraction(power) ** max(-most, min(most, int(exponent or 0)))


def _text(machine: Machine, place: Any, span: Span) -> str:
    return bytes(force(code) for code in text_at(machine, place, span)).decode("latin-1")


def _strtod(type: Floating) -> Does:
    def call(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        value, length, trouble = read_number(_text(machine, given[0], span), type)
        if trouble and "errno" in machine.globals:
            if trouble == "under":
                raise Unclear("whether a number that is too small sets errno is left to the library")
            machine.store(machine.globals["errno"], Int(32), _RANGE, span)
        if given[1] != NULL:
            machine.store(given[1], Addresses(machine.layout.pointer), after(given[0], length), span)
        return value

    return call


def _atof(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    value, _, trouble = read_number(_text(machine, given[0], span), DOUBLE)
    if trouble:
        raise Unclear("'atof' reads a number that no double is, which C leaves undefined")
    return value


NUMERALS: dict[str, Does] = {"strtod": _strtod(DOUBLE), "strtof": _strtod(SINGLE), "atof": _atof}
