"""Failures: what kinds there are, how Zing calls them, and the text that an assertion says."""

from __future__ import annotations

import pytest

from knaster.base.errors import Span
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
