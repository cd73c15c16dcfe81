"""The environment, the time and functions that nobody defines, called one at a time with inputs that are given."""

from __future__ import annotations

import calendar
import time
from typing import Any

import pytest

from knaster import check
from knaster.program.expression import NOWHERE
from knaster.program.memory import NULL, Address
from knaster.program.types import BOOL, Int
from knaster.semantics.memory.environment import _RANGES, uninterpreted
from knaster.semantics.memory.failure import VALUE, Fault, Stopped, Unclear
from knaster.semantics.memory.symbolic.symbols import Symbol
from support.memory_desk import Desk, symbolic_desk

TIMES = [0, 59, 60, 3599, 3600, 86399, 86400, 951782400, 1709164800, 2**31, -1, -86401, 4102444799]


def numbers(desk: Desk, at: Address, count: int = 9) -> list[Any]:
    return [Int(32).wrap(desk.object(at).read(at.offset + 4 * number, 4)) for number in range(count)]


def put_numbers(desk: Desk, values: list[int]) -> Address:
    at = desk.new(size=56)
    for number, value in enumerate(values):
        desk.object(at).write(4 * number, 4, value % 2**32)
    return at


def second(desk: Desk, value: int) -> Address:
    at = desk.new(size=8)
    desk.object(at).write(0, 8, value % 2**64)
    return at


def broken_down(seconds: int) -> list[int]:
    at = time.gmtime(seconds)
    return [
        at.tm_sec,
        at.tm_min,
        at.tm_hour,
        at.tm_mday,
        at.tm_mon - 1,
        at.tm_year - 1900,
        (at.tm_wday + 1) % 7,
        at.tm_yday - 1,
        0,
    ]


@pytest.mark.parametrize("seconds", TIMES)
def test_times_are_broken_down(seconds: int) -> None:
    desk = Desk(8)
    here = desk.new(None, None, None, None, size=60)
    place = Address(here.base, 4)
    assert desk.call("gmtime_r", second(desk, seconds), place) == place
    assert numbers(desk, place) == broken_down(seconds)
    own = desk.call("gmtime", second(desk, seconds))
    assert numbers(desk, own) == broken_down(seconds) and desk.call("gmtime", second(desk, 0)) == own
    local = desk.call("localtime", second(desk, seconds))
    assert numbers(desk, local) == broken_down(seconds + 8 * 900)
    assert numbers(desk, desk.call("localtime_r", second(desk, seconds), place)) == broken_down(seconds + 7200)


@pytest.mark.parametrize(("quarters", "is_one"), [(-49, False), (-48, True), (0, True), (56, True), (57, False)])
def test_zones(quarters: int, is_one: bool) -> None:
    desk = Desk(quarters)
    if not is_one:
        with pytest.raises(Stopped):
            desk.call("localtime", second(desk, 0))
        return
    for _ in range(2):  # one input for the whole run, also where it is 0
        assert numbers(desk, desk.call("localtime", second(desk, 0))) == broken_down(900 * quarters)


def test_times_that_are_too_far_away() -> None:
    desk = Desk()
    for name, given in (
        ("gmtime", second(desk, 2**62)),
        ("mktime", put_numbers(desk, [0, 0, 0, 1, 0, 2**30, 0])),
        ("mktime", put_numbers(desk, [0, 0, 0, 1, 0, -1901, 0])),
    ):
        with pytest.raises(Unclear, match="too far away"):
            desk.call(name, given)


@pytest.mark.parametrize("seconds", TIMES)
def test_times_are_put_together(seconds: int) -> None:
    desk = Desk(4)
    at = put_numbers(desk, broken_down(seconds))
    assert desk.call("mktime", at) == seconds - 3600 and numbers(desk, at) == broken_down(seconds)


