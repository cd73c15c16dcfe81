"""Formats of printf and scanf, called one at a time: the characters that come out, the inputs that go in."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.program.expression import NOWHERE
from knaster.program.memory import NULL, Address
from knaster.program.types import Int
from knaster.semantics.memory import formats
from knaster.semantics.memory.arguments import TEXT
from knaster.semantics.memory.failure import BOUNDS, VALUE, Fault, Stopped, Unclear
from knaster.semantics.memory.objects import HEAP
from knaster.semantics.memory.symbolic.symbols import Symbol
from support.memory_desk import Desk, symbolic_desk

POINTER = Address(1, 0)

SHOWN: list[tuple[str, tuple[Any, ...], str]] = [
    ("", (), ""),
    ("a%%b", (), "a%b"),
    ("%d", (-5,), "-5"),
    ("<%i>", (7,), "<7>"),
    ("%u", (-1,), "4294967295"),
    ("%d", (2**31,), "-2147483648"),
    ("%hhd", (200,), "-56"),
    ("%hu", (65537,), "1"),
    ("%ld%lu", (-(2**63), 2**64 - 1), "-9223372036854775808" + "18446744073709551615"),
    ("%zu-%lld-%jd-%td", (1, 2, 3, 4), "1-2-3-4"),
    ("%x|%X|%o", (255, 255, 8), "ff|FF|10"),
    ("%x", (-1,), "ffffffff"),
    ("%4d|%-4d|%04d", (7, 7, 7), "   7|7   |0007"),
    ("%-04d|", (7,), "7   |"),
    ("%05d", (-7,), "-0007"),
    ("%+d%+d", (5, -5), "+5-5"),
    ("%+d", (0,), "+0"),
    ("%+u", (5,), "5"),
    ("%0d", (5,), "5"),
    ("%*d|", (4, 7), "   7|"),
    ("%*d|", (-4, 7), "7   |"),
    ("%s", ("text",), "text"),
    ("%6s|%-6s|", ("abc", "abc"), "   abc|abc   |"),
    ("%.2s", ("abc",), "ab"),
    ("%.s|", ("abc",), "|"),
    ("%.*s", (2, "abc"), "ab"),
    ("%.*s", (-2, "abc"), "abc"),
    ("%c%c", (65, 256 + 66), "AB"),
    ("%3c", (65,), "  A"),
    ("x%dy%sz", (1, "q"), "x1yqz"),
    ("%.3d|%.3x|%#x|% d|%#o|%.0d|", (5, 255, 255, 5, 8, 0), "005|0ff|0xff| 5|010||"),
    ("%05.3d|%+.2d", (5, 5), "  005|+05"),
    ("%f|%.2f|%e|%g", (0.5, 2.675, 12345.0, 1e-5), "0.500000|2.67|1.234500e+04|1e-05"),
    ("%8.1f|%-8.1lf|%08.1f|%+.0f", (2.25, 2.25, -2.25, 2.5), "     2.2|2.2     |-00002.2|+2"),
]


def given_to(desk: Desk, values: tuple[Any, ...]) -> list[Any]:
    return [desk.text(value) if isinstance(value, str) else value for value in values]


@pytest.mark.parametrize("case", SHOWN, ids=str)
def test_what_is_printed(case: tuple[str, tuple[Any, ...], str]) -> None:
    format, values, shown = case
    desk = Desk()
    here = desk.new(size=60)
    wanted = [*shown.encode("latin-1"), 0]
    assert desk.call("sprintf", here, desk.text(format), *given_to(desk, values)) == len(shown)
    assert desk.bytes(here, len(wanted)) == wanted and desk.bytes(here)[len(wanted)] is None
    assert desk.call("printf", desk.text(format), *given_to(desk, values)) == len(shown)


@pytest.mark.parametrize("room", [0, 1, 3, 4, 5, 9])
def test_what_is_printed_into_little_room(room: int) -> None:
    desk = Desk()
    here = desk.new(size=9)
    assert desk.call("snprintf", here, room, desk.text("%d"), 1234) == 4
    shown = [*b"1234"[: max(0, room - 1)], 0] if room else []
    assert desk.bytes(here) == shown + [None] * (9 - len(shown))


def test_what_is_printed_into_a_new_object() -> None:
    desk = Desk()
    here = desk.new(size=8)
    assert desk.call("asprintf", here, desk.text("%d!"), 12) == 3
    at = desk.object(here).read(0, 8)
    assert desk.bytes(at) == [*b"12!", 0] and desk.object(at).kind == HEAP


def test_how_much_is_printed_is_an_input() -> None:
    desk = Desk(77)
    assert desk.call("printf", desk.text("%p"), 5) == 77
    with pytest.raises(Unclear, match="a format is not read"):
        desk.call("sprintf", desk.new(size=9), desk.text("%p"), 5)


@pytest.mark.parametrize("format", ["%a", "%Lf", "%f", "%05c", "%#c", "%#d"])
def test_what_has_no_meaning(format: str) -> None:
    desk = Desk(77)
    with pytest.raises(Unclear, match=r"is not read|leaves undefined"):
        desk.call("sprintf", desk.new(size=9), desk.text(format), 1.5 if format in ("%a", "%Lf") else 5)


def test_wide_characters_are_not_read() -> None:
    desk = Desk(77)
    with pytest.raises(Unclear, match="is not read"):
        desk.call("printf", desk.text("%lc"), 5)
    assert not fails(desk, "printf", desk.text("%lc"), 5)
    with pytest.raises(Unclear, match="is not read"):
        desk.call("printf", desk.text("%c"), POINTER)


@pytest.mark.parametrize("format", ["%n", "%ls", "%S", "%k"])
def test_what_is_not_read(format: str) -> None:
    desk = Desk()
    for unseen in (False, True):
        with pytest.raises(Unclear, match="is not read"):
            if unseen:
                formats.UNSEEN["printf"](desk.machine, desk.frame, (desk.text(format), desk.text("a")), NOWHERE)
            else:
                desk.call("printf", desk.text(format), desk.text("a"))


def test_what_is_not_known() -> None:
    desk = Desk()
    with pytest.raises(Unclear, match="takes its width from"):
        desk.call("printf", desk.text("%*d"), POINTER, 1)
    for format, values in (("%d", ()), ("%d%d", (1,)), ("%*d", (1,)), ("%*d", ())):
        with pytest.raises(Fault, match="more arguments than there are"):
            desk.call("printf", desk.text(format), *values)


def fails(desk: Desk, name: str, *given: Any) -> bool:
    try:
        formats.UNSEEN[name](desk.machine, desk.frame, given, NOWHERE)
    except Fault as found:
        assert found.kind == BOUNDS
        return True
    return False


@pytest.mark.parametrize(
    ("format", "more", "wrong"),
    [
        ("%s", (), True),
        ("%.2s", (), False),
        ("%.3s", (), True),
        ("%.s", (), False),
        ("%.*s", (2,), False),
        ("%.*s", (3,), True),
        ("%.*s", (-3,), True),
        ("%p", (), False),
    ],
)
def test_texts_are_read_though_nobody_counts_them(format: str, more: tuple[int, ...], wrong: bool) -> None:
    desk = Desk()
    assert fails(desk, "printf", desk.text(format), *more, desk.new(97, 98)) is wrong
    assert not fails(desk, "printf", desk.text(format), *more, desk.text("ab"))


def test_lines_that_are_printed() -> None:
    desk = Desk(7)
    assert desk.call("puts", desk.text("ab")) == 7 and fails(desk, "puts", desk.new(97))
    assert desk.call("perror", NULL) is None and desk.call("perror", desk.text("a")) is None
    for wrong in (desk.new(97), Address(0, 1)):
        with pytest.raises(Fault):
            desk.call("perror", wrong)


@pytest.mark.parametrize("length", [0, 5, 2**31 - 3, 2**31 - 2])
def test_arguments_of_main_are_counted(length: int) -> None:
    desk, inputs = symbolic_desk(length)
    size = inputs.choose(Int(32, False), "", NOWHERE) + 1
    text = desk.machine.allocate("t", size, TEXT, writable=False)
    wanted = length + 2 if length + 2 < 2**31 else -1
    assert inputs.number(desk.call("printf", desk.text("<%s>"), text)) == wanted
    assert not fails(desk, "printf", desk.text("<%s>"), text) and not fails(desk, "puts", text)


def test_very_long_texts_are_a_mistake() -> None:
    assert [formats._printed(count) for count in (0, 2**31 - 1, 2**31)] == [0, 2**31 - 1, -1]


@pytest.mark.parametrize("value", [0, 9, 10, -1, -9, -10, 12345, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize("format", ["%d", "%7d|", "%-7d|", "%u"])
def test_digits_of_an_input(format: str, value: int) -> None:
    desk, inputs = symbolic_desk(value)
    here = desk.new(size=30)
    count = desk.call("sprintf", here, desk.text(format), inputs.choose(Int(32), "", NOWHERE))
    shown = format.replace("u", "d") % (value % 2**32 if format == "%u" else value)
    assert count == len(shown)
    codes = desk.bytes(here, count + 1)
    assert [inputs.number(byte) for byte in codes] == [*shown.encode(), 0]
    digits = [byte for byte, code in zip(codes, [*shown, ""], strict=True) if code.isdigit()]
    assert all(isinstance(byte, Symbol) for byte in digits)  # nothing but how many there are was chosen


@pytest.mark.parametrize("format", ["%05d", "%+d"])
def test_an_input_with_flags_is_chosen(format: str) -> None:
    desk, inputs = symbolic_desk(42)
    here = desk.new(size=9)
    count = desk.call("sprintf", here, desk.text(format), inputs.choose(Int(32), "", NOWHERE))
    assert bytes(desk.bytes(here, count)).decode() == format % 42


def test_lists_of_arguments() -> None:
    desk = Desk()
    desk.frame.extra = (32, 7, 32, 8)  # each behind the number of its type
    here, room = desk.new(size=8), desk.new(size=9)
    desk.call("va_start", here)
    assert desk.call("vsprintf", room, desk.text("%d%d"), here) == 2 and desk.bytes(room, 3) == [*b"78", 0]
    desk.call("va_arg", here, 32)
    assert desk.call("vsnprintf", room, 9, desk.text("%d!"), here) == 2 and desk.bytes(room, 3) == [*b"8!", 0]
    assert desk.call("vprintf", desk.text("%d"), here) == 1 == desk.call("vfprintf", NULL, desk.text("%d"), here)
    assert desk.call("vasprintf", desk.new(size=8), desk.text("%d"), here) == 1
    desk.machine.kill(desk.object(here).read(0, 8).base)
    for at in (here, desk.new(*[0] * 8)):
        with pytest.raises(Fault) as caught:
            desk.call("vprintf", desk.text("%d"), at)
        assert caught.value.kind == VALUE


SCANNED: list[tuple[str, tuple[Any, ...], int, list[list[Any]]]] = [
    ("%d", (False, False), -1, [[None] * 4]),
    ("%d", (False, True), 0, [[None] * 4]),
    ("x%c", (False, True), 0, [[None] * 4]),
    (" %c", (False,), -1, [[None] * 4]),
    ("%s", (False,), -1, [[None] * 4]),
    ("%f", (True, 1.0), 1, [[0, 0, 0x80, 0x3F]]),
    ("%d", (True, -1), 1, [[255] * 4]),
    ("%d%d", (True, 1, False), 1, [[1, 0, 0, 0], [None] * 4]),
    ("%d%d", (True, 1, True, 2), 2, [[1, 0, 0, 0], [2, 0, 0, 0]]),
    ("%hhu", (True, 200), 1, [[200, None, None, None]]),
    ("%hd", (True, 3), 1, [[3, 0, None, None]]),
    ("%c", (True, 65), 1, [[65, None, None, None]]),
    ("%x", (True, 2**32 - 1), 1, [[255] * 4]),
    ("%s", (True, 65, False), 1, [[65, 0, None, None]]),
    ("%2s", (True, 65, True, 66), 1, [[65, 66, 0, None]]),
    ("%s%c", (True, 65, False, True, 66), 2, [[65, 0, None, None], [66, None, None, None]]),
    ("%1d", (True, 9), 1, [[9, 0, 0, 0]]),
    ("%2d", (True, -9), 1, [[247, 255, 255, 255]]),
    ("%1o", (True, 7), 1, [[7, 0, 0, 0]]),
    ("%1d", (True, 0), 1, [[0, 0, 0, 0]]),
    ("%3d", (True, -99), 1, [[157, 255, 255, 255]]),
    ("%2x", (True, 255), 1, [[255, 0, 0, 0]]),
    ("%2u", (True, 2**32 - 9), 1, [[247, 255, 255, 255]]),
]


@pytest.mark.parametrize("case", SCANNED, ids=str)
@pytest.mark.parametrize("name", ["scanf", "fscanf"])
def test_what_is_scanned(name: str, case: tuple[str, tuple[Any, ...], int, list[list[Any]]]) -> None:
    format, inputs, count, bytes = case
    desk = Desk(*inputs)
    places = [desk.new(size=4) for _ in bytes]
    first = (NULL,) if name == "fscanf" else ()
    assert desk.call(name, *first, desk.text(format), *places) == count
    assert [desk.bytes(place) for place in places] == bytes


@pytest.mark.parametrize(
    ("format", "value"),
    [
        ("%s", 0),
        ("%s", 32),
        ("%s", 9),
        ("%s", 13),
        ("%1d", 10),
        ("%1d", -1),
        ("%2d", -10),
        ("%3d", -100),
        ("%1o", 8),
        ("%2x", 256),
        ("%1u", 2**32 - 1),
        ("%2u", 2**32 - 10),
    ],
)
def test_what_cannot_be_scanned(format: str, value: int) -> None:
    with pytest.raises(Stopped):
        desk = Desk(True, value, False)
        desk.call("scanf", desk.text(format), desk.new(size=4))


@pytest.mark.parametrize("value", [8, 14, 31, 33])
def test_characters_of_words(value: int) -> None:
    desk = Desk(True, value, False)
    assert desk.call("scanf", desk.text("%s"), desk.new(size=4)) == 1


@pytest.mark.parametrize("format", ["%5f", "%Lf", "%hf", "%*d", "%+d", "%.2d", "%2c", "%[a]", "%p"])
def test_what_is_not_scanned(format: str) -> None:
    desk = Desk(True, 1, 1)
    with pytest.raises(Unclear, match="of scanf is not read"):
        desk.call("scanf", desk.text(format), desk.new(size=4))


def test_scans_have_places_and_words_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(True, 1)
    with pytest.raises(Fault, match="more arguments than there are"):
        desk.call("scanf", desk.text("%d%d"), desk.new(size=4))
    monkeypatch.setattr(formats, "_LONGEST", 2)
    desk = Desk(True, 65, True, 66)
    with pytest.raises(Unclear, match="a word is too long"):
        desk.call("scanf", desk.text("%s"), desk.new(size=9))


def test_the_time_is_an_input() -> None:
    desk = Desk(77, 78)
    here = desk.new(size=8)
    assert desk.call("time", NULL) == 77 and desk.call("time", here) == 78 and desk.object(here).read(0, 8) == 78
    assert [each.type for each in desk.read] == [Int(64)] * 2
    with pytest.raises(Fault):
        Desk(5).call("time", Address(0, 1))
