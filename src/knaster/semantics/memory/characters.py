"""What functions of ctype.h say of a character in the locale "C": 1 or 0, and letters of the other case.

What is neither an `unsigned char` nor EOF must not be asked about (C17 7.4).

A class of characters is a list of intervals of their codes: a character that depends on inputs is compared, not chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.expression import Comparison
from knaster.program.types import Int
from knaster.semantics.memory.failure import VALUE, Fault
from knaster.semantics.memory.library import Does
from knaster.semantics.memory.symbolic.symbols import Symbol, both, compare_symbols, one_of

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine

Intervals = tuple[tuple[int, int], ...]

DOMAIN = (-1, 255)  # EOF, and what an unsigned char is
_UPPER, _LOWER, _DIGITS = (65, 90), (97, 122), (48, 57)
CLASSES: dict[str, Intervals] = {
    "isalpha": (_UPPER, _LOWER),
    "isdigit": (_DIGITS,),
    "isalnum": (_UPPER, _LOWER, _DIGITS),
    "isspace": ((32, 32), (9, 13)),
    "isblank": ((32, 32), (9, 9)),
    "isupper": (_UPPER,),
    "islower": (_LOWER,),
    "isxdigit": (_DIGITS, (65, 70), (97, 102)),
    "ispunct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "isprint": ((32, 126),),
    "isgraph": ((33, 126),),
    "iscntrl": ((0, 31), (127, 127)),
}


def is_within(code: Any, intervals: Intervals) -> Any:
    """Return whether a number is in one of some intervals: a truth value, or a symbol for one."""
    if not isinstance(code, Symbol):
        return any(low <= code <= high for low, high in intervals)
    return one_of(
        both(compare_symbols(Comparison.AT_LEAST, code, low), compare_symbols(Comparison.AT_MOST, code, high))
        for low, high in intervals
    )


def lower(code: int) -> int:
    """Return a character as a small letter, where it is a capital."""
    return code + 32 if 65 <= code <= 90 else code


def _upper(code: int) -> int:
    return code - 32 if 97 <= code <= 122 else code


def _known(code: Any, span: Span) -> Any:
    """Return a character of which the library says something."""
    if not is_within(code, (DOMAIN,)):
        raise Fault(VALUE, span, "a character is neither an unsigned char nor EOF")
    return code


def _class(intervals: Intervals) -> Does:
    def classify(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        found = is_within(_known(given[0], span), intervals)
        return found.converted(Int(32)) if isinstance(found, Symbol) else int(found)

    return classify


CHARACTERS: dict[str, Does] = {
    **{name: _class(intervals) for name, intervals in CLASSES.items()},
    "toupper": lambda machine, frame, given, span: _upper(_known(given[0], span)),
    "tolower": lambda machine, frame, given, span: lower(_known(given[0], span)),
}
