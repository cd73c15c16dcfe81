"""Functions that read from outside: what they store, which inputs there are, and where they fail."""

from __future__ import annotations

from typing import Any

import pytest

from knaster_check.memory.faults import Over
from knaster_check.memory.given import GivenInputs
from knaster_check.memory.library import scans
from knaster_check.memory.values import NULL, Following
from support.kernel_desk import Desk


def scanned(inputs: list[int], format: str, *sizes: int) -> tuple[int, list[list[Any]], list[int]]:
    """Return what scanf says and stores on some inputs, and the largest value of each input."""
    desk = Desk(inputs)
    places = [desk.block(*[99] * size) for size in sizes]
    said = desk.call("scanf", desk.text(format), *places)
    stored = [
        [getattr(part, "whole", part) for part in desk.read(place, size)]
        for place, size in zip(places, sizes, strict=True)
    ]
    return (
        said,
        [[one.value if isinstance(one, Following) else one for one in row] for row in stored],
        desk.machine.inputs.last,
    )


@pytest.mark.parametrize(
    ("format", "size", "last"),
    [
        *[
            ("%d", 4, (1 << 31) - 1),
            ("%u", 4, (1 << 32) - 1),
            ("%hd", 2, (1 << 15) - 1),
            ("%hhu", 1, 255),
            ("%ld", 8, (1 << 63) - 1),
        ],
        *[
            ("%llx", 8, (1 << 64) - 1),
            ("%o", 4, (1 << 32) - 1),
            ("%i", 4, (1 << 31) - 1),
            ("%c", 1, 127),
            ("%zu", 8, (1 << 64) - 1),
        ],
    ],
)
def test_types(format: str, size: int, last: int) -> None:
    said, stored, inputs = scanned([1, 7], format, size)
    assert said == 1 and stored == [[7] * size] and inputs == [1, last]


@pytest.mark.parametrize(("format", "bytes"), [("%f", [0, 0, 192, 63]), ("%lg", [0, 0, 0, 0, 0, 0, 248, 63])])
def test_floating_point_numbers(format: str, bytes: list[int]) -> None:
    desk = Desk()
    desk.machine.inputs = GivenInputs([True, "0x1.8p+0"])
    where = desk.block(*[99] * 8)
    assert desk.call("scanf", desk.text(format), where) == 1
    kind = ("floating", 8 * len(bytes))
    assert desk.machine.load(where, kind, (0, 0)) == 1.5 and desk.read(where, 8)[len(bytes) :] == [99] * (
        8 - len(bytes)
    )


def test_what_is_said_where_nothing_is_read() -> None:
    """Any character, and any word, can be read: there is none where the input ends, unless a letter had to come."""
    for format, said in (("%c", -1), (" \n%s", -1), ("x%c", 0), ("x%s", 0), ("%d", 0)):
        assert scanned([0, 1], format, 4)[0] == said
        assert scanned([0, 0], format, 4)[0] == -1


def test_it_may_read_less() -> None:
    assert scanned([0], "%d%d", 4, 4)[:2] == (-1, [[99] * 4, [99] * 4])
    assert scanned([1, 3, 0], "%d%d", 4, 4)[:2] == (1, [[3] * 4, [99] * 4])
    assert scanned([1, 3, 1, 4], "%d %d", 4, 4)[:2] == (2, [[3] * 4, [4] * 4])
    assert scanned([], "abc")[0] == 0


@pytest.mark.parametrize(
    ("format", "value", "possible"),
    [
        *[
            ("%2d", 99, True),
            ("%2d", 100, False),
            ("%2d", -9, True),
            ("%2d", -10, False),
            ("%1d", 0, True),
            ("%1d", -1, False),
        ],
        *[("%2u", 99, True), ("%2u", 100, False), ("%2u", (1 << 32) - 9, True), ("%2u", (1 << 32) - 10, False)],
        *[
            ("%2x", 255, True),
            ("%2x", 256, False),
            ("%2o", 63, True),
            ("%2o", 64, False),
            ("%2X", (1 << 32) - 15, True),
        ],
        *[("%d", 100, True), ("%9d", 999999999, True)],
    ],
)
def test_widths(format: str, value: int, possible: bool) -> None:
    if possible:
        assert scanned([1, value], format, 4)[0] == 1
    else:
        with pytest.raises(Over):
            scanned([1, value], format, 4)


