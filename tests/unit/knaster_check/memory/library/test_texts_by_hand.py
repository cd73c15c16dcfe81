"""Functions on texts, one call at a time: what they say, what they write, and where they go wrong."""

from __future__ import annotations

import pytest

from knaster_check.memory.library import texts
from knaster_check.memory.values import NULL, Address
from knaster_check.refused import Unsupported
from support.kernel_desk import PLACE, Desk, at


def sign(name: str, one: str, other: str, *rest: int) -> int:
    desk = Desk()
    return int(desk.call(name, desk.text(one), desk.text(other), *rest))


def test_lengths() -> None:
    desk = Desk()
    assert [desk.call("strlen", desk.text(text)) for text in ("", "a", "abc", "a\0b")] == [0, 1, 3, 1]
    assert [desk.call("strnlen", desk.text("abc"), most) for most in (0, 2, 3, 9)] == [0, 2, 3, 3]
    assert desk.call("strnlen", desk.text("abc", 3), 3) == 3
    assert desk.fault("strlen", desk.text("abc", 3)) == desk.fault("strnlen", desk.text("abc", 3), 4) == "bounds"
    assert desk.fault("strlen", NULL) == "null"


def test_comparisons() -> None:
    for one, other, result in (("ab", "ab", 0), ("ab", "ac", -1), ("ac", "ab", 1), ("a", "ab", -1), ("ab", "a", 1)):
        assert sign("strcmp", one, other) == result
        assert sign("strncmp", one, other, 9) == result
        assert sign("strcasecmp", one.upper(), other) == result
    assert [sign("strncmp", "abx", "aby", most) for most in (0, 2, 3)] == [0, 0, -1]
    assert sign("strcmp", "a\0x", "a\0y") == 0 and sign("strcmp", "\x80", "a") == 1
    assert (
        sign("strcasecmp", "@[`{", "@[`{") == 0
        and sign("strcasecmp", "@", "`") == -1
        and sign("strcasecmp", "[", "{") == -1
    )
    assert sign("strcasecmp", "AZ", "az") == 0 and sign("strncasecmp", "ABx", "aby", 2) == 0


def test_what_is_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "LONGEST", 3)
    desk = Desk()
    assert desk.call("strcmp", desk.text("ab"), desk.text("ab")) == 0
    for name, rest in (("strcmp", ()), ("strncmp", (3,)), ("strncmp", (9,))):
        assert desk.fault(name, desk.text("abc"), desk.text("abc"), *rest) == "a text is too long"
    assert desk.call("strncmp", desk.text("abc"), desk.text("abc"), 2) == 0
    assert desk.fault("puts", desk.text("abc"), unseen=True) == "a text is too long"
    assert desk.fault("puts", desk.text("ab"), unseen=True) == "returns None"
    assert desk.fault("strncpy", desk.text("", 9), desk.text("a"), 5) == "a text is too long"
    assert desk.fault("strncpy", desk.text("", 9), desk.text("a"), 4).startswith("returns")


def test_copies() -> None:
    desk = Desk()
    target = desk.text("zzzzzz")
    assert desk.call("strcpy", target, desk.text("abc")) == target
    assert desk.read(target, 6) == [*b"abc\0zz"]
    assert desk.call("stpcpy", target, desk.text("xy")) == at(target, 2)
    assert desk.call("strncpy", target, desk.text("q"), 4) == target and desk.read(target, 6) == [*b"q\0\0\0zz"]
    assert desk.call("strncpy", target, desk.text("abc"), 2) == target and desk.read(target, 3) == [*b"ab\0"]
    assert desk.call("strcat", target, desk.text("c")) == target and desk.read(target, 4) == [*b"abc\0"]
    assert desk.call("strncat", target, desk.text("defg"), 2) == target and desk.read(target, 6) == [*b"abcde\0"]
    assert not desk.lapses
    assert desk.fault("strcpy", desk.text("", 2), desk.text("ab")) == "bounds"
    assert desk.fault("strncpy", desk.text("", 2), desk.text("a"), 3) == "bounds"
    assert desk.fault("strcat", desk.text("a", 3), desk.text("bc")) == "bounds"


