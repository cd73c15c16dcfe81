"""Text to tokens of Zing: where each stands, what is no token, and what a string says."""

from __future__ import annotations

import pytest

from knaster.base.errors import Problem
from knaster.frontends.zing.lexer import is_name, is_text, text_of, tokenize


def test_words_numbers_strings_and_symbols() -> None:
    problems: list[Problem] = []
    tokens = tokenize('x1 == 0x1F /* no\ntoken */ -> "a//b" .. // the end\n<<7;', problems)
    assert [word for word in tokens.spellings if word] == ["x1", "==", "0x1F", "->", '"a//b"', "..", "<<", "7", ";"]
    assert [tokens.span(at).line for at in (0, 3, 6)] == [1, 2, 3]
    assert tokens.span(3).column == 10 and not problems


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("a # b", "'#' is no part of Zing", 3),
        ("a /* b", "this comment does not end", 3),
        ("a /*/", "this comment does not end", 3),
        ('a "b', "this string does not end", 3),
    ],
)
def test_what_is_no_token_is_reported_where_it_stands(text: str, message: str, column: int) -> None:
    problems: list[Problem] = []
    assert tokenize(text, problems).spellings[0] == "a"
    assert [(problem.message, problem.span.column) for problem in problems] == [(message, column)]


def test_names_are_no_keywords() -> None:
    assert is_name("_x") and not is_name("while") and not is_name("7") and not is_name("")


@pytest.mark.parametrize(("token", "said"), [(r'"a\n\"b\""', 'a\n"b"'), ('@"a\\n""b"""', 'a\\n"b"'), ('""', "")])
def test_a_string_says(token: str, said: str) -> None:
    assert is_text(token) and text_of(token) == said