@pytest.mark.parametrize(
    "fields",
    [[70, 0, 0, 1, 0, 70, 0], [0, 61, 25, 32, 13, 99, 0], [-1, -1, -1, 0, -1, 100, 3], [0, 0, 0, 366, 11, 123, 0]],
)
def test_times_out_of_range_are_put_right(fields: list[int]) -> None:
    desk = Desk(0)
    at = put_numbers(desk, fields)
    years, month = divmod(fields[4], 12)
    first = calendar.timegm((1900 + fields[5] + years, month + 1, 1, 0, 0, 0))
    wanted = first + 86400 * (fields[3] - 1) + 3600 * fields[2] + 60 * fields[1] + fields[0]
    assert desk.call("mktime", at) == wanted and numbers(desk, at) == broken_down(wanted)


@pytest.mark.parametrize("seconds", [0, 951782400, 86400 * 13])
def test_texts_of_times(seconds: int) -> None:
    desk = Desk(0)
    wanted = [*f"{time.asctime(time.gmtime(seconds))}\n".encode(), 0]
    at, room = put_numbers(desk, broken_down(seconds)), desk.new(size=26)
    own = desk.call("asctime", at)
    assert desk.bytes(own) == wanted and desk.call("asctime_r", at, room) == room and desk.bytes(room) == wanted
    assert desk.call("ctime", second(desk, seconds)) == own and desk.bytes(own) == wanted
    room = desk.new(size=26)
    assert desk.call("ctime_r", second(desk, seconds), room) == room and desk.bytes(room) == wanted


EDGES = {3: (0, 99), 4: (0, 11), 5: (-2899, 8099), 6: (0, 6)}


@pytest.mark.parametrize("field", EDGES)
def test_texts_of_times_have_ranges(field: int) -> None:
    low, high = EDGES[field]
    for value in (low - 1, low, high, high + 1):
        desk = Desk()
        at = put_numbers(desk, [1 if number != field else value for number in range(7)])
        if low <= value <= high:
            assert len(desk.bytes(desk.call("asctime", at))) == 26
            continue
        with pytest.raises(Fault) as caught:
            desk.call("asctime", at)
        assert caught.value.kind == VALUE


def test_the_environment() -> None:
    desk = Desk(False, True, 2)
    name = desk.text("HOME")
    assert desk.call("getenv", name) == NULL
    found = desk.call("getenv", name)
    assert desk.bytes(found) == [None, None, 0] and not desk.object(found).writable
    with pytest.raises(Fault):
        desk.call("getenv", NULL)
    symbols, inputs = symbolic_desk(1, 7)
    size = symbols.object(symbols.call("getenv", symbols.text("A"))).size
    assert isinstance(size, Symbol) and inputs.number(size) == 8


@pytest.mark.parametrize(("given", "result"), [(-2, -1), (-1, -1), (0, 0), (7, 7)])
def test_clocks(given: int, result: int) -> None:
    desk = Desk(given)
    assert desk.call("clock") == result and [each.type for each in desk.read] == [Int(64)]


def test_differences_of_times() -> None:
    desk = Desk()
    assert desk.call("difftime", 5, 3) == 2.0 and desk.call("difftime", 3, 5) == -2.0
    symbols, inputs = symbolic_desk(4, 4)
    x, y = (inputs.choose(Int(64), "", NOWHERE) for _ in range(2))
    inputs.take_value = None  # type: ignore[assignment,method-assign]  # the same input is not chosen
    assert symbols.call("difftime", x, x) == 0.0
    with pytest.raises(TypeError):
        symbols.call("difftime", x, y)


def test_fields_of_a_time_that_is_an_input() -> None:
    """Nine numbers in the ranges that fields have; none is an input of the run."""
    desk, inputs = symbolic_desk(5)
    at = desk.new(size=8)
    desk.object(at).write(0, 8, inputs.choose(Int(64, False), "", NOWHERE))
    for name in ("gmtime", "localtime"):
        found = desk.object(desk.call(name, at))
        for number, (low, high) in enumerate(_RANGES):
            cell = found.read(4 * number, 4).converted(Int(32))
            assert cell.type == Int(32) and low <= high
    assert len(inputs.order) == 1 and inputs.invented == 18


