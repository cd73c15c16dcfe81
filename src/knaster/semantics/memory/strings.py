"""What functions of the C library do with texts: string.h, and numbers in texts.

Each takes the machine, the activation, the arguments and where the call stands.  Bytes are read and written one by one,
so every use of memory that is wrong is found where it happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.memory import NULL, Address
from knaster.program.types import Int
from knaster.semantics.memory.arguments import untouched_length
from knaster.semantics.memory.characters import lower
from knaster.semantics.memory.failure import OVERLAP, Unclear
from knaster.semantics.memory.library import Does, malloc
from knaster.semantics.memory.symbolic.symbols import Symbol
from knaster.semantics.memory.unknown import force

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine

_BYTE = Int(8, False)
LONGEST_TEXT = 1 << 22


def load_byte(machine: Machine, place: Any, span: Span) -> int:
    """Return the byte at an address."""
    found = machine.load(place, _BYTE, span)
    if isinstance(found, Symbol):
        return found  # type: ignore[return-value]  # it compares, and Python takes its value where it needs one
    found = force(found)
    if not isinstance(found, int):
        raise Unclear("a part of a pointer is read as a character")
    return found


def store_byte(machine: Machine, place: Any, value: int, span: Span) -> None:
    """Write a byte at an address."""
    machine.store(place, _BYTE, value & 255, span)


def after(place: Any, count: int) -> Address:
    """Return the address so many bytes later."""
    return Address(place[0], place[1] + count)


def characters(machine: Machine, place: Any, span: Span, most: int = LONGEST_TEXT) -> Iterator[int]:
    """Yield the characters of a text without the 0 at its end, at most so many."""
    for count in range(most):
        found = load_byte(machine, after(place, count), span)
        if found == 0:
            return
        yield found
    if most == LONGEST_TEXT:
        raise Unclear("a text is too long")


def text_at(machine: Machine, place: Any, span: Span) -> list[int]:
    """Return the characters of a text."""
    return list(characters(machine, place, span))


def _length(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    length = untouched_length(machine, given[0], span)
    if length is None:
        return len(text_at(machine, given[0], span))
    return length.converted(Int(8 * machine.layout.pointer, False)) if isinstance(length, Symbol) else length


def _bounded_length(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    machine.usable(given[0], 0, span)
    return len(list(characters(machine, given[0], span, min(given[1], LONGEST_TEXT - 1))))


def _write(machine: Machine, place: Any, codes: list[int], span: Span) -> None:
    for count, code in enumerate(codes):
        store_byte(machine, after(place, count), code, span)


def note_overlap(machine: Machine, target: Any, written: int, source: Any, read: int, span: Span) -> None:
    """Note that some of the bytes that are written are among those that are read."""
    if target[0] == source[0] and target[1] < source[1] + read and source[1] < target[1] + written:
        machine.lapse(OVERLAP, span)


def _copy_bytewise(machine: Machine, to: Any, source: Any, span: Span) -> None:
    """Copy a text, writing each byte before the next is read: a text of any length ends where it does not fit."""
    count = 0
    for code in characters(machine, source, span):
        store_byte(machine, after(to, count), code, span)
        count += 1
    store_byte(machine, after(to, count), 0, span)


def _copy(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    if given[0][0] != given[1][0]:
        _copy_bytewise(machine, given[0], given[1], span)
        return given[0]
    codes = text_at(machine, given[1], span)
    note_overlap(machine, given[0], len(codes) + 1, given[1], len(codes) + 1, span)
    _write(machine, given[0], [*codes, 0], span)
    return given[0]


def _copy_to_end(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    _copy(machine, frame, given, span)
    return after(given[0], len(text_at(machine, given[0], span)))


def _bounded_copy(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    count = given[2]
    machine.usable(given[0], 0, span)
    machine.usable(given[1], 0, span)
    codes = list(characters(machine, given[1], span, min(count, LONGEST_TEXT - 1)))
    note_overlap(machine, given[0], count, given[1], min(len(codes) + 1, count), span)
    _write(machine, given[0], codes, span)
    for at in range(len(codes), count):  # perhaps far beyond the object, where the first byte outside is undefined
        if at > LONGEST_TEXT:
            raise Unclear("a text is too long")
        store_byte(machine, after(given[0], at), 0, span)
    return given[0]


def _append(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    start = after(given[0], len(text_at(machine, given[0], span)))
    if len(given) == 2 and given[0][0] != given[1][0]:
        _copy_bytewise(machine, start, given[1], span)
        return given[0]
    most = min(given[2], LONGEST_TEXT - 1) if len(given) > 2 else LONGEST_TEXT
    machine.usable(given[1], 0, span)
    codes = list(characters(machine, given[1], span, most))
    note_overlap(machine, start, len(codes) + 1, given[1], min(len(codes) + 1, most), span)
    _write(machine, start, [*codes, 0], span)
    return given[0]


def _compare(fold: bool = False, bounded: bool = False) -> Does:
    def compare(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        count = 0
        if bounded:
            for place in given[:2]:
                machine.usable(place, 0, span)
        while not bounded or count < given[2]:
            one = load_byte(machine, after(given[0], count), span)
            other = load_byte(machine, after(given[1], count), span)
            if fold:
                one, other = lower(one), lower(other)
            if one != other:
                return -1 if one < other else 1  # mutant(<): they differ
            if one == 0:
                return 0
            count += 1
        return 0

    return compare


def _find(last: bool) -> Does:
    def find(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        codes = [*text_at(machine, given[0], span), 0]
        spots = [at for at, code in enumerate(codes) if code == given[1] & 255]
        return after(given[0], spots[-1] if last else spots[0]) if spots else NULL

    return find


def _find_byte(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    machine.usable(given[0], 0, span)
    for count in range(given[2]):
        if load_byte(machine, after(given[0], count), span) == given[1] & 255:
            return after(given[0], count)
    return NULL


def _find_text(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    codes, wanted = bytes(text_at(machine, given[0], span)), bytes(text_at(machine, given[1], span))
    at = codes.find(wanted)
    return NULL if at < 0 else after(given[0], at)


def _texts(machine: Machine, given: tuple[Any, ...], span: Span) -> tuple[list[int], set[int]]:
    """Return the characters of one text, and those that occur in another one."""
    codes = [force(code) for code in text_at(machine, given[0], span)]
    return codes, {force(code) for code in text_at(machine, given[1], span)}


def _span_of(inside: bool) -> Does:
    def count(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        codes, accepted = _texts(machine, given, span)
        return next((at for at, code in enumerate(codes) if (code in accepted) is not inside), len(codes))

    return count


def _find_any(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    codes, accepted = _texts(machine, given, span)
    return next((after(given[0], at) for at, code in enumerate(codes) if code in accepted), NULL)


def _duplicate(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    codes = [*text_at(machine, given[0], span), 0]
    place = malloc(machine, frame, (len(codes),), span)
    _write(machine, place, codes, span)
    return place


def _number(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    codes = text_at(machine, given[0], span)
    text = bytes(codes).decode("latin-1").lstrip(" \t\n\v\f\r")
    sign, text = (-1, text[1:]) if text[:1] == "-" else (1, text.removeprefix("+"))
    digits = "".join(_leading_digits(text))
    found = sign * int(digits) if digits else 0
    if not Int(32).holds(found):
        raise Unclear("'atoi' reads a number that no int is, which C leaves undefined")
    return found


def _leading_digits(text: str) -> Iterator[str]:
    for character in text:
        if character not in "0123456789":
            return
        yield character


STRINGS: dict[str, Does] = {
    "strlen": _length,
    "strnlen": _bounded_length,
    "strcpy": _copy,
    "stpcpy": _copy_to_end,
    "strncpy": _bounded_copy,
    "strcat": _append,
    "strncat": _append,
    "strcmp": _compare(),
    "strncmp": _compare(bounded=True),
    "strcasecmp": _compare(fold=True),
    "strncasecmp": _compare(fold=True, bounded=True),
    "strchr": _find(last=False),
    "strrchr": _find(last=True),
    "memchr": _find_byte,
    "strstr": _find_text,
    "strspn": _span_of(inside=True),
    "strcspn": _span_of(inside=False),
    "strpbrk": _find_any,
    "strdup": _duplicate,
    "atoi": _number,
}
