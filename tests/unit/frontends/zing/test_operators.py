"""What operators of Zing make of their operands, and operands that do not fit."""

from __future__ import annotations

import pytest

from knaster.frontends.zing.operators import PRECEDENCE, UNARY
from knaster.program.expression import FALSE, TRUE, Conditional, Const
from knaster.program.objects import Store, Update
from support.zing_text import messages, model, read, steps


def test_precedence() -> None:
    """Of each line the operators bind tighter than those of the line before."""
    lines = ("||", "&&", "|", "^", "&", "== !=", "< <= > >= in", "<< >>", "+ -", "* / %")
    levels = [{PRECEDENCE[symbol] for symbol in line.split()} for line in lines]
    assert levels == [{number} for number in range(1, 11)] and UNARY == 11


def test_connectives_look_at_the_right_side_only_where_they_must() -> None:
    for text, parts in {"b && c": (None, FALSE), "b || c": (TRUE, None)}.items():
        action = read(f"bool b, c; b = {text};").procedure("main").edges[0].action
        assert isinstance(action, Store) and isinstance(action.value, Conditional)
        given = action.value.then, action.value.otherwise
        assert all(part is None or part == found for part, found in zip(parts, given, strict=True))


def test_signs() -> None:
    assert steps("int i; i = -5; i = -i; i = +i; i = ~i;")[:4] == [
        *("0-1 i = -5", "1-2 i = 0 - i", "2-3 i = i", "3-4 i = i ^ -1")
    ]


def test_a_set_changes_by_an_element_or_by_another_set() -> None:
    updates = [edge.action for edge in read("Z y, z; z = z + 3; z = z - y;").procedure("main").edges[:2]]
    one, other = (update for update in updates if isinstance(update, Update))
    assert (one.adds, one.operand, one.whole) == (True, Const(3), False)
    assert (other.adds, other.whole) == (False, True)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("!i", "'!' negates a bool, this is int"),
        ("-b", "the sign '-' asks for an int, this is bool"),
        ("b && i", "'&&' joins two bools, this is int"),
        ("i || b", "'||' joins two bools, this is int"),
        ("b & i", "'&' joins two bools or two ints, this is int"),
        ("b < 1", "'<' asks for an int, this is bool"),
        ("1 + b", "'+' asks for an int, this is bool"),
        ("t == t", "structs are not compared"),
        ("i == b", "int and bool cannot be compared"),
        ("i in i", "'in' asks for a set, this is int"),
        ("b in z", "the element is int, this is bool"),
    ],
)
def test_mistakes(text: str, problem: str) -> None:
    assert problem in messages(model(f"int i; bool b; S t; Z z; b = {text};"))


def test_different_references_may_be_compared() -> None:
    assert steps("C c; Main m; bool b; b = c == m; b = c != null;")[:2] == ["0-1 b = c == m", "1-2 b = c != null"]
