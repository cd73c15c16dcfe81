"""Printing by a format: what is printed, as Python prints it, and which texts are read."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.memory.values import NULL, Address
from support.kernel_desk import Desk


def shown(desk: Desk, format: str, *values: Any) -> str:
    """Return what a format prints into memory."""
    where = desk.block(*[255] * 40)
    given = [desk.text(value) if isinstance(value, str) else value for value in values]
    length = desk.call("sprintf", where, desk.text(format), *given)
    codes = desk.read(where, length + 2)
    assert codes[-2:] == [0, 255]
    assert desk.call("printf", desk.text(format), *given) == length
    return bytes(codes[:-2]).decode("latin-1")


@pytest.mark.parametrize(
    ("format", "values", "text"),
    [
        *[
            ("", (), ""),
            ("a%%b", (), "a%b"),
            ("%d|%i", (5, -5), "5|-5"),
            ("%u", (-1,), "4294967295"),
            ("%c%c", (65, 322), "AB"),
        ],
        *[
            ("%x %X %o", (255, 255, 8), "ff FF 10"),
            ("%hhd %hd", (300, 70000), "44 4464"),
            ("%ld", (1 << 40,), str(1 << 40)),
        ],
        *[("%lld %llu", (-1, -1), f"-1 {(1 << 64) - 1}"), ("%jd %zu", (7, 8), "7 8"), ("%hhu", (-1,), "255")],
        *[
            ("%5d|%-5d|", (42, 42), "   42|42   |"),
            ("%05d %05d", (42, -42), "00042 -0042"),
            ("%+d %+d", (3, -3), "+3 -3"),
        ],
        *[
            ("%+05d", (42,), "+0042"),
            ("%-05d|", (4,), "4    |"),
            ("%+u", (3,), "3"),
            ("%+d", (0,), "+0"),
            ("%02d", (123,), "123"),
        ],
        *[
            ("%s-%s", ("ab", ""), "ab-"),
            ("%4s|%-4s|", ("ab", "ab"), "  ab|ab  |"),
            ("%.1s|%.0s|%.s|%.9s", ("ab",) * 4, "a|||ab"),
        ],
        *[
            ("%*d|%-*d|", (4, 7, 3, 8), "   7|8  |"),
            ("%*d|", (-3, 5), "5  |"),
            ("%.*s|", (1, "ab"), "a|"),
            ("%.*s", (-1, "ab"), "ab"),
        ],
        *[("%*.*s|", (3, 1, "ab"), "  a|"), ("%3c|", (65,), "  A|")],
        ("%.3d|%.3x|%#x|% d|%#o|%.0d|", (5, 255, 255, 5, 8, 0), "005|0ff|0xff| 5|010||"),
        ("%05.3d|%+.2d", (5, 5), "  005|+05"),
        ("%f|%.2f|%e|%g", (0.5, 2.675, 12345.0, 1e-5), "0.500000|2.67|1.234500e+04|1e-05"),
        ("%8.1f|%-8.1lf|%08.1f|%+.0f", (2.25, 2.25, -2.25, 2.5), "     2.2|2.2     |-00002.2|+2"),
    ],
)
def test_what_is_printed(format: str, values: tuple[Any, ...], text: str) -> None:
    assert shown(Desk(), format, *values) == text


def test_what_is_not_known_is_any_number() -> None:
    desk = Desk([77])
    assert desk.call("printf", desk.text("%p"), 65).value == 77
    assert "does not know" in desk.fault("sprintf", desk.block(1, 2, 3, 4), desk.text("%p"), 65)


@pytest.mark.parametrize(
    ("format", "value"), [("%05s", "a"), ("%05c", 5), ("%#c", 5), ("%#d", 5), ("%f", 5), ("%d", 1.5), ("%Lf", 1.5)]
)
def test_what_c_leaves_undefined_is_not_known(format: str, value: Any) -> None:
    desk = Desk([5])
    given = desk.text(value) if isinstance(value, str) else value
    assert "does not know the format" in desk.fault("printf", desk.text(format), given)


@pytest.mark.parametrize("format", ["%n", "%ls", "%hhn", "%y"])
def test_other_conversions_are_not_known(format: str) -> None:
    desk = Desk()
    for unseen in (False, True):
        assert "does not know the format" in desk.fault(
            "printf", desk.text(format), desk.block(1, 2, 3, 4), unseen=unseen
        )


@pytest.mark.parametrize("unseen", [False, True])
def test_every_text_is_read(unseen: bool) -> None:
    def end(format: str, *values: Any) -> str:
        desk = Desk([1, 1, 1])
        given = [
            desk.text(*value) if isinstance(value, tuple) and isinstance(value[0], str) else value for value in values
        ]
        return desk.fault("printf", desk.text(format), *given, unseen=unseen)

    cut = ("ab", 2)
    assert end("%s", cut) == end("%f%s", 1.5, cut) == end("%*d%s", 3, 7, cut) == end("%.3s", cut) == "bounds"
    assert end("%.*s", -1, cut) == end("%d%s", 1, cut) == "bounds" and end("%s", NULL) == "null"
    assert end("%.2s", cut).startswith("returns") and end("%.*s", 2, cut).startswith("returns")
    assert end("%s", ("ab", 3)).startswith("returns")
    assert end("%d") == end("%d%d", 1) == end("%*d", 1) == end("%.*d", 1) == end("%s") == "value"
    assert end("%d", 1, 2).startswith("returns")
    assert "made from a pointer" in end("%.*s", Address(1, 0), cut)


def test_only_what_fits_is_written() -> None:
    desk = Desk()
    where = desk.block(9, 9, 9, 9, 9)
    assert desk.call("snprintf", where, 3, desk.text("%s"), desk.text("abcd")) == 4 and desk.read(where, 4) == [
        *b"ab\0",
        9,
    ]
    assert desk.call("snprintf", where, 2, desk.text("abcd")) == 4 and desk.read(where, 4) == [*b"a\0\0", 9]
    desk.call("snprintf", where, 3, desk.text("abcd"))
    assert desk.call("snprintf", where, 1, desk.text("x")) == 1 and desk.read(where, 2) == [0, 98]
    assert desk.call("snprintf", NULL, 0, desk.text("xyz")) == 3
    assert desk.fault("sprintf", where, desk.text("abcde")) == "bounds"


def test_a_text_is_made() -> None:
    desk = Desk()
    where = desk.block(*[None] * 8)
    assert desk.call("asprintf", where, desk.text("%d"), 42) == 2
    made = desk.machine.load(where, ("address", 8), (0, 0))
    assert desk.read(made, 3) == [*b"42\0"] and desk.machine.objects[made.base].size == 3


def test_arguments_of_a_list() -> None:
    desk = Desk()
    desk.machine.frames[-1].further = (32, 7, 32, 8)
    where, listed = desk.block(*[None] * 9), desk.block(*[None] * 8)
    desk.call("va_start", listed)
    assert desk.call("vsprintf", where, desk.text("%d-%d"), listed) == 3 and desk.read(where, 4) == [*b"7-8\0"]
    assert desk.call("vprintf", desk.text("%d"), listed) == desk.call("vfprintf", 0, desk.text("%d"), listed) == 1


def test_lines() -> None:
    desk = Desk([7])
    assert desk.call("puts", desk.text("ab")).value == 7 and desk.call("puts", desk.text("ab"), unseen=True) is None
    assert desk.call("perror", NULL) is None and desk.call("perror", desk.text("a")) is None
    for name in ("puts", "perror"):
        assert desk.fault(name, desk.text("ab", 2)) == "bounds"
    assert desk.fault("puts", NULL) == desk.fault("puts", NULL, unseen=True) == "null"
