"""Functions that read from outside: scanf, fgets, time and streams; what they read is an input, and they may fail."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from knaster_check.memory.faults import Over, Place, Undefined
from knaster_check.memory.library.texts import BYTE, number_in, text_at
from knaster_check.memory.numbers import compare
from knaster_check.memory.objects import TEXT
from knaster_check.memory.values import NULL, Address
from knaster_check.program import Type
from knaster_check.refused import Unsupported

if TYPE_CHECKING:
    from knaster_check.memory.library import Function
    from knaster_check.memory.machine import Frame, Machine

_CONVERSION = re.compile(r"%([-+ #0*]*)(\d*)(hh|h|ll|l|z|j|t)?(.)", re.DOTALL)
_WIDTHS = {"hh": 8, "h": 16, None: 32, "ll": 64, "j": 64}
_MOST = 4096


def _happens(machine: Machine) -> bool:
    return bool(machine.inputs.choose(("bool",)))


def _scanf(first: int) -> Function:
    def scan(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        text = bytes(text_at(machine, values[first], place)).decode("latin-1")
        left, count = list(values[first + 1 :]), 0
        for match in _CONVERSION.finditer(text):
            real = match[4] in "fFeEgG" and not match[2] and match[3] in (None, "l")
            if (match[4] not in "diuxXocs" and not real) or match[1] or (match[4] == "c" and match[2]):
                raise Unsupported(f"the kernel does not know the format '{match[0]}'")
            if not left:
                raise Undefined("value", place)
            if not _happens(machine):
                return count or _nothing(machine, text[: match.start()], match[4])
            _read(machine, match, left.pop(0), place)
            count += 1
        return count

    return scan


def _nothing(machine: Machine, before: str, kind: str) -> int:
    """Return what scanf says that has read nothing: that the input ends, or 0 where it is not what is wanted."""
    only_end = kind in ("c", "s") and not before.strip(" \t\n\v\f\r")
    return 0 if not only_end and _happens(machine) else -1


def _read(machine: Machine, match: re.Match[str], where: Any, place: Place) -> None:
    if match[4] == "s":
        _read_word(machine, where, int(match[2] or _MOST), place)
        return
    if match[4] in "fFeEgG":
        kind = ("floating", 64 if match[3] else 32)
        machine.store(where, kind, machine.inputs.choose(kind), place)
        return
    bits = 8 if match[4] == "c" else _WIDTHS.get(match[3], 8 * machine.pointer)
    type = ("int", bits, match[4] in "dic")
    value = machine.inputs.choose(type)
    if match[2] and not _has_room(machine, value, type, int(match[2]), {"x": 16, "X": 16, "o": 8}.get(match[4], 10)):
        raise Over
    machine.store(where, type, value, place)


def _has_room(machine: Machine, value: Any, type: Type, width: int, base: int) -> bool:
    """Tell whether a number is one of so many characters, of which one may be a sign, whatever the type."""
    most, least = base**width - 1, 1 - base ** (width - 1)
    if type[2]:
        return compare(machine, "<=", value, most) and compare(machine, ">=", value, least)
    return compare(machine, "<=", value, most) or compare(machine, ">=", value, (1 << type[1]) + least)


def _read_word(machine: Machine, where: Any, most: int, place: Place) -> None:
    """Write a word: at least one character, and none of them a space."""
    count = 0
    while count < most and (count == 0 or _happens(machine)):
        code = machine.inputs.choose(BYTE)
        space = compare(machine, "==", code, 0) or compare(machine, "==", code, 32)
        if space or (compare(machine, ">=", code, 9) and compare(machine, "<=", code, 13)):
            raise Over
        machine.store(Address(where[0], where[1] + count), BYTE, code, place)
        count += 1
    if count == _MOST:
        raise Unsupported("a word is too long")
    machine.store(Address(where[0], where[1] + count), BYTE, 0, place)


def _time(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    type = ("int", 8 * machine.pointer, True)
    value = machine.inputs.choose(type)
    if values[0] != NULL:
        machine.store(values[0], type, value, place)
    return value


def _clock(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    value = machine.inputs.choose(("int", 8 * machine.pointer, True))
    return value if compare(machine, ">=", value, -1) else -1


def _open(texts: tuple[int, ...]) -> Function:
    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        for number in texts:
            text_at(machine, values[number], place)
        return machine.allocate(216, TEXT, True) if _happens(machine) else NULL

    return call


def _close(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    machine.usable(values[0], 1, place).die()
    return 0 if _happens(machine) else -1


def _says(low: int, high: int) -> Function:
    """Return a function on a stream that says a number between two bounds."""

    def call(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
        machine.usable(values[0], 1, place)
        return machine.inputs.between(low, high)

    return call


def _fgets(machine: Machine, frame: Frame, values: list[Any], place: Place) -> Any:
    where, size, stream = values
    machine.usable(stream, 1, place)
    if number_in(size) > 1 << 16:
        raise Unsupported("a line is too long")
    if size < 1 or not _happens(machine):
        return NULL
    count, code = 0, -1
    while count < size - 1 and compare(machine, "!=", code, 10):
        if count and not _happens(machine):
            break
        code = machine.inputs.choose(BYTE)
        machine.store(Address(where[0], where[1] + count), BYTE, code, place)
        count += 1
    machine.store(Address(where[0], where[1] + count), BYTE, 0, place)
    return where


SCANS: dict[str, Function] = {
    **{"scanf": _scanf(0), "fscanf": _scanf(1), "time": _time, "clock": _clock, "fgets": _fgets},
    **{"fopen": _open((0, 1)), "fdopen": _open((1,)), "fclose": _close, "fgetc": _says(-1, 255)},
    **{"fseek": _says(-1, 0), "fseeko": _says(-1, 0)},
}
