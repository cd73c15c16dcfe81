"""Functions of string.h on texts, byte by byte, so that every wrong use of memory is met where it happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Place
from knaster_check.memory.numbers import is_true
from knaster_check.memory.values import NULL, Address
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine

LONGEST = 1 << 20
BYTE = ("int", 8, False)


def number_in(value: Any) -> int:
    """Return an argument that is a number."""
    if not isinstance(value, int):
        raise Unsupported("a function of the library is given a number that was made from a pointer")
    return int(value)


def byte_at(machine: Machine, where: Any, count: int, place: Place) -> int:
    """Return the byte so many bytes after an address."""
    return number_in(machine.inputs.pinned(machine.load(Address(where[0], where[1] + count), BYTE, place)))


def put(machine: Machine, where: Any, codes: list[int], place: Place) -> None:
    """Write bytes one after another."""
    for count, code in enumerate(codes):
        machine.store(Address(where[0], where[1] + count), BYTE, code, place)


def text_at(machine: Machine, where: Any, place: Place, most: int = LONGEST) -> list[int]:
    """Return the bytes of a text before the 0 at its end, or so many of them."""
    found: list[int] = []
    while len(found) < most:
        code = byte_at(machine, where, len(found), place)
        if code == 0:
            return found
        found.append(code)
    if most >= LONGEST:
        raise Unsupported("a text is too long")
    return found


def check_text(machine: Machine, where: Any, place: Place, most: int = LONGEST) -> None:
    """Read a text to the 0 at its end, or so many bytes of it, whatever they are."""
    count = 0
    while count < most and is_true(machine, machine.load(Address(where[0], where[1] + count), BYTE, place)):
        count += 1
    if count >= LONGEST:
        raise Unsupported("a text is too long")


def note_overlap(machine: Machine, target: Any, written: int, source: Any, read: int, place: Place) -> None:
    """Note that bytes which are written are among those that are read."""
    if target[0] == source[0] and target[1] < source[1] + read and source[1] < target[1] + written:
        machine.note("overlap", place)


def _length(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return len(text_at(machine, values[0], place))


def _bounded_length(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    machine.usable(values[0], 0, place)
    return len(text_at(machine, values[0], place, number_in(values[1])))


def _copy_bytewise(machine: Machine, target: Any, source: Any, place: Place) -> None:
    """Copy a text between two objects, writing each byte before the next is read."""
    for count in range(LONGEST):
        code = byte_at(machine, source, count, place)
        put(machine, Address(target[0], target[1] + count), [code], place)
        if code == 0:
            return
    raise Unsupported("a text is too long")


def _copy(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    if values[0][0] != values[1][0]:
        _copy_bytewise(machine, values[0], values[1], place)
        return values[0]
    codes = [*text_at(machine, values[1], place), 0]
    note_overlap(machine, values[0], len(codes), values[1], len(codes), place)
    put(machine, values[0], codes, place)
    return values[0]


def _copy_to_end(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    length = len(text_at(machine, values[1], place))
    _copy(machine, frame, values, place)
    return Address(values[0][0], values[0][1] + length)


def _bounded_copy(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    count = number_in(values[2])
    for where in values[:2]:
        machine.usable(where, 0, place)
    codes = text_at(machine, values[1], place, count)
    note_overlap(machine, values[0], count, values[1], min(len(codes) + 1, count), place)
    put(machine, values[0], codes, place)
    for at in range(len(codes), count):
        if at > LONGEST:
            raise Unsupported("a text is too long")
        put(machine, Address(values[0][0], values[0][1] + at), [0], place)
    return values[0]


def _append(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    length = len(text_at(machine, values[0], place))
    end = Address(values[0][0], values[0][1] + length)
    if len(values) == 2 and values[0][0] != values[1][0]:
        _copy_bytewise(machine, end, values[1], place)
        return values[0]
    most = number_in(values[2]) if len(values) > 2 else LONGEST
    machine.usable(values[1], 0, place)
    codes = text_at(machine, values[1], place, most)
    note_overlap(machine, end, len(codes) + 1, values[1], min(len(codes) + 1, most), place)
    put(machine, end, [*codes, 0], place)
    return values[0]


def _compare(small: bool = False) -> Function:
    def compare(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        most = number_in(values[2]) if len(values) > 2 else LONGEST
        if most == 0:
            machine.usable(values[0], 0, place)
            machine.usable(values[1], 0, place)
        for count in range(min(most, LONGEST)):
            one, other = (byte_at(machine, where, count, place) for where in values[:2])
            if small:
                one, other = lower(one), lower(other)
            if one != other:
                return -1 if one < other else 1  # mutant(<): they differ
            if one == 0:
                return 0
        if most >= LONGEST:
            raise Unsupported("a text is too long")
        return 0

    return compare


def lower(code: int) -> int:
    """Return a small letter for a large one."""
    return code + 32 if 65 <= code <= 90 else code


def _find_first(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return _find(machine, values, place, min)


def _find_last(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return _find(machine, values, place, max)


def _find(machine: Machine, values: list[Any], place: Place, best: Callable[[list[int]], int]) -> Any:
    wanted = number_in(values[1]) & 255
    spots = [at for at, code in enumerate([*text_at(machine, values[0], place), 0]) if code == wanted]
    return Address(values[0][0], values[0][1] + best(spots)) if spots else NULL


def _find_text(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    whole, part = text_at(machine, values[0], place), text_at(machine, values[1], place)
    for at in range(len(whole) - len(part) + 1):
        if whole[at : at + len(part)] == part:
            return Address(values[0][0], values[0][1] + at)
    return NULL


def _span(machine: Machine, values: list[Any], place: Place, inside: bool) -> tuple[int, int]:
    """Return how many bytes of a text are (`inside`) or are not those of another, and the length of the text."""
    codes, others = text_at(machine, values[0], place), text_at(machine, values[1], place)
    count = 0
    while count < len(codes) and (codes[count] in others) is inside:
        count += 1
    return count, len(codes)


def _span_inside(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return _span(machine, values, place, True)[0]


def _span_outside(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    return _span(machine, values, place, False)[0]


def _find_any(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    count, length = _span(machine, values, place, False)
    return Address(values[0][0], values[0][1] + count) if count < length else NULL


def _duplicate(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    from knaster_check.memory.library.allocation import request

    codes = [*text_at(machine, values[0], place), 0]
    found = request(machine, len(codes))
    put(machine, found, codes, place)
    return found


TEXTS: dict[str, Function] = {
    **{"strlen": _length, "strnlen": _bounded_length, "strcpy": _copy, "stpcpy": _copy_to_end},
    **{"strncpy": _bounded_copy, "strcat": _append, "strncat": _append, "strdup": _duplicate},
    **dict.fromkeys(("strcmp", "strncmp"), _compare()),
    **dict.fromkeys(("strcasecmp", "strncasecmp"), _compare(small=True)),
    **{"strchr": _find_first, "strrchr": _find_last, "strstr": _find_text, "strpbrk": _find_any},
    **{"strspn": _span_inside, "strcspn": _span_outside},
}
