"""Functions that print by a format: printf and its relatives.  Arguments are looked at, texts must be valid.

How many characters are printed is exact but for pointers, of which any number of `int` is said, and what would be
written into memory is not known.  Where nobody wants to know it, only texts are looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place, Undefined
from knaster_check.memory.library.allocation import request, rest_of_list
from knaster_check.memory.library.printing import REAL, WHOLE, spell_real, spell_whole
from knaster_check.memory.library.texts import LONGEST, check_text, note_overlap, number_in, put, text_at
from knaster_check.memory.numbers import compare, wrap
from knaster_check.memory.values import NULL
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine

_CONVERSION = re.compile(r"%([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?(hh|h|ll|l|z|j|t|L|q)?(.)", re.DOTALL)
# mutant: a name of a type
Sizes = tuple[str, str | None]  # the width ("": none) and the precision
_NUMBERS = "diuxXocfFeEgGaAp"  # conversions that read no memory
_WIDTHS = {"hh": 8, "h": 16, None: 32, "ll": 64, "j": 64}  # the others are those of a pointer


def printed(
    machine: Machine,
    format: Any,
    values: list[Any],
    place: Place,
    seen: bool = True,
    texts: list[tuple[Any, int]] | None = None,
) -> list[int] | None:
    """Return the characters that a format and its arguments make; None where they are not known, or nobody asks.

    The texts that are read, and how many bytes of each, are added to `texts`.
    """
    text = bytes(text_at(machine, format, place)).decode("latin-1")
    left, found, at, exact = list(values), "", 0, True
    if texts is not None:
        texts.append((format, len(text) + 1))
    for match in _CONVERSION.finditer(text):
        found, at = found + text[at : match.start()], match.end()
        if match[5] == "%":
            found += "%"
            continue
        if len(left) <= match.group(2, 3).count("*"):
            raise Undefined("value", place)
        width, precision = (_size(machine, left, text) for text in match.group(2, 3))
        sizes = width or "", precision
        value = left.pop(0)
        shown = (_shown if seen else _look_at)(machine, match, sizes, value, place)
        if texts is not None and match[5] == "s":
            most = _most(precision)
            texts.append((value, min(most, 1 + len(text_at(machine, value, place, most)))))
        exact = exact and shown is not None
        found += shown or ""
    return [ord(letter) for letter in found + text[at:]] if exact else None


def _size(machine: Machine, left: list[Any], text: str | None) -> str | None:
    """Return a width or a precision; a star takes the next argument."""
    return str(number_in(machine.inputs.pinned(left.pop(0)))) if text == "*" else text


def _look_at(machine: Machine, match: re.Match[str], sizes: Sizes, value: Any, place: Place) -> None:
    """Read what one conversion reads."""
    if match[5] == "s" and not match[4]:
        check_text(machine, _pointer(value, place), place, _most(sizes[1]))
    elif match[5] not in _NUMBERS:
        raise Unsupported(f"the kernel does not know the format '{match[0]}'")


def _pointer(value: Any, place: Place) -> Any:
    """Return an argument that must be a text; a number is none."""
    if isinstance(value, int | float):
        raise Undefined("value", place)
    return value


def _most(precision: str | None) -> int:
    """Return how many characters of a text are read; a negative precision is none."""
    return LONGEST if precision is None or precision.startswith("-") else int(precision or 0)


def _shown(machine: Machine, match: re.Match[str], sizes: Sizes, value: Any, place: Place) -> str | None:
    """Return what one conversion prints; None where that is not known."""
    (flags, _, _, size, kind), (width, precision) = match.groups(), sizes
    if width.startswith("-"):
        flags, width = flags + "-", width[1:]
    if precision is not None and precision.startswith("-"):
        precision = None
    if (kind in "sc" and "0" in flags) or (kind in "scdiu" and "#" in flags):
        raise Unsupported(f"the kernel does not know the format '{match[0]}'")
    value, wide, digits = (
        machine.inputs.pinned(value),
        int(width or 0),
        None if precision is None else int(precision or 0),
    )
    if kind == "s" and not size:
        shown = bytes(text_at(machine, _pointer(value, place), place, _most(precision))).decode("latin-1")
    elif kind == "c" and not size:
        shown = chr(number_in(value) & 255)
    elif kind in WHOLE and isinstance(value, int):
        bits = _WIDTHS.get(size, 8 * machine.pointer)
        return spell_whole(wrap(value, ("int", bits, kind in "di")), kind, flags, wide, digits)
    elif kind in REAL and isinstance(value, float) and size in (None, "l"):
        return spell_real(value, kind, flags, wide, digits)
    elif kind == "p" or (kind in WHOLE and not isinstance(value, float)):
        return None
    else:
        raise Unsupported(f"the kernel does not know the format '{match[0]}'")
    if wide > LONGEST:  # mutant(>): one character more or less
        raise Unsupported("a format asks for too many characters")
    return shown.ljust(wide) if "-" in flags else shown.rjust(wide)


def _print(first: int, seen: bool = True) -> Function:
    def show(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        codes = printed(machine, values[first], values[first + 1 :], place, seen)
        return None if not seen else machine.inputs.choose(("int", 32, True)) if codes is None else len(codes)

    return show


def _puts(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    _puts_unseen(machine, frame, values, place)
    value = machine.inputs.choose(("int", 32, True))
    return value if compare(machine, ">=", value, -1) else -1


def _puts_unseen(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    check_text(machine, values[0], place)


def _perror(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    if values[0] != NULL:
        _puts_unseen(machine, frame, values, place)


def _into_memory(machine: Machine, values: list[Any], first: int, place: Place, room: int | None = None) -> list[int]:
    """Return what is printed; note where it is printed over what is read, of which `room` bytes are written."""
    texts: list[tuple[Any, int]] = []
    codes = printed(machine, values[first], values[first + 1 :], place, texts=texts)
    if codes is None:
        raise Unsupported("a format is printed into memory that the kernel does not know", f"line {place[0]}")
    written = len(codes) + 1 if room is None else min(len(codes) + 1, room)
    for source, count in texts:
        note_overlap(machine, values[0], written, source, count, place)
    return codes


def _sprintf(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    codes = _into_memory(machine, values, 1, place)
    put(machine, values[0], [*codes, 0], place)
    return len(codes)


def _snprintf(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    room = number_in(values[1])
    codes = _into_memory(machine, values, 2, place, room)
    if room > 0:
        put(machine, values[0], [*codes[: room - 1], 0], place)
    return len(codes)


def _asprintf(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    codes = _into_memory(machine, values, 1, place, 0)
    found = request(machine, len(codes) + 1)
    put(machine, found, [*codes, 0], place)
    machine.store(values[0], ("address", machine.pointer), found, place)
    return len(codes)


def _with_list(function: Function) -> Function:
    """Return a function whose last argument is a list of arguments."""

    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        rest = [value for _, value in rest_of_list(machine, values[-1], place)[1]]
        return function(machine, frame, [*values[:-1], *rest], place)

    return call


_PLAIN: dict[str, Function] = {
    **{"printf": _print(0), "fprintf": _print(1), "sprintf": _sprintf, "snprintf": _snprintf, "asprintf": _asprintf}
}
UNSEEN: dict[str, Function] = {"printf": _print(0, False), "puts": _puts_unseen}  # where nobody wants the result
_LISTED: dict[str, Function] = {f"v{name}": _with_list(function) for name, function in _PLAIN.items()}
FORMATS: dict[str, Function] = {**_PLAIN, **_LISTED, "puts": _puts, "perror": _perror}