@pytest.mark.parametrize(
    ("name", "target", "source", "rest", "noted"),
    [
        *[
            ("strcpy", 0, 4, (), False),
            ("strcpy", 0, 3, (), True),
            ("strcpy", 4, 0, (), True),
            ("strcpy", 0, 0, (), True),
        ],
        *[("strncpy", 0, 2, (2,), False), ("strncpy", 0, 2, (3,), True), ("strncpy", 2, 0, (2,), False)],
        *[
            ("strncpy", 2, 0, (3,), True),
            ("strncpy", 5, 0, (5,), False),
            ("strncpy", 4, 0, (5,), True),
            ("strncpy", 6, 4, (3,), True),
        ],
        *[
            ("memcpy", 0, 2, (2,), False),
            ("memcpy", 0, 2, (3,), True),
            ("memcpy", 2, 0, (3,), True),
            ("memmove", 0, 1, (4,), False),
        ],
    ],
)
def test_overlaps(name: str, target: int, source: int, rest: tuple[int, ...], noted: bool) -> None:
    desk = Desk()
    where = desk.text("abcdef", 20)
    desk.machine.objects[where.base].put(7, [0] * 13)
    desk.call(name, at(where, target), at(where, source), *rest)
    assert desk.lapses == ["overlap"] * noted
    other = desk.text("abcdef", 20)
    desk.lapses.clear()
    desk.call(name, other, at(where, source), *rest)
    assert not desk.lapses


def test_an_appended_text_may_not_be_its_own() -> None:
    desk = Desk()
    where = desk.text("abc", 12)
    desk.machine.objects[where.base].put(4, [*b"de\0"])
    desk.call("strcat", where, at(where, 5))
    assert not desk.lapses and desk.read(where, 5) == [*b"abce\0"]
    desk.call("strcat", where, at(where, 3))
    assert desk.lapses == ["overlap"]


@pytest.mark.parametrize(("count", "noted"), [(2, False), (3, True)])
def test_of_an_appended_text_only_so_much_is_read(count: int, noted: bool) -> None:
    desk = Desk()
    where = desk.text("ab", 12)
    desk.call("strncat", where, where, count)
    assert desk.lapses == ["overlap"] * noted


def test_places() -> None:
    desk = Desk()
    where = desk.text("abcabc")
    for name, code, place in (("strchr", "b", 1), ("strrchr", "b", 4), ("strchr", "\0", 6), ("strrchr", "\0", 6)):
        assert desk.call(name, where, ord(code) + 256) == at(where, place)
    assert desk.call("strchr", where, ord("x")) == desk.call("strrchr", where, ord("x")) == NULL
    for part, place in (("", 0), ("a", 0), ("bc", 1), ("ca", 2), ("abcabc", 0)):
        assert desk.call("strstr", where, desk.text(part)) == at(where, place)
    for part in ("ac", "abcabcd", "bcc"):
        assert desk.call("strstr", where, desk.text(part)) == NULL
    assert (
        desk.call("strpbrk", where, desk.text("xc")) == at(where, 2)
        and desk.call("strpbrk", where, desk.text("x")) == NULL
    )
    assert [desk.call("strspn", where, desk.text(some)) for some in ("", "a", "ab", "abc")] == [0, 1, 2, 6]
    assert [desk.call("strcspn", where, desk.text(some)) for some in ("", "c", "a")] == [6, 2, 0]


def test_a_copy_of_its_own() -> None:
    desk = Desk()
    found = desk.call("strdup", desk.text("ab"))
    assert desk.read(found, 3) == [*b"ab\0"] and desk.machine.objects[found.base].size == 3
    assert desk.machine.objects[found.base].kind == "heap"


def test_numbers_made_of_pointers_are_not_known() -> None:
    desk = Desk()
    assert "made from a pointer" in desk.fault("strnlen", desk.text("a"), Address(1, 0))


@pytest.mark.parametrize(
    ("text", "target", "source", "noted"),
    [
        *[("a\0b", 0, 2, True), ("a\0xb", 0, 3, False), ("a\0xbc", 0, 3, True), ("a\0xybc", 0, 4, False)],
        *[("ab", 0, 1, True), ("ab", 0, 0, True), ("b\0a", 2, 0, False), ("bc\0a", 3, 1, False)],
    ],
)
def test_what_is_appended_overlaps(text: str, target: int, source: int, noted: bool) -> None:
    desk = Desk()
    where = desk.text(text, len(text) + 9)
    desk.call("strcat", at(where, target), at(where, source))
    assert desk.lapses == ["overlap"] * noted


def test_where_a_text_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "LONGEST", 3)
    desk = Desk()
    assert texts.text_at(desk.machine, desk.text("abc"), PLACE, 2) == [*b"ab"]
    with pytest.raises(Unsupported, match="too long"):
        texts.text_at(desk.machine, desk.text("abc"), PLACE, 3)
