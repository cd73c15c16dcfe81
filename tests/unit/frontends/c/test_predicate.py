"""Predicates as users write them."""

from __future__ import annotations

import pytest

pytest.importorskip("clang")

from knaster.base.errors import UsageError
from knaster.frontends.c import parse
from knaster.frontends.c.predicate import parse_predicate
from knaster.frontends.c.spelling import expression_to_text

PROGRAM = parse("int g; int f(int n) { unsigned char c = 1; return n; }\nint main(void) { int x = 1; return f(x); }\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("main: x > 0", "x > 0"),
        (r"f: \result == \old(n) + g", "result__ == old__n + g"),
        ("f: !(n < 3)", "n >= 3"),
        ("f: c == 7", "(int)c == 7"),
    ],
)
def test_predicates(text: str, shown: str) -> None:
    assert expression_to_text(parse_predicate(PROGRAM, text).condition) == shown


def test_names_stand_for_variables_of_the_model() -> None:
    given = parse_predicate(PROGRAM, "f: n > 0")
    assert given.procedure == "f" and given.names["n"] == "n"
    assert given.names["result__"] == PROGRAM.procedure("f").results[0] and "x" not in given.names


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x > 0", "is no predicate"),
        ("nain: x > 0", "did you mean 'main'"),
        ("main: y > 0", "use of undeclared identifier 'y'"),
        ("main: x", "give each comparison alone"),
        ("main: x > 0 && x < 3", "give each comparison alone"),
        ("main: x >", "is no predicate"),
    ],
)
def test_no_predicates(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        parse_predicate(PROGRAM, text)
