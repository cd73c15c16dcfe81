"""Streams of the C library: what is read from them is an input, and everything can fail.

A stream is an object of which no byte is ever used; it ends with `fclose`, and what comes after that is undefined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.memory import NULL, Address
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.failure import Unclear
from knaster.semantics.memory.library import Does
from knaster.semantics.memory.objects import LITERAL
from knaster.semantics.memory.strings import text_at

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine

_BYTE, _INT = Int(8, False), Int(32)
_LONGEST = 1 << 16
_NEWLINE = 10


def _open(texts: tuple[int, ...]) -> Does:
    """Return a function that opens a stream; the arguments of some numbers are texts."""

    def open_stream(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        for number in texts:
            text_at(machine, given[number], span)
        if not machine.choose(BOOL, "whether the stream can be opened", span):
            return NULL
        return machine.allocate("a stream", 216, LITERAL, zeroed=True)

    return open_stream


def _close(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    machine.usable(given[0], 1, span)
    machine.kill(given[0][0])
    return 0 if machine.choose(BOOL, "whether fclose() succeeds", span) else -1  # mutant: it is an input


def _answer(stream: int, low: int, high: int, what: str) -> Does:
    """Return a function on a stream whose result is an input between two bounds."""

    def call(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        machine.usable(given[stream], 1, span)
        return _choose_between(machine, low, high, what, span)

    return call


def _choose_between(machine: Machine, low: int, high: int, what: str, span: Span) -> Any:
    value = machine.choose(_INT, what, span)
    return low if value < low or value > high else value  # mutant(<): `low` is `low`


def _fgets(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    place, size, stream = given
    machine.usable(stream, 1, span)
    if size > _LONGEST:
        raise Unclear("a line is too long")
    if size < 1 or not machine.choose(BOOL, "whether fgets() reads something", span):
        return NULL
    count, code = 0, None
    while count < size - 1 and code != _NEWLINE:
        if count and not machine.choose(BOOL, "whether fgets() reads more", span):
            break
        code = _put_input(machine, place, count, "fgets()", span)
        count += 1
    machine.store(Address(place[0], place[1] + count), _BYTE, 0, span)
    return place


def _fread(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    place, size, most, stream = given
    machine.usable(stream, 1, span)
    if size * most > _LONGEST:  # mutant(>): any limit near it will do
        raise Unclear("too many bytes are read")
    count = 0
    while size and count < most and machine.choose(BOOL, "whether fread() reads more", span):
        for number in range(count * size, (count + 1) * size):
            _put_input(machine, place, number, "fread()", span)
        count += 1
    return count


def _fwrite(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    place, size, most, stream = given
    machine.usable(stream, 1, span)
    if size * most:
        machine.usable(place, size * most, span)
    return _choose_between(machine, 0, most, "fwrite()", span)


def _put_input(machine: Machine, place: Any, number: int, what: str, span: Span) -> Any:
    value = machine.choose(_BYTE, what, span)
    machine.store(Address(place[0], place[1] + number), _BYTE, value, span)
    return value


def _rewind(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    machine.usable(given[0], 1, span)


STREAMS: dict[str, Does] = {
    "fopen": _open((0, 1)),
    "fdopen": _open((1,)),
    "fclose": _close,
    "fgets": _fgets,
    "fread": _fread,
    "fwrite": _fwrite,
    "fgetc": _answer(0, -1, 255, "fgetc()"),
    "fseek": _answer(0, -1, 0, "fseek()"),
    "fseeko": _answer(0, -1, 0, "fseeko()"),
    "rewind": _rewind,
}
