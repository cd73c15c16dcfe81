"""Functions of C: their signatures, what main is given, and bodies that end without a return."""

from __future__ import annotations

import pytest

import knaster
from knaster.frontends.c.spelling import statement_to_text
from support.c_text import messages, read, steps


def test_parameters_and_results() -> None:
    program, _ = read(
        "struct P { int x; char y; };\nstruct P f(struct P p, int n) { return p; }\n"
        "void g(void) { }\nint main(void) { return 0; }\n"
    )
    f = program.procedure("f")
    assert f.parameters == ("p.x", "p.y", "n") and len(f.results) == 2
    assert program.procedure("g").parameters == program.procedure("g").results == ()


def test_parameters_in_the_old_style() -> None:
    program, _ = read("int f(a, b) char b; { return a + b; }\nint main(void) { return f(1, 2); }\n")
    assert program.procedure("f").parameters == ("a", "b")


def test_what_main_is_given() -> None:
    program, _ = read("int main(int argc, char **argv) { return argc; }\n")
    main = program.procedure("main")
    assert main.parameters == ("argc",) and statement_to_text(main, main.edges[0]) == "assume(argc >= 0)"
    assert messages("int main(int argc, char **argv) { return argv[0] == 0; }\n") == ["pointers are not read: 'argv'"]


def test_a_body_that_ends() -> None:
    assert steps("")[-1].endswith("return 0")
    assert steps("", "int f(int n) { if (n) return 1; }", "f")[-2:] == ["2-3 ()#1 = *", "3-4 return ()#1"]
    assert steps("", "void f(void) { }", "f") == ["0-1 assume(1)"]


def test_mistakes() -> None:
    assert messages("int main(void) { goto L; return 0; }\n") == ["use of undeclared label 'L'"]
    assert messages("int f(int *p) { return 1; }\nint main(void) { return f(0); }\n") == ["pointers are not read"]
    assert messages("int *f(void) { return 0; }\nint main(void) { f(); return 0; }\n")[0] == "pointers are not read"


@pytest.mark.parametrize(
    "body",
    [
        "int x = x + 1; if (x == 5) reach_error();",
        "switch (1) { int y = 3; case 1: if (y == 5) reach_error(); }",
        "goto in; { int y = 3; in: if (y == 5) reach_error(); }",
    ],
)
def test_what_has_no_value_yet_is_an_input(body: str) -> None:
    result = knaster.check(
        f"void reach_error(void); int main(void) {{ {body} return 0; }}\n", file="a.c", engine="search"
    )
    assert result.verdict.value == "FALSE"
    assert "y = *" not in " ".join(steps("switch (1) { int y = 3; case 1: y = 4; if (y) y = 5; }"))
