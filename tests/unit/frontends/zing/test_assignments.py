"""Declarations of locals, assignments and choices of Zing."""

from __future__ import annotations

import pytest

from knaster.program.objects import Choose
from support.zing_text import messages, model, read, steps


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int i = 1, j = i;", ["0-1 i = 1", "1-2 j = i"]),
        ("C c; C d; c = d = null;", ["0-1 c = d = null"]),
        ("C c; c.next.f = 3;", ["0-1 c.next.f = 3"]),
        ("Z z; z = z + 1; z = z - 2;", ["0-1 z = z + 1", "1-2 z = z - 2"]),
        ("int k; k = C.s; C.s = k;", ["0-1 k = C.s", "1-2 C.s = k"]),
    ],
)
def test_assignments(body: str, found: list[str]) -> None:
    assert steps(body)[:-1] == found


def test_a_name_of_an_inner_block_is_another_variable() -> None:
    main = read("int i = 1; { int i = 2; i = 3; } i = 4;").procedure("main")
    assert steps("int i = 1; { int i = 2; i = 3; } i = 4;")[:4] == [
        "0-1 i = 1",
        "1-2 i'2 = 2",
        "2-3 i'2 = 3",
        "3-4 i = 4",
    ]
    assert main.locals == ("i", "i'2") and [edge.forgets for edge in main.edges[:4]] == [(), (), ("i'2",), ()]


@pytest.mark.parametrize(
    ("type", "values"), [("bool", (False, True)), ("R", (1, 2, 3)), ("E", (0, 1, 2)), ("z", None), ("a", None)]
)
def test_what_is_chosen_from(type: str, values: tuple[int, ...] | None) -> None:
    kind = type if values else "int"
    action = read(f"Z z; A a; {kind} x; x = choose({type});").procedure("main").edges[0].action
    assert isinstance(action, Choose) and action.values == values and (action.collection is None) == bool(values)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("int i; int i;", "there is already a variable 'i' in this block"),
        ("Nothing n;", "there is no type 'Nothing'"),
        ("int i = true;", "the left side is int, this is bool"),
        ("1 = 2;", "nothing can be assigned to this"),
        ("int i; i + 1;", "expected '=' or '(', found ';'"),
        ("int i; i = choose(bool);", "the left side is int, the choice is bool"),
        ("int i; i = choose(i);", "this is int; nothing can be chosen from it"),
        ("int i; int j; i = j = choose(R);", "a choice is assigned to one variable"),
        ("Z y; Z z; y = z + 1;", "a set is changed in place"),
    ],
)
def test_mistakes(body: str, problem: str) -> None:
    assert messages(model(body)) == [problem]
