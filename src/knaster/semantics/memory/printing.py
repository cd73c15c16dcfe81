"""What conversions of printf print of numbers (C17 7.21.6.1): Python's own operator has most of it, and is exact.

How infinities and what is no number are spelled, and `%a`, is left to the library: `Unclear`.
"""

from __future__ import annotations

import math

from knaster.semantics.memory.failure import Unclear

INTEGERS, FLOATS = "diuxXo", "fFeEgG"
MOST_DIGITS = 4096


def print_integer(number: int, kind: str, flags: str, width: int, precision: int | None) -> str:
    """Return an integer as `%d` and its kin print it."""
    digits = format(abs(number), {"x": "x", "X": "X", "o": "o"}.get(kind, "d"))
    if precision is not None:
        _check(precision)
        digits = "" if precision == 0 and number == 0 else digits.rjust(precision, "0")
    if "#" in flags and kind == "o" and not digits.startswith("0"):
        digits = f"0{digits}"
    sign = "-" if number < 0 else ""
    if kind in "di" and number >= 0:
        sign = "+" if "+" in flags else " " if " " in flags else ""
    if "#" in flags and kind in "xX" and number != 0:
        sign = f"0{kind}"
    if "0" in flags and "-" not in flags and precision is None:
        digits = digits.rjust(width - len(sign), "0")
    return pad(sign + digits, flags, width)


def print_float(number: float, kind: str, flags: str, width: int, precision: int | None) -> str:
    """Return a floating-point number as `%f` and its kin print it."""
    if not math.isfinite(number):
        raise Unclear("how infinities and what is no number are printed is left to the library")
    _check(precision or 0)
    _check(width)
    digits = 6 if precision is None else precision
    return f"%{flags}{width or ''}.{digits}{kind}" % number


def pad(shown: str, flags: str, width: int) -> str:
    """Return something that is printed, as wide as it has to be."""
    _check(width)
    return shown.ljust(width) if "-" in flags else shown.rjust(width)


def _check(count: int) -> None:
    if count > MOST_DIGITS:
        raise Unclear(f"a format asks for more than {MOST_DIGITS:,} characters")
