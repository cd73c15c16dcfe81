"""Mentions: the variables of a statement, each once; and the parameters that a procedure uses at all."""

from __future__ import annotations

import pytest

from knaster.views.heap.mentions import mentioned_variables, used_parameters
from support.zing_text import read


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("int x; int y; x = y + x;", ["x", "y"]),
        ("C c; int y; c.f = y;", ["c", "y"]),
        ("B b; int i; b[i] = 1;", ["b", "i"]),
        ("bool y; y = choose(bool);", ["y"]),
        ("Q q; int y; send(q, y);", ["q", "y"]),
    ],
)
def test_variables_in_the_order_of_the_text(body: str, names: list[str]) -> None:
    assert names in [mentioned_variables(each) for each in read(body).procedure("main").edges]


def test_parameters_that_are_used() -> None:
    program = read("f(1, 2, 3);", "static void f(int a, int b, int c) { int x; x = c + a; }")
    assert used_parameters(program.procedure("f")) == [0, 2]
