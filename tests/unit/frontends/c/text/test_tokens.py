"""Text of C to tokens: where each stands, lines that go on, comments, and line markers."""

from __future__ import annotations

import pytest

from knaster.base.errors import Problem, Span
from knaster.frontends.c.text.tokens import laid_out, logical_lines, same_line


def test_tokens_know_where_they_stand() -> None:
    lines = logical_lines("a /* x\ny */ +=\\\n b // c\n'\\''\"\\\"\" 1.5e+3 ->", [])
    assert [[token.text for token in line] for line in lines] == [["a", "+=", "b"], ["'\\''", '"\\""', "1.5e+3", "->"]]
    assert [token.span for token in lines[0]] == [Span(1, 1, 1), Span(2, 6, 2), Span(3, 2, 1)]
    assert lines[0][0].is_name and not lines[0][1].is_name


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a /* b", "a comment is never closed"),
        ('"a\n', "a text or character constant is never closed"),
        ("ä", "'ä' is no character of C"),
    ],
)
def test_problems(text: str, problem: str) -> None:
    problems: list[Problem] = []
    logical_lines(text, problems)
    assert [found.message for found in problems] == [problem]


def test_line_markers_say_where_lines_stand() -> None:
    text = '# 3 "x.c"\nint a;\n# 1 "h.h"\nint h;\nint i;\n# 6 "x.c"\nint b;\n'
    assert laid_out(text).split("\n") == ["", "", "int a;", "int h; int i;", "", "int b;", ""]


def test_markers_that_lead_backwards_are_not_heeded() -> None:
    text = '# 9 "x.c"\nint a;\n# 3 "x.c"\nint b;\n'
    assert laid_out(text) == text and laid_out("int a;\n") == "int a;\n"


def test_a_span_ends_with_its_line() -> None:
    first, second = logical_lines("ab + cd\nefgh", [])
    assert same_line([*first, *second]) == Span(1, 1, 7)
