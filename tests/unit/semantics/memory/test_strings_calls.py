"""Functions on texts and characters, called one at a time: results, bytes that they write, and where they fail."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.program.expression import NOWHERE
from knaster.program.memory import NULL, Address, Fragment
from knaster.program.types import Int
from knaster.semantics.memory import strings
from knaster.semantics.memory.arguments import TEXT
from knaster.semantics.memory.failure import BOUNDS, OVERLAP, Fault, Unclear
from support.memory_desk import Desk, symbolic_desk

RESULTS: list[tuple[str, tuple[Any, ...], Any]] = [
    ("strlen", ("",), 0),
    ("strlen", ("abc",), 3),
    ("strnlen", ("abc", 2), 2),
    ("strnlen", ("abc", 9), 3),
    ("strnlen", ("abc", 0), 0),
    ("strcmp", ("abc", "abd"), -1),
    ("strcmp", ("abd", "abc"), 1),
    ("strcmp", ("ab", "abc"), -1),
    ("strcmp", ("abc", "abc"), 0),
    ("strcmp", ("\xff", "a"), 1),
    ("strcmp", ("abC", "abc"), -1),
    ("strncmp", ("abc", "abd", 2), 0),
    ("strncmp", ("abc", "abd", 3), -1),
    ("strncmp", ("ab", "ab", 9), 0),
    ("strncmp", ("a", "b", 0), 0),
    ("strcasecmp", ("aBc", "AbC"), 0),
    ("strcasecmp", ("[", "a"), -1),
    ("strcasecmp", ("@", "`"), -1),
    ("strcasecmp", ("AZ", "az"), 0),
    ("strncasecmp", ("ABx", "aby", 2), 0),
    ("strncasecmp", ("ABx", "aby", 3), -1),
    ("strspn", ("aabc", "ab"), 3),
    ("strspn", ("aab", "ab"), 3),
    ("strspn", ("xab", "ab"), 0),
    ("strcspn", ("xyab", "ab"), 2),
    ("strcspn", ("xy", "ab"), 2),
    ("atoi", ("42",), 42),
    ("atoi", (" \t\n-17x",), -17),
    ("atoi", ("+8",), 8),
    ("atoi", ("-",), 0),
    ("atoi", ("x1",), 0),
    ("atoi", ("--1",), 0),
    ("atoi", ("1 2",), 1),
]


@pytest.mark.parametrize("case", RESULTS, ids=str)
def test_results(case: tuple[str, tuple[Any, ...], Any]) -> None:
    name, given, result = case
    desk = Desk()
    assert desk.call(name, *(desk.text(one) if isinstance(one, str) else one for one in given)) == result


@pytest.mark.parametrize(
    ("name", "text", "wanted", "spot"),
    [
        ("strchr", "abcb", ord("b"), 1),
        ("strchr", "abcb", ord("b") + 256, 1),
        ("strchr", "abcb", 0, 4),
        ("strchr", "abcb", ord("x"), None),
        ("strrchr", "abcb", ord("b"), 3),
        ("strrchr", "abcb", 0, 4),
        ("strrchr", "abcb", ord("x"), None),
        ("strstr", "xabcab", "ab", 1),
        ("strstr", "xab", "", 0),
        ("strstr", "xab", "ba", None),
        ("strpbrk", "xyab", "ba", 2),
        ("strpbrk", "xy", "ab", None),
    ],
)
def test_places(name: str, text: str, wanted: Any, spot: int | None) -> None:
    desk = Desk()
    desk.new(0)
    here = desk.text(text)
    found = desk.call(name, here, desk.text(wanted) if isinstance(wanted, str) else wanted)
    assert found == (NULL if spot is None else Address(here.base, spot))


def test_bytes_are_found_up_to_a_number() -> None:
    desk = Desk()
    here = desk.new(5, 0, 7)
    assert desk.call("memchr", here, 256, 2) == Address(here.base, 1) and desk.call("memchr", here, 7, 2) == NULL
    assert desk.call("memchr", here, 7, 3) == Address(here.base, 2) and desk.call("memchr", here, 5, 0) == NULL


def written(name: str, target: str, room: int, *given: Any) -> tuple[list[Any], Any, Desk]:
    """Return the bytes of a target with a text after a call, the result, and the desk."""
    desk = Desk()
    here = desk.text(target, size=room)
    found = desk.call(name, here, *(desk.text(one) if isinstance(one, str) else one for one in given))
    assert found.base == here.base
    return desk.bytes(here), found.offset, desk


@pytest.mark.parametrize(
    ("name", "target", "given", "bytes", "result"),
    [
        ("strcpy", "wxyz", ("ab",), [97, 98, 0, 122, 0, None], 0),
        ("stpcpy", "wxyz", ("ab",), [97, 98, 0, 122, 0, None], 2),
        ("strncpy", "wxyz", ("ab", 1), [97, 120, 121, 122, 0, None], 0),
        ("strncpy", "wxyz", ("ab", 2), [97, 98, 121, 122, 0, None], 0),
        ("strncpy", "wxyz", ("ab", 4), [97, 98, 0, 0, 0, None], 0),
        ("strncpy", "wxyz", ("ab", 0), [119, 120, 121, 122, 0, None], 0),
        ("strcat", "w", ("ab",), [119, 97, 98, 0, None, None], 0),
        ("strncat", "w", ("ab", 1), [119, 97, 0, None, None, None], 0),
        ("strncat", "w", ("ab", 9), [119, 97, 98, 0, None, None], 0),
        ("strncat", "w", ("ab", 0), [119, 0, None, None, None, None], 0),
    ],
)
def test_texts_are_written(name: str, target: str, given: tuple[Any, ...], bytes: list[Any], result: int) -> None:
    found, offset, desk = written(name, target, 6, *given)
    assert found == bytes and offset == result and desk.lapses == []


@pytest.mark.parametrize(
    ("name", "given", "room"),
    [("strcpy", ("abc",), 4), ("strcat", ("ab",), 4), ("strncpy", ("a", 4), 4), ("strncat", ("ab", 2), 4)],
)
def test_texts_fit_or_fail(name: str, given: tuple[Any, ...], room: int) -> None:
    written(name, "w", room, *given)
    with pytest.raises(Fault) as caught:
        written(name, "w", room - 1, *given)
    assert caught.value.kind == BOUNDS


@pytest.mark.parametrize("count", [3, 4])
def test_texts_without_an_end(count: int) -> None:
    """Only as much of them is read as is asked for."""
    desk = Desk()
    here, room = desk.new(97, 98, 99), desk.text("", size=9)
    for name, given in (("strnlen", (here, count)), ("strncat", (room, here, count))):
        if count == 3:
            desk.call(name, *given)
        else:
            with pytest.raises(Fault):
                desk.call(name, *given)


@pytest.mark.parametrize(
    ("name", "to", "at", "more", "overlaps"),
    [
        ("strcpy", 0, 3, (), False),
        ("strcpy", 0, 2, (), True),
        ("strcpy", 4, 2, (), True),
        ("strcpy", 5, 2, (), False),
        ("strncpy", 0, 3, (3,), False),
        ("strncpy", 0, 3, (4,), True),
        ("strncpy", 5, 2, (3,), False),
        ("strncpy", 5, 3, (2,), False),
        ("strncpy", 4, 3, (2,), True),
    ],
)
def test_copies_that_overlap(name: str, to: int, at: int, more: tuple[int, ...], overlaps: bool) -> None:
    """Twelve bytes of which those from 2 on are `xx` and those from 5 on are 0."""
    desk = Desk()
    here = desk.new(1, 1, 120, 120, *[0] * 8)
    desk.call(name, Address(here.base, to), Address(here.base, at), *more)
    assert desk.lapses == ([OVERLAP] if overlaps else [])


@pytest.mark.parametrize(
    ("source", "more", "overlaps"),
    [
        (4, (), False),
        (0, (), True),
        (1, (), True),
        (2, (), True),
        (4, (1,), False),
        (3, (1,), False),
        (1, (1,), False),  # the end of the text is not read
        (1, (2,), True),
        (0, (2,), False),
        (0, (3,), True),
    ],
)
def test_texts_that_are_put_after_themselves(source: int, more: tuple[int, ...], overlaps: bool) -> None:
    """Of `ab`, an end, and zeros."""
    desk = Desk()
    here = desk.new(97, 98, *[0] * 8)
    desk.call("strncat" if more else "strcat", here, Address(here.base, source), *more)
    assert desk.lapses == ([OVERLAP] if overlaps else [])


def test_a_copy_is_new() -> None:
    desk = Desk()
    here = desk.text("ab")
    found = desk.call("strdup", here)
    assert found.base != here.base and desk.bytes(found) == [97, 98, 0] and desk.object(found).kind == "heap"


def test_texts_that_are_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strings, "LONGEST_TEXT", 4)
    desk = Desk()
    assert list(strings.characters(desk.machine, desk.text("abc"), NOWHERE, 4)) == [97, 98, 99]
    assert list(strings.characters(desk.machine, desk.text("abcdef"), NOWHERE, 3)) == [97, 98, 99]
    with pytest.raises(Unclear, match="a text is too long"):
        list(strings.characters(desk.machine, desk.text("abcd"), NOWHERE, 4))
    assert desk.call("strnlen", desk.text("abcdef"), 9) == 3  # one less than the longest
    desk.call("strncpy", desk.text("", size=9), desk.text("a"), 5)
    with pytest.raises(Unclear, match="a text is too long"):
        desk.call("strncpy", desk.text("", size=9), desk.text("a"), 6)


def test_parts_of_pointers_are_no_characters() -> None:
    desk = Desk()
    with pytest.raises(Unclear, match="read as a character"):
        desk.call("strcmp", desk.new(Fragment(NULL, 0, 8)), desk.text("a"))


def test_the_length_of_an_argument_is_known() -> None:
    desk, inputs = symbolic_desk(5)
    text = desk.machine.allocate("t", inputs.choose(Int(32, False), "", NOWHERE) + 1, TEXT, writable=False)
    found = desk.call("strlen", Address(text.base, 2))
    assert inputs.number(found) == 3 and found.type == Int(64, False)