@pytest.mark.parametrize(("name", "type"), [("f s32", Int(32)), ("f u8", Int(8, False)), ("f b", BOOL)])
def test_functions_that_nobody_defines(name: str, type: Any) -> None:
    """The same for the same arguments, an input for others."""
    desk, asked = Desk(1, 2, 3, 4), []
    call: Any = uninterpreted(name)
    choose = desk.machine.inputs.choose

    def listen(type: Any, origin: str, span: Any) -> Any:
        asked.append((type, origin))
        return choose(type, origin, span)

    desk.machine.inputs.choose = listen  # type: ignore[method-assign]
    given = [(1, 2), (2, 1), (1, 2), (POINTER, 1), (POINTER, 1)]
    assert [call(desk.machine, desk.frame, each, NOWHERE) for each in given] == [1, 2, 1, 3, 3]
    assert asked == [(type, "f()")] * 3


POINTER = Address(1, 0)


@pytest.mark.parametrize(("one", "other"), [(3, 3), (3, 4), (1, 2)])
def test_functions_of_inputs(one: int, other: int) -> None:
    """Equal arguments have one result, whether they are numbers or inputs, and in whatever order they come."""
    desk, inputs = symbolic_desk(one, other, 70, 71, 72, 73, 74)
    x, y = (inputs.choose(Int(32), "", NOWHERE) for _ in range(2))
    call: Any = uninterpreted("f s32")
    known: dict[int, int] = {}
    for given, value in ((3, 3), (x, one), (y, other), (3, 3), (x, one), (1, 1), (y, other)):
        found = int(inputs.number(call(desk.machine, desk.frame, (given,), NOWHERE)))
        assert known.setdefault(value, found) == found
    assert len(set(known.values())) == len(known)
    for given in ((x, POINTER), (POINTER, x)):
        with pytest.raises(Unclear, match="pointers and inputs"):
            call(desk.machine, desk.frame, given, NOWHERE)


def test_functions_of_pointers_and_inputs() -> None:
    desk, inputs = symbolic_desk(5, 6, 7)
    call: Any = uninterpreted("f s32")
    call(desk.machine, desk.frame, (POINTER,), NOWHERE)
    with pytest.raises(Unclear, match="pointers and inputs"):
        call(desk.machine, desk.frame, (inputs.choose(Int(32), "", NOWHERE),), NOWHERE)


def test_which_inputs_functions_of_inputs_read() -> None:
    desk, inputs = symbolic_desk(5, 70, 71, 72)
    x = inputs.choose(Int(32), "", NOWHERE)
    call: Any = uninterpreted("f u8")
    kinds = []
    for given in (x, x, 3, x + 1):
        found = call(desk.machine, desk.frame, (given,), NOWHERE)
        assert found.type == Int(8, False)
        kinds.append(inputs.order[-1][0])
    assert kinds == ["symbol", "symbol", "perhaps", "perhaps"] and len(inputs.order) == 4


def test_a_place_of_the_library_that_threads_share_is_not_followed() -> None:
    """`gmtime` writes where it wrote before; two threads that call it at once are in each other's way."""
    text = """#include <assert.h>
#include <pthread.h>
#include <time.h>
void *f(void *a) { time_t u = 10000000; THREAD return 0; }
int main(void) {
  time_t s = 0; struct tm *p = gmtime(&s); pthread_t t; pthread_create(&t, 0, f, 0);
  int one = p->tm_mday, other = p->tm_mday; assert(one == other); return 0; }
"""
    for inside, verdict in (("gmtime(&u);", "UNKNOWN"), ("struct tm b; gmtime_r(&u, &b);", "TRUE")):
        for asked in ("reach", "race"):
            found = check(text.replace("THREAD", inside), file="p.c", property=asked)
            assert found.verdict.name == verdict, (inside, asked)
