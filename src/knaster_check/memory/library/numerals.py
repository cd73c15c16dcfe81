"""Floating-point numbers in texts (strtod, strtof, atof), rounded once from the fraction that the text says."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place
from knaster_check.memory.library.texts import text_at
from knaster_check.memory.reals import nearest_real
from knaster_check.memory.values import NULL, Address
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine

_SPACES = " \t\n\v\f\r"
_LONGEST = 4_000  # digits of a number
_FAR = 20_000  # an exponent that is as good as any larger one, however many digits there are


class _Reader:
    """A text, and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def skip(self, letters: str) -> str:
        """Pass over one letter of some, if it is there."""
        found = self.text[self.at : self.at + 1]
        if not found or found not in letters:
            return ""
        self.at += 1
        return found

    def digits(self, letters: str) -> str:
        """Pass over letters of some."""
        begin = self.at
        while self.skip(letters):
            if self.at - begin > _LONGEST:  # mutant(>): one digit more or less
                raise Unsupported("a number has too many digits")
        return self.text[begin : self.at]

    def word(self, word: str) -> bool:
        """Pass over a word in small or large letters, if it is there."""
        there = self.text[self.at : self.at + len(word)].lower() == word
        self.at += len(word) * there
        return there

    def exponent(self, letters: str) -> int:
        """Return the exponent that follows, 0 where there is none."""
        back = self.at
        if self.skip(letters):
            minus = self.skip("+-") == "-"
            if found := self.digits("0123456789"):
                size = min(int(found), _FAR)
                return -size if minus else size
        self.at = back
        return 0


def read_real(text: str, width: int) -> tuple[float, int, bool]:
    """Return the number at the beginning of a text, its length, and whether it is too large or lost digits near 0."""
    reader = _Reader(text)
    reader.digits(_SPACES)
    minus = reader.skip("+-") == "-"
    exact = _exact(reader)
    if exact is None:
        return 0.0, 0, False
    if isinstance(exact, float):
        return -exact if minus else exact, reader.at, False
    value = nearest_real(exact, width)
    # mutant(<): 0 and the least normal number are numbers
    tiny = 0 < exact < Fraction(2) ** (-1022 if width == 64 else -126) and Fraction(value) != exact
    return -value if minus else value, reader.at, math.isinf(value) or tiny


def _exact(reader: _Reader) -> Fraction | float | None:
    """Return the number that follows without a sign; None where there is none."""
    if reader.word("inf"):
        reader.word("inity")
        return math.inf
    if reader.word("nan"):
        back = reader.at
        if reader.skip("("):
            reader.digits("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
            reader.at = reader.at + 1 if reader.text[reader.at : reader.at + 1] == ")" else back
        return math.nan
    begin = reader.at
    if reader.word("0x"):
        found = _digits(reader, "0123456789abcdefABCDEF", 16)
        if found is not None:
            return found * Fraction(2) ** reader.exponent("pP")
    reader.at = begin
    found = _digits(reader, "0123456789", 10)
    return None if found is None else found * Fraction(10) ** reader.exponent("eE")


def _digits(reader: _Reader, letters: str, base: int) -> Fraction | None:
    whole = reader.digits(letters)
    part = reader.digits(letters) if reader.skip(".") else ""
    if not whole and not part:
        return None
    return Fraction(int(whole + part, base), base ** len(part))


def _strtod(width: int) -> Function:
    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        text = bytes(text_at(machine, values[0], place)).decode("latin-1")
        value, length, trouble = read_real(text, width)
        if trouble and "errno" in machine.globals:
            raise Unsupported("the kernel does not know what a number that does not fit does to errno")
        if values[1] != NULL:
            end = Address(values[0][0], values[0][1] + length)
            machine.store(values[1], ("address", machine.pointer), end, place)
        return value

    return call


def _atof(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    value, _, trouble = read_real(bytes(text_at(machine, values[0], place)).decode("latin-1"), 64)
    if trouble:
        raise Unsupported("a text is a number that no double is")
    return value


NUMERALS: dict[str, Function] = {"strtod": _strtod(64), "strtof": _strtod(32), "atof": _atof}
