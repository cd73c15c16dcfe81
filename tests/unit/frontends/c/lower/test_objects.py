"""Variables of a whole file of C: which there are, and what they are at the start."""

from __future__ import annotations

import pytest

from knaster.frontends.c.spelling import expression_to_text
from support.c_text import messages, read

MAIN = "int main(void) { return 0; }\n"


def test_globals_begin_with_their_values_or_with_zero() -> None:
    program, _ = read(f"int g = 3; struct P {{ int x; _Bool b; }} p = {{1}}; char t[2]; extern int e;\n{MAIN}")
    assert program.globals == ("g", "p.x", "p.b", "t")
    assert expression_to_text(program.init) == "g == 3 && p.x == 1 && p.b == 0 && t == {0,0}"


def test_what_is_external_is_a_variable_where_it_is_used_and_begins_with_anything() -> None:
    program, _ = read("extern int e; int main(void) { return e; }\n")
    assert program.globals == ("e",) and expression_to_text(program.init) == "1"
    program, _ = read("extern int e; int e; int main(void) { return e; }\n")
    assert expression_to_text(program.init) == "e == 0"


def test_static_locals() -> None:
    program, _ = read("int f(void) { static int n = 2; return n; }\nint main(void) { static int n; return n; }\n")
    assert program.globals == ("f::n", "main::n") and expression_to_text(program.init) == "f::n == 2 && main::n == 0"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("int a = 1; int a = 2;", "redefinition of 'a'"),
        ("int a; char a;", "redefinition of 'a' with a different type: 'char' vs 'int'"),
        ("int g; int a = g;", "initializer element is not a compile-time constant"),
        ("int *p;", "pointers are not read"),
    ],
)
def test_mistakes(text: str, problem: str) -> None:
    assert messages(f"{text}\n{MAIN}") == [problem]
