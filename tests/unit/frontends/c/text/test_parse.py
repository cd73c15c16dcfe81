"""Tokens of C to a syntax tree, the spans of its statements, and what is said where there is none."""

from __future__ import annotations

import pytest

pytest.importorskip("pycparser")

from knaster.base.errors import Problem
from knaster.frontends.c.text.parse import parse_tokens
from knaster.frontends.c.text.tokens import logical_lines
from support.c_text import read


def problem(text: str) -> Problem | None:
    problems: list[Problem] = []
    tree = parse_tokens([token for line in logical_lines(text, []) for token in line], problems)
    assert (tree is None) == bool(problems)
    return problems[0] if problems else None


def test_mistakes_are_reported_where_they_are() -> None:
    found = problem("int x;\nint f(void) { return 3 }\n")
    assert found is not None and (found.span.line, found.span.column) == (2, 24)
    assert found.message == "syntax error at '}'"
    ended = problem("int f(void) {\n")
    assert ended is not None and ended.message == "the file ends in the middle of a declaration or statement"
    assert problem("") is None


def test_what_is_nested_deep_is_read() -> None:
    assert problem(f"int x = {'(' * 200}1{')' * 200};") is None


def test_spans_of_statements() -> None:
    main = read(
        "int main(void) {\n  int x = 1;\n  if (x > 2) { x = 3; }\n  do x++;\n  while (x < (4));\n  return x;\n}\n"
    )[0]
    spans = {(edge.span.line, edge.span.column, edge.span.length) for edge in main.procedure("main").edges}
    assert spans == {(2, 7, 5), (3, 3, 10), (3, 16, 5), (4, 6, 3), (5, 3, 15), (6, 3, 8)}
