"""A whole file of C: what is declared, which functions are left out, and constants."""

from __future__ import annotations

import pytest

from knaster.program.model import Kind
from support.c_text import messages, read

MAIN = "int main(void) { return 0; }\n"


def test_a_function_that_is_never_called_may_be_anything() -> None:
    program, notes = read(f"void f(void) {{ int *p; }}\n{MAIN}")
    assert [procedure.name for procedure in program.procedures] == ["main"]
    assert notes == ["'f' is never called and left out: pointers are not read"]
    assert messages("void f(void) { int *p; }\nvoid g(void) { f(); }\nint main(void) { g(); return 0; }\n") == [
        "pointers are not read"
    ]


def test_the_program() -> None:
    program, _ = read(MAIN)
    assert program.kind is Kind.INTEGERS and program.language == "c" and program.threads == ("main",)
    assert dict(program.reading) == {"integers": "machine", "data_model": "LP64"}


def test_constants() -> None:
    program, _ = read("enum { A = 1 << 3, B }; int a[A + B - 10]; int main(void) { return a[0]; }\n")
    assert str(program.types_in(program.procedure("main"))["a"]).count("7") == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("int f(void) { return 1; } int f(void) { return 2; }", "redefinition of 'f'"),
        ("int f(int); char f(int);", "conflicting types for 'f'"),
        ("typedef int T; typedef char T;", "typedef redefinition with different types ('char' vs 'int')"),
        ("enum { A = none };", "use of undeclared identifier 'none'"),
        ("int a[none];", "use of undeclared identifier 'none'"),
    ],
)
def test_mistakes(text: str, problem: str) -> None:
    assert messages(f"{text}\n{MAIN}") == [problem]
