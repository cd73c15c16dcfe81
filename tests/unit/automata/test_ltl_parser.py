"""Formulas from texts: spellings, precedence, carets and hints."""

from __future__ import annotations

import pytest

from knaster.automata.ltl import to_text
from knaster.automata.ltl_parser import parse_ltl
from knaster.base.errors import SourceError


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("[] (p -> <> q)", "G (p -> F q)"),
        ("[]<>p && ~q || r", "G F p & !q | r"),
        ("p /\\ q \\/ r => s", "p & q | r -> s"),
        ("p ~> q", "G (p -> F q)"),
        ("p <=> q", "p <-> q"),
        ("p & q | r -> s <-> t", "(((p & q) | r) -> s) <-> t"),
        ("p U q W r", "p U (q W r)"),
        ("p -> q -> r", "p -> (q -> r)"),
        ("!p U q", "(!p) U q"),
        ("X p U X q", "(X p) U (X q)"),
        ("p & q U r", "p & (q U r)"),
        ("F p & q", "(F p) & q"),
        ("G {x & !y}", "G {x & !y}"),
        ("at( L )U in(f)", "at(L) U in(f)"),
        ("thread(2).at(L) | f.L", "thread(2).at(L) | f.L"),
        ("at(a.bp:12)", "at(a.bp:12)"),
        ("true U false", "true U false"),
        ("G (R -> F U)", "G ((R) -> F (U))"),
        ("R U R", "(R) U (R)"),
    ],
)
def test_spelling_and_precedence(text: str, means: str) -> None:
    assert parse_ltl(text) == parse_ltl(means)


@pytest.mark.parametrize(
    ("text", "column", "message", "hint"),
    [
        ("", 1, "ends too early", "add an atom"),
        ("G (p", 3, "no ')'", "add one"),
        ("p)", 2, "no '('", "remove"),
        ("p q", 3, "operator is missing", "&"),
        ("p & & q", 5, "missing before '&'", "unary"),
        ("G {x", 3, "no '}'", "add one"),
        ("at(L", 3, "no ')'", "add one"),
        ("GF p", 1, "'GF' is no operator", "write G F"),
        ("p and q", 3, "'and' is no operator", "write &"),
        ("G 1", 3, "'1' is no part", "true or false"),
        ("x = 1", 3, "'=' is no part", "{x & !y}"),
        ("p V q", 3, "operator is missing", "write R"),
        ("()", 2, "missing before this ')'", "atom"),
    ],
)
def test_errors_have_a_caret_and_a_hint(text: str, column: int, message: str, hint: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse_ltl(text)
    problem = caught.value.problems[0]
    assert problem.span.column == column and message in problem.message and hint in problem.hint
    assert "^" in str(caught.value) or not text


def test_deep_and_long_formulas_are_refused_by_name() -> None:
    for text in ("(" * 5000, "!" * 500 + "p", "p -> " * 200 + "p", "p | " * 4000 + "p"):
        with pytest.raises(SourceError, match=r"deep|characters"):
            parse_ltl(text)
    assert to_text(parse_ltl("X " * 90 + "p")).startswith("X X")


def test_a_formula_in_a_file_is_refused_at_its_line() -> None:
    with pytest.raises(SourceError) as caught:
        parse_ltl("live: G (", "f.ltl", 3, "# one\n\nlive: G (")
    assert caught.value.problems[0].span.line == 3
