"""What functions of the C library know of the world: the environment, the time, and functions that nobody defines.

A value of the environment is a text of any length, or there is none.  A time is broken down as the Gregorian calendar
has it; how many quarters of an hour local time is ahead is an input, summer time is not known.  A verifier's
uninterpreted function returns the same for the same arguments.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from knaster.base.errors import Span
from knaster.program.expression import Comparison
from knaster.program.memory import NULL, Address
from knaster.program.types import BOOL, Bool, Int
from knaster.semantics.memory.arguments import make_arguments
from knaster.semantics.memory.failure import VALUE, Fault, Stopped, Unclear
from knaster.semantics.memory.library import Does
from knaster.semantics.memory.objects import LITERAL
from knaster.semantics.memory.strings import _write, text_at
from knaster.semantics.memory.symbolic.symbols import Symbol, SymbolicInputs, both, compare_symbols, either
from knaster.semantics.memory.unknown import force

if TYPE_CHECKING:
    from knaster.semantics.memory.machine import Frame, Machine

_BYTE, _INT = Int(8, False), Int(32)
_DAY = 86_400
_RANGES = ((0, 60), (0, 59), (0, 23), (1, 31), (0, 11), (-2_147_483_648, 2_147_483_647), (0, 6), (0, 365), (-1, 1))
_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _getenv(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    text_at(machine, given[0], span)
    if not machine.choose(BOOL, "whether getenv() finds something", span):
        return NULL
    length = machine.choose(Int(32, False), "the length of what getenv() finds", span)
    if not isinstance(length, Symbol):
        length = force(length)
    place = machine.allocate("a text of the environment", length + 1, LITERAL)
    machine.write(Address(place.base, length), _BYTE, 0)
    machine.objects[place.base].writable = False
    return place


def _broken_down(local: bool, own: bool) -> Does:
    """Return a function that breaks a time down, in a place of its own or in one that it is given."""

    def break_down(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        seconds = machine.load(given[0], Int(8 * machine.layout.pointer), span)
        if isinstance(seconds, Symbol):
            fields = _any_fields(machine)
        else:
            fields = _fields(force(seconds) + (zone_of(machine, span) if local else 0))
        place = given[1] if len(given) > 1 else static_place(machine, "the broken-down time", 56)
        for number, value in enumerate(fields):
            machine.store(Address(place[0], place[1] + 4 * number), _INT, value, span)
        return place

    return break_down


def zone_of(machine: Machine, span: Span) -> int:
    """Return how many seconds local time is ahead of UTC: an input, the same in a whole run."""
    if not machine.answers.get("zone"):
        quarters = machine.choose(Int(8), "quarters of an hour between local time and UTC", span)
        if quarters < -48 or quarters > 56:
            raise Stopped
        machine.answers["zone"] = [force(quarters)]
    return int(machine.answers["zone"][0]) * 900


def static_place(machine: Machine, name: str, size: int) -> Address:
    """Return the address of an object of the library that lives as long as the program; all threads have the same."""
    if not getattr(machine, "is_alone", True):
        raise Unclear(f"threads share {name}")
    if name not in machine.globals:
        machine.globals[name] = machine.allocate(name, size, LITERAL)
    return machine.globals[name]


def _any_fields(machine: Machine) -> list[Any]:
    """Return numbers in the ranges of a broken-down time: more than there are, so that no run is made of them."""
    inputs = machine.inputs
    assert isinstance(inputs, SymbolicInputs)
    found = []
    for low, high in _RANGES:
        number = inputs.invent(_INT)
        least = compare_symbols(Comparison.AT_LEAST, number, low)
        found.append(either(both(least, compare_symbols(Comparison.AT_MOST, number, high)), number, low))
    return found


def _fields(seconds: int) -> list[int]:
    try:
        at = datetime(1970, 1, 1) + timedelta(seconds=seconds)
    except OverflowError:
        raise Unclear("a time is too far away") from None
    day = at.timetuple().tm_yday - 1
    return [at.second, at.minute, at.hour, at.day, at.month - 1, at.year - 1900, (at.weekday() + 1) % 7, day, 0]


def _load_fields(machine: Machine, place: Any, span: Span) -> list[int]:
    found = []
    for number in range(7):
        value = force(machine.load(Address(place[0], place[1] + 4 * number), _INT, span))
        if not isinstance(value, int):
            raise Unclear("a part of a broken-down time was made from a pointer")
        found.append(value)
    return found


def _asctime(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    second, minute, hour, day, month, year, weekday = _load_fields(machine, given[0], span)
    if not (0 <= month <= 11 and 0 <= weekday <= 6 and 0 <= day <= 99 and -2899 <= year <= 8099):
        raise Fault(VALUE, span, "a broken-down time is out of range")
    name = _DAYS[(weekday - 1) % 7]
    text = f"{name} {_MONTHS[month]} {day:2d} {hour:02d}:{minute:02d}:{second:02d} {1900 + year}\n"
    place = given[1] if len(given) > 1 else static_place(machine, "the text of a time", 26)
    _write(machine, place, [*map(ord, text), 0], span)
    return place


def _ctime(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    return _asctime(machine, frame, (_broken_down(True, True)(machine, frame, given[:1], span), *given[1:]), span)


def _mktime(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    second, minute, hour, day, month, year, _ = _load_fields(machine, given[0], span)
    years, month = divmod(month, 12)
    try:
        first = datetime(1900 + year + years, month + 1, 1) - datetime(1970, 1, 1)
    except (OverflowError, ValueError):
        raise Unclear("a time is too far away") from None
    seconds = int(first.total_seconds()) + (day - 1) * _DAY + hour * 3600 + minute * 60 + second
    for number, value in enumerate(_fields(seconds)):
        machine.store(Address(given[0][0], given[0][1] + 4 * number), _INT, value, span)
    return seconds - zone_of(machine, span)


def _clock(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    value = machine.choose(Int(8 * machine.layout.pointer), "clock()", span)
    return value if value >= -1 else -1  # mutant(>=): -1 either way


def _difftime(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    one, other = given
    if isinstance(one, Symbol) and isinstance(other, Symbol) and one.name == other.name:
        return 0.0
    return float(force(one) - force(other))


def uninterpreted(name: str) -> Does:
    """Return a function that returns any value, the same for the same arguments; after its name stands its type."""
    bits = name.partition(" ")[2]
    type = BOOL if bits == "b" else Int(int(bits[1:]), bits[0] == "s")

    def call(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
        calls = machine.answers.setdefault(name, [])
        numbers = all(isinstance(value, int | Symbol) for value in given)
        if any(isinstance(value, Symbol) for value in given):
            if not numbers or not all(isinstance(value, int | Symbol) for known, _ in calls for value in known):
                raise Unclear(f"{name} is given pointers and inputs")
            return _symbolic_answer(machine, type, calls, given)
        if any(isinstance(value, Symbol) for known, _ in calls for value in known):
            return _symbolic_answer(machine, type, calls, given)
        for known, value in calls:
            if known == given:
                return value
        found = machine.choose(type, f"{name.partition(' ')[0]}()", span)
        calls.append((given, found))
        return found

    return call


def _symbolic_answer(machine: Machine, type: Int | Bool, calls: list[Any], given: tuple[Any, ...]) -> Any:
    inputs = machine.inputs
    assert isinstance(inputs, SymbolicInputs)
    new: Any = True
    tests = []
    for known, value in reversed(calls):
        same: Any = True
        for one, other in zip(known, given, strict=False):
            symbols = isinstance(one, Symbol) or isinstance(other, Symbol)
            same = both(same, compare_symbols(Comparison.EQUAL, one, other) if symbols else one == other)
        tests.append((same, value))
        new = both(new, same.negation() if isinstance(same, Symbol) else not same)
    found: Any = 0
    if new is True:
        found = inputs.choose(type, "an uninterpreted function", machine.span)
    elif new is not False:
        found = inputs.choose_if(new, type)
    for same, value in reversed(tests):
        found = either(same, value, found)
    found = found.converted(type) if isinstance(found, Symbol) else found
    calls.append((given, found))
    return found


def _sleep(machine: Machine, frame: Frame, given: tuple[Any, ...], span: Span) -> Any:
    return 0 if machine.choose(BOOL, "whether it sleeps as long", span) else -1  # mutant: it is an input


ENVIRONMENT: dict[str, Does] = {
    "getenv": _getenv,
    "main_arguments": make_arguments,
    "localtime": _broken_down(True, True),
    "localtime_r": _broken_down(True, False),
    "gmtime": _broken_down(False, True),
    "gmtime_r": _broken_down(False, False),
    "asctime": _asctime,
    "asctime_r": _asctime,
    "ctime": _ctime,
    "ctime_r": _ctime,
    "mktime": _mktime,
    "clock": _clock,
    "difftime": _difftime,
    "usleep": _sleep,
}
