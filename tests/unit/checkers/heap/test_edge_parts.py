"""Expressions, places and changed variables of every kind of edge."""

from __future__ import annotations

import pytest

from knaster.checkers.heap.edge_parts import changed_variables, expressions_of, places_of
from knaster.frontends.zing.spelling import expression_to_text
from support.zing_text import read

MEMBERS = "static int u; static C c; static S s; static Z z; static Q q; static B b; "
MEMBERS += "static int f(int a) { return a + 1; } static void g(int a) { }"


@pytest.mark.parametrize(
    ("statement", "expressions", "places"),
    [
        ("u = c.f;", "u, c.f", "u"),
        ("c.f = u;", "c.f, u", "c.f"),
        ("b[u] = 3;", "b[u], 3", "b[u]"),
        ("s.x = u;", "s.x, u", "s"),
        ("assume(u == 1);", "u == 1", ""),
        ("u = choose(R);", "u", "u"),
        ("u = choose(z);", "u, z", "u"),
        ("send(q, u);", "q, u", ""),
        ("z = z + u;", "z, u", ""),
        ("z = z - u;", "z, u", ""),
        ("select { wait(u == 1) && receive(q, s.x) -> ; }", "u == 1, q, s.x", "s"),
        ("u = f(c.f);", "c.f, u", "u"),
        ("f(u);", "u", ""),
        ("g(u);", "u", ""),
        ("async g(u);", "u", ""),
        ('trace("text", u);', "u", ""),
        ("return;", "", ""),
    ],
)
def test_parts(statement: str, expressions: str, places: str) -> None:
    edge = read(statement, MEMBERS).procedure("main").edges[0]
    found = [
        ", ".join(map(expression_to_text, part)).replace("Main.", "")
        for part in (expressions_of(edge), places_of(edge))
    ]
    assert found == [expressions, places]
    assert [name.replace("Main.", "") for name in changed_variables(edge)] == [
        each for each in [places] if each in ("u", "s")
    ]
