"""Functions on streams, called one at a time with inputs that are given: what they return, write and refuse."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.program.memory import NULL, Address
from knaster.semantics.memory import streams
from knaster.semantics.memory.failure import BOUNDS, DEAD, Fault, Unclear
from knaster.semantics.memory.objects import LITERAL
from support.memory_desk import Desk


def open_stream(desk: Desk) -> Address:
    return desk.machine.allocate("a stream", 216, LITERAL, zeroed=True)


def test_streams_open_or_not() -> None:
    desk = Desk(True, False, True)
    name, mode = desk.text("a"), desk.text("r")
    found = desk.call("fopen", name, mode)
    assert desk.object(found).kind == LITERAL and desk.object(found).zeroed and desk.object(found).size == 216
    assert desk.call("fopen", name, mode) == NULL and desk.call("fdopen", 3, mode) != NULL
    for name_given, given in (("fopen", (NULL, mode)), ("fopen", (name, NULL)), ("fdopen", (3, NULL))):
        with pytest.raises(Fault):
            desk.call(name_given, *given)


@pytest.mark.parametrize("name", ["fgetc", "fseek", "fseeko", "rewind", "fclose", "fgets", "fread", "fwrite"])
def test_a_stream_that_is_closed_is_not_used(name: str) -> None:
    desk = Desk(True)
    stream, here = open_stream(desk), desk.new(1)
    assert desk.call("fclose", stream) == 0
    given = {"fgets": (here, 1, stream), "fread": (here, 1, 1, stream), "fwrite": (here, 1, 1, stream)}
    with pytest.raises(Fault) as caught:
        desk.call(name, *given.get(name, (stream, 0, 0)))
    assert caught.value.kind == DEAD


@pytest.mark.parametrize(
    ("name", "given", "result"),
    [
        ("fgetc", 255, 255),
        ("fgetc", 256, -1),
        ("fgetc", -1, -1),
        ("fgetc", -2, -1),
        ("fgetc", 0, 0),
        ("fseek", 0, 0),
        ("fseek", -1, -1),
        ("fseek", 1, -1),
        ("fseeko", -9, -1),
    ],
)
def test_results_between_bounds(name: str, given: int, result: int) -> None:
    desk = Desk(given)
    assert desk.call(name, open_stream(desk), 0, 0) == result


LINES: list[tuple[int, tuple[Any, ...], list[Any] | None]] = [
    (0, (), None),
    (1, (False,), None),
    (1, (True,), [0, None, None, None]),
    (3, (True, 65, False), [65, 0, None, None]),
    (3, (True, 65, True, 66), [65, 66, 0, None]),
    (4, (True, 65, True, 10), [65, 10, 0, None]),
    (3, (True, 10), [10, 0, None, None]),
    (4, (True, 65, True, 66, True, 67), [65, 66, 67, 0]),
]


@pytest.mark.parametrize(("size", "inputs", "bytes"), LINES)
def test_lines(size: int, inputs: tuple[Any, ...], bytes: list[Any] | None) -> None:
    desk = Desk(*inputs)
    here = desk.new(None, size=5)
    place = Address(here.base, 1)
    found = desk.call("fgets", place, size, open_stream(desk))
    assert found == (NULL if bytes is None else place)
    assert desk.bytes(here) == [None, *(bytes or [None] * 4)]


def test_a_line_that_does_not_fit_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(True, 65, True, 66)
    with pytest.raises(Fault) as caught:
        desk.call("fgets", desk.new(size=1), 3, open_stream(desk))
    assert caught.value.kind == BOUNDS
    monkeypatch.setattr(streams, "_LONGEST", 4)
    desk = Desk(False)
    assert desk.call("fgets", NULL, 4, open_stream(desk)) == NULL
    with pytest.raises(Unclear, match="a line is too long"):
        desk.call("fgets", NULL, 5, open_stream(desk))


@pytest.mark.parametrize(
    ("size", "most", "inputs", "count", "bytes"),
    [
        (2, 2, (True, 1, 2, True, 3, 4), 2, [1, 2, 3, 4]),
        (2, 2, (True, 1, 2, False), 1, [1, 2, None, None]),
        (2, 2, (False,), 0, [None] * 4),
        (1, 3, (True, 1, True, 2, True, 3), 3, [1, 2, 3, None]),
        (0, 3, (), 0, [None] * 4),
        (3, 0, (), 0, [None] * 4),
    ],
)
def test_blocks_that_are_read(size: int, most: int, inputs: tuple[Any, ...], count: int, bytes: list[Any]) -> None:
    desk = Desk(*inputs)
    here = desk.new(size=4)
    assert desk.call("fread", here, size, most, open_stream(desk)) == count and desk.bytes(here) == bytes


def test_blocks_that_are_written() -> None:
    desk = Desk(3, 4, 0, -1, 9)
    here = desk.new(1, 2, 3, 4)
    assert desk.call("fwrite", here, 1, 4, open_stream(desk)) == 3
    assert desk.call("fwrite", here, 1, 3, open_stream(desk)) == 0
    assert desk.call("fwrite", NULL, 0, 3, open_stream(desk)) == 0
    assert desk.call("fwrite", here, 2, 2, open_stream(desk)) == 0
    with pytest.raises(Fault):
        desk.call("fwrite", here, 1, 5, open_stream(desk))
    with pytest.raises(Unclear, match="too many bytes"):
        desk.call("fread", here, 1 << 10, 1 << 10, open_stream(desk))
