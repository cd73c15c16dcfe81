"""Mistakes of a text: one for each token, in words, with a hint where a word of Zing is not read."""

from __future__ import annotations

from knaster.frontends.zing.lexer import tokenize
from knaster.frontends.zing.mistakes import Mistakes, Unexpected


def test_the_first_mistake_of_a_token_is_kept() -> None:
    mistakes = Mistakes(tokenize("a bc", []))
    mistakes.add(1, "first", "hint")
    mistakes.add(1, "second")
    mistakes.add(0, "third")
    assert [(one.message, one.span.column, one.hint) for one in mistakes.problems] == [
        ("first", 3, "hint"),
        ("third", 1, ""),
    ]


def test_behind_the_end_the_last_token_is_shown() -> None:
    mistakes = Mistakes(tokenize("a\nb", []))
    mistakes.report_unexpected(Unexpected(7, "';'"))
    assert [(one.message, one.span.line) for one in mistakes.problems] == [
        ("expected ';', found the end of the text", 2)
    ]


def test_a_text_without_tokens_has_mistakes_too() -> None:
    mistakes = Mistakes(tokenize("", []))
    mistakes.add(0, "empty")
    assert [(one.span.line, one.span.column) for one in mistakes.problems] == [(1, 1)]


def test_unexpected_tokens() -> None:
    mistakes = Mistakes(tokenize("x float y", []))
    mistakes.report_unexpected(Unexpected(0, "';'"))
    mistakes.report_unexpected(Unexpected(1, "a statement"))
    mistakes.report_unexpected(Unexpected(2, ""))  # it was said already
    first, second = mistakes.problems
    assert first.message == "expected ';', found 'x'"
    assert second.message == "'float' is not read by Knaster" and "32 bits" in second.hint
