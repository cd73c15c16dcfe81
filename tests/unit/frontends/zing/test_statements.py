"""Statements of Zing to edges: one location for each step, blocks as they nest, and where reading goes on."""

from __future__ import annotations

import pytest

from knaster.program.objects import Handler, Join, Mode
from support.zing_text import messages, model, read, steps


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (";", ["0-1 ;"]),
        ("{ }", ["0-1 ;"]),
        ("if (C.s > 1) ; ;", ["0-1 assume(C.s > 1)", "0-2 assume(!(C.s > 1))", "1-2 ;", "2-3 ;"]),
        ("if (true) { ; } else ;", ["0-1 ;", "0-2 assume(!true)", "1-3 ;", "2-3 ;"]),
        ("while (C.s > 1) ;", ["0-1 assume(C.s > 1)", "0-2 assume(!(C.s > 1))", "1-0 ;"]),
        ("atomic { ; }", ["0-1 ;", "1-2 ;"]),
        (
            "select { wait(true) -> ; timeout -> { } }",
            ["0-1 select wait(true) ->", "0-2 select timeout ->", "1-3 ;", "2-3 ;"],
        ),
    ],
)
def test_nesting(body: str, found: list[str]) -> None:
    last = len({step.split("-")[0] for step in found})
    assert steps(body) == [*found, f"{last}-{last + 1} return"]


def test_foreach_counts() -> None:
    assert steps("A a; foreach (int x in a) ;") == [
        "0-1 x'index = 0",
        "1-2 assume(x'index < sizeof(a))",
        "1-5 assume(!(x'index < sizeof(a)))",
        "2-3 x = a[x'index]",
        "3-4 ;",
        "4-1 x'index = x'index + 1",
        "5-6 return",
    ]


def test_handlers_of_a_try() -> None:
    """The inner ones first; what stands in a handler has only the outer ones."""
    main = read("try { try { ; } with { E -> ; } } with { F -> ; * -> ; }").procedure("main")
    assert main.handlers == (
        *(Handler(0, "E", 1), Handler(0, "F", 2), Handler(0, None, 3)),
        *(Handler(1, "F", 2), Handler(1, None, 3)),
    )


@pytest.mark.parametrize(
    ("words", "mode", "may_end"),
    [("", Mode.ANY, False), ("first", Mode.FIRST, False), ("end", Mode.ANY, True), ("end first", Mode.FIRST, True)],
)
def test_words_of_a_select(words: str, mode: Mode, may_end: bool) -> None:
    action = read(f"select {words} {{ timeout -> ; }}").procedure("main").edges[0].action
    assert isinstance(action, Join) and (action.mode, action.may_end) == (mode, may_end)


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ("L: ; L: ;", ["the label 'L' is there twice"]),
        ("select { }", ["a select has at least one branch"]),
        ("int i; foreach (int x in i) ;", ["this is int, no array and no set"]),
        ("A a; foreach (bool x in a) ;", ["the elements are int"]),
        ("try { } with { 3 -> ; }", ["expected the name of an exception, or '*', found '3'"]),
        (
            "float f; [Hm] ; 3; [Ha(1)] x = 2;",
            ["'float' is not read by Knaster", "expected '=' or '(', found ';'", "there is no variable 'x' here"],
        ),
        ("if (true) { x = 1; } y = 2;", ["there is no variable 'x' here", "there is no variable 'y' here"]),
    ],
)
def test_mistakes_and_where_reading_goes_on(body: str, problems: list[str]) -> None:
    assert messages(model(body)) == problems
