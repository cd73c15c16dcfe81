"""GNU words out of the way: what is dropped, what is renamed, what is refused."""

from __future__ import annotations

import pytest

from knaster.base.errors import Problem
from knaster.frontends.c.text.clean import clean_tokens
from knaster.frontends.c.text.tokens import logical_lines


def clean(text: str) -> tuple[str, list[str]]:
    problems: list[Problem] = []
    tokens = [token for line in logical_lines(text, problems) for token in line]
    return " ".join(token.text for token in clean_tokens(tokens, problems)), [problem.message for problem in problems]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("static inline int f(void) __attribute__((noreturn(1))) ;", "static int f ( void ) ;"),
        ("__volatile__ int x;", "volatile int x ;"),
        ('_Static_assert(1, "x"); int x;', "int x ;"),
        ("void f() { static_assert(x); }", "void f ( ) { assert ( x ) ; }"),
        ("__signed__ char c;;; int x;", "signed char c ; int x ;"),
        ('int f(void) __asm__("g");', "int f ( void ) ;"),
        ("void f() { ({ if (x) ; else g(); }); }", "void f ( ) { ( ( x ) ? ( void ) 0 : g ( ) ) ; }"),
    ],
)
def test_what_is_left(text: str, kept: str) -> None:
    assert clean(text) == (kept, [])


def test_what_is_refused() -> None:
    assert clean('void f() { asm volatile ("nop"); }')[1] == ["assembly is not read"]
    assert clean("x = ({ y; });")[1] == ["a statement in brackets inside an expression is not read"]
