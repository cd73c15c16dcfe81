"""Numbers as printf prints them (C17 7.21.6.1), digit by digit from exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

from knaster_check.refused import Unsupported

WHOLE, REAL = "diuxXo", "fFeEgG"
_WIDEST = 4096


def spell_whole(number: int, kind: str, flags: str, width: int, precision: int | None) -> str:
    """Return a whole number as it is printed."""
    base = {"o": 8, "x": 16, "X": 16}.get(kind, 10)
    least = 1 if precision is None else precision
    _limit(least, width)
    digits = _in_base(abs(number), base)
    digits = "0" * (least - len(digits)) + digits
    if kind == "X":
        digits = digits.upper()
    before = "-" if number < 0 else ""
    if kind in ("d", "i") and number >= 0:
        before = "+" if "+" in flags else " " if " " in flags else ""
    if "#" in flags and base == 8 and digits[:1] != "0":
        digits = "0" + digits
    if "#" in flags and base == 16 and number != 0:
        before = "0" + kind
    return _fill(before, digits, flags if precision is None else flags.replace("0", ""), width)


def _in_base(number: int, base: int) -> str:
    found = ""
    while number:
        number, digit = divmod(number, base)
        found = "0123456789abcdef"[digit] + found
    return found


def spell_real(number: float, kind: str, flags: str, width: int, precision: int | None) -> str:
    """Return a floating-point number as it is printed."""
    if not math.isfinite(number):
        raise Unsupported("how infinity and what is no number are printed is left to the library")
    most = 6 if precision is None else precision
    _limit(most, width)
    size = abs(Fraction(number))
    if kind in "fF":
        shown = _fixed(size, most, "#" in flags)
    elif kind in "eE":
        shown = _scientific(size, most, "#" in flags)
    else:
        shown = _general(size, max(most, 1), "#" in flags)
    negative = math.copysign(1.0, number) < 0  # mutant(<): it is 1 or -1
    before = "-" if negative else "+" if "+" in flags else " " if " " in flags else ""
    return _fill(before, shown.upper() if kind in "EG" else shown, flags, width)


def _fixed(size: Fraction, digits: int, point: bool) -> str:
    whole = str(round(size * 10**digits)).rjust(digits + 1, "0")  # half goes to the even one
    if not digits:
        return whole + "." * point
    return f"{whole[:-digits]}.{whole[-digits:]}"


def _exponent(size: Fraction, digits: int) -> int:
    """Return the exponent of ten that a number has when it is written with so many digits behind the point."""
    if size == 0:
        return 0
    power = len(str(size.numerator)) - len(str(size.denominator)) - 1
    while size >= Fraction(10) ** (power + 1):  # mutant(>=): a power of ten is found below, too
        power += 1
    return power + int(round(size / Fraction(10) ** (power - digits)) == 10 ** (digits + 1))


def _scientific(size: Fraction, digits: int, point: bool) -> str:
    power = _exponent(size, digits)
    return f"{_fixed(size / Fraction(10) ** power, digits, point)}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _general(size: Fraction, digits: int, keep: bool) -> str:
    power = _exponent(size, digits - 1)
    if digits > power >= -4:
        shown, rest = _fixed(size, digits - 1 - power, keep), ""
    else:
        shown, sign, rest = _scientific(size, digits - 1, keep).partition("e")
        rest = sign + rest
    return (shown.rstrip("0").rstrip(".") if "." in shown and not keep else shown) + rest


def _fill(before: str, digits: str, flags: str, width: int) -> str:
    if "-" in flags:
        return (before + digits).ljust(width)
    return before + digits.rjust(width - len(before), "0") if "0" in flags else (before + digits).rjust(width)


def _limit(*counts: int) -> None:
    if max(counts) > _WIDEST:
        raise Unsupported("a format asks for too many characters")
