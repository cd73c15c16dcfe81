"""Calls of C: of functions that are defined, known by name, refused, or nobody's."""

from __future__ import annotations

import pytest

from support.c_text import main_of, messages, read, steps

BEFORE = """int g; struct P { int x; int y; };
int f(int a, int b) { return a; } int h(struct P p, int n) { return n; } void none(void) { }
struct P pair(int n) { struct P p = {n, n}; return p; }
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int x = f(1, 2);", ["x = f(1, 2)"]),
        ("f(1, 2);", ["f(1, 2)"]),
        ("int x = f(g, g++);", ["()#1 = g", "()#2 = g", "g = ()#2 + 1", "assume(1)", "x = f(()#1, ()#2)"]),
        (
            "struct P p; h(p, p.x++);",
            [
                "p.x = *",
                "p.y = *",
                "()#1 = p.x",
                "()#2 = p.y",
                "()#3 = p.x",
                "p.x = ()#3 + 1",
                "assume(1)",
                "h(()#1, ()#2, ()#3)",
            ],
        ),
        ("struct P p; h(p, p.y);", ["p.x = *", "p.y = *", "h(p.x, p.y, p.y)"]),
        ("char c = f(1, 2);", ["f()#1 = f(1, 2)", "c = (signed char)f()#1"]),
        ("struct P p = pair(3);", ["pair()#1.x, pair()#1.y = pair(3)", "p.x = pair()#1.x; p.y = pair()#1.y"]),
        ("int x = other();", ["x = other()"]),
        ("unsigned x = __VERIFIER_nondet_uint();", ["x = __VERIFIER_nondet_uint()"]),
        ("assert(g);", ["assume(g != 0)", "assume(g == 0)"]),
        ("__VERIFIER_assume(g > 1);", ["assume(g > 1)"]),
        ("int x = abs(g);", ["x = g < 0 ? -g : g"]),
        ('printf("%d", g++);', ["g = g + 1"]),
        ("int x = __builtin_expect(g, 1);", ["x = g"]),
        ("int x = __builtin_expect(g, f(1, 2));", ["f(1, 2)", "x = g"]),
        ("exit(f(1, 2));", ["f(1, 2)", "assume(1)"]),
        ("reach_error(f(1, 2));", ["f(1, 2)", "reach_error()"]),
    ],
)
def test_calls(body: str, found: list[str]) -> None:
    assert [step.partition(" ")[2] for step in steps(body, BEFORE) if not step.endswith("return 0")] == found


def test_the_result_of_a_call_takes_no_name_of_the_user() -> None:
    """GNU C has names with `$`: the result of `f` was once kept in the user's `f$1`, a wrong verdict."""
    found = [step.partition(" ")[2] for step in steps("int f$1 = 3; g = f(1, 2) + f$1;", BEFORE)]
    assert found[:-1] == ["f$1 = 3", "f()#1 = f(1, 2)", "g = f()#1 + f$1"]


def test_a_run_ends_at_exit() -> None:
    program, _ = read("int main(void) { exit(1); L: return 0; }\n")
    main = program.procedure("main")
    assert not [edge for edge in main.edges if edge.target == dict(main.labels)["L"]]


def test_reach_error_is_a_target() -> None:
    program, _ = read("int main(void) { reach_error(); return 0; }\n")
    assert program.procedure("reach_error").labels == (("reach_error", 0),)


def test_what_nobody_defines_is_an_input() -> None:
    program, notes = read("int main(void) { other(1); other(2); return 0; }\n")
    assert [name for name, _ in program.undefined] == ["other"]
    assert notes == ["'other' is not defined: it returns any value of its type and changes nothing"]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("f(1);", "too few arguments to function call, expected 2, have 1"),
        ("int x = none();", "initializing 'int' with an expression of incompatible type 'void'"),
        ("malloc(3);", "memory that is allocated at run time is not read"),
        ("f;", "the function 'f' is used without being called"),
        ("pthread_create();", "threads are not read"),
    ],
)
def test_mistakes(body: str, problem: str) -> None:
    assert messages(main_of(body, BEFORE)) == [problem]