def test_words() -> None:
    assert scanned([1, 65, 1, 66, 0], "%s", 4)[:2] == (1, [[65, 66, 0, 99]])
    assert scanned([1, 65], "%1s", 4)[:2] == (1, [[65, 0, 99, 99]])
    assert scanned([1, 65, 1, 66], "%1s", 4)[:2] == (1, [[65, 0, 99, 99]])
    assert scanned([1, 65, 1, 66], "%2s", 4)[:2] == (1, [[65, 66, 0, 99]])
    for space in (0, 32, 9, 13):
        with pytest.raises(Over):
            scanned([1, space], "%1s", 4)
    for letter in (8, 14, 31, 33, 1):
        assert scanned([1, letter], "%1s", 4)[1] == [[letter, 0, 99, 99]]
    desk = Desk([1, 65, 1, 66, 0])
    assert desk.fault("scanf", desk.text("%s"), desk.block(1, 2)) == "bounds"


def test_long_words_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "_MOST", 2)
    desk = Desk([1, 65, 1, 66])
    assert desk.fault("scanf", desk.text("%s"), desk.block(1, 2, 3)) == "a word is too long"


@pytest.mark.parametrize("format", ["%5f", "%Lf", "%[a]", "%*d", "%p", "%n", "%2c", "%%"])
def test_other_formats_are_not_known(format: str) -> None:
    desk = Desk([1, 1])
    assert "does not know the format" in desk.fault("scanf", desk.text(format), desk.block(1, 2, 3, 4))


def test_arguments_that_are_missing() -> None:
    desk = Desk([1, 1])
    assert desk.fault("scanf", desk.text("%d%d"), desk.block(1, 2, 3, 4)) == "value"
    assert desk.call("fscanf", 0, desk.text("")) == 0


def test_the_time() -> None:
    desk = Desk([-5, 6, -1, -2])
    where = desk.block(*[None] * 8)
    assert desk.call("time", where).value == -5 and desk.machine.load(where, ("int", 64, True), (0, 0)).value == -5
    assert desk.call("time", NULL).value == 6
    assert desk.call("clock").value == -1 and desk.call("clock") == -1
    assert desk.machine.inputs.last == [(1 << 63) - 1] * 4


def test_streams() -> None:
    desk = Desk([1, 0, 1, 3, 1, 0])
    stream = desk.call("fopen", desk.text("a"), desk.text("r"))
    assert desk.machine.objects[stream.base].size == 216 and desk.call("fopen", desk.text("a"), desk.text("r")) == NULL
    assert (
        desk.fault("fopen", desk.text("a", 1), desk.text("r"))
        == desk.fault("fopen", desk.text("a"), desk.text("r", 1))
        == "bounds"
    )
    assert desk.fault("fdopen", 3, desk.text("r", 1)) == "bounds"
    assert desk.call("fdopen", 3, desk.text("r")) != NULL
    assert desk.call("fgetc", stream).value == 3 and desk.machine.inputs.last[-1] == 255
    assert desk.call("fclose", stream) == 0 and desk.fault("fgetc", stream) == desk.fault("fclose", stream) == "dead"
    other = desk.block(1)
    assert desk.call("fclose", other) == -1


def test_positions() -> None:
    desk = Desk([-1])
    assert desk.call("fseek", desk.block(1), 0, 0).value == -1 and desk.machine.inputs.last == [0]


def line(inputs: list[int], size: int) -> list[Any] | None:
    """Return what fgets stores."""
    desk = Desk(inputs)
    where, stream = desk.block(*[99] * 4), desk.block(1)
    if desk.call("fgets", where, size, stream) == NULL:
        return None
    found = [getattr(part, "whole", part) for part in desk.read(where, 4)]
    assert len(desk.machine.inputs.values) == len(inputs)
    return [part.value if isinstance(part, Following) else part for part in found]


def test_lines() -> None:
    assert line([0], 4) is None and line([], 0) is None and line([1], 1) == [0, 99, 99, 99]
    assert line([1, 65, 0], 4) == [65, 0, 99, 99] and line([1, 65, 1, 66], 3) == [65, 66, 0, 99]
    assert line([1, 65, 1, 10], 4) == [65, 10, 0, 99] and line([1, 10], 4) == [10, 0, 99, 99]
    desk = Desk([1, 1, 1, 1])
    assert "too long" in desk.fault("fgets", desk.block(1), (1 << 16) + 1, desk.block(1))
    assert desk.fault("fgets", desk.block(1), 1 << 16, desk.block(1)) == "bounds"
    assert desk.fault("fgets", desk.block(1), 2, NULL) == "null"
