"""Failures: what kinds there are, how Zing calls them, and the text that an assertion says."""

from __future__ import annotations

import pytest

from knaster.base.errors import Span
from knaster.base.limits import OutOfBudget
from knaster.semantics.heap import failure
from knaster.semantics.heap.failure import ASSERTION, DEADLOCK, KINDS, MESSAGES, NULL, Fails, Failure, comment


@pytest.mark.parametrize(
    ("kind", "category"),
    [(ASSERTION, "assertion-failure"), (DEADLOCK, "deadlock"), (NULL, "runtime-error")],
)
def test_categories(kind: str, category: str) -> None:
    assert Failure(kind, MESSAGES[kind], 1, "main", 1).category == category


def test_every_kind_says_something() -> None:
    assert MESSAGES.keys() == set(KINDS)
    assert Fails(NULL).message == MESSAGES[NULL] and Fails(NULL, "so").message == "so"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('assert(x, "why")', "why"),
        ('assert(x, @"a ""b""")', 'a "b"'),
        ("assert(x)", ""),
        ('assert(f("x", y))', ""),
    ],
)
def test_the_text_of_an_assertion(text: str, said: str) -> None:
    assert comment(f"first\n  {text};", Span(2, 3, len(text))) == said
    assert comment("one line", Span(9, 1, 4)) == ""


def test_where_an_assertion_stands() -> None:
    """In the first line and in the last one, at its column and no further than it goes."""
    text = 'assert(x, "why")'
    assert comment(text, Span(1, 1, len(text))) == "why" == comment(f"a\n{text}", Span(2, 1, len(text)))
    assert comment(f"a\n{text}\nb\nc", Span(2, 1, len(text))) == "why"
    assert comment(text, Span(0, 1, len(text))) == "" == comment(f"{text}\na", Span(2, 1, len(text)))
    assert comment(f'{text}; assert(y, "no")', Span(1, 1, len(text))) == "why"
    assert comment(f"assert(y); {text}", Span(1, 1, 9)) == "" == comment(text, Span(1, 1, len(text) - 1))


def test_lengths_of_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failure, "MOST_SLOTS", 5)
    assert [failure.ensure_length(size) for size in (0, 1, 5)] == [0, 1, 5]
    with pytest.raises(Fails, match="negative length"):
        failure.ensure_length(-1)
    with pytest.raises(OutOfBudget, match="6 elements"):
        failure.ensure_length(6)
