"""X10: single-level pointer aliases with a call that stores its argument in a global."""

from __future__ import annotations

from support.generators.pointer_programs import (
    PointerProcedure,
    PointerProgram,
    analyse,
    concrete_aliases,
    visible_aliases,
)

SET_POINTER = PointerProgram(
    ("u", "v"),
    ("g",),
    (
        PointerProcedure(
            "main",
            None,
            ("a", "c"),
            ("p", "q", "r"),
            (
                (0, ("skip",), 1),
                (1, ("address", "p", "a"), 2),
                (2, ("copy", "q", "p"), 3),
                (3, ("address", "r", "c"), 4),
                (4, ("call", "set", "p"), 5),
                (5, ("address", "p", "u"), 6),
            ),
            6,
        ),
        PointerProcedure(
            "set",
            "f",
            (),
            (),
            ((0, ("skip",), 1), (0, ("skip",), 2), (1, ("copy", "g", "f"), 3), (2, ("address", "g", "v"), 3)),
            3,
        ),
    ),
)

EXPECTED = {
    ("main", 2): "*p~a",
    ("main", 3): "*p~a *p~*q *q~a",
    ("main", 4): "*p~a *p~*q *q~a *r~c",
    ("set", 0): "*f~.",
    ("set", 1): "*f~.",
    ("set", 3): "*f~. *f~*g *g~. *g~v",
    ("main", 5): "*g~*p *g~*q *g~a *g~v *p~*q *p~a *q~a *r~c",
    ("main", 6): "*g~*q *g~a *g~v *p~u *q~a *r~c",
}


def test_aliases_after_a_call() -> None:
    domain, graph = analyse(SET_POINTER)
    solution = graph.jovp(domain.start())
    concrete = concrete_aliases(SET_POINTER, depth=2)
    for node, text in EXPECTED.items():
        pairs = {frozenset(pair.split("~")) for pair in text.split()}
        assert (
            visible_aliases(SET_POINTER, node, solution.at(node)) == pairs == {p for p in concrete[node] if len(p) > 1}
        )


def test_aliases_by_context() -> None:
    domain, graph = analyse(SET_POINTER)
    solution = graph.jovp(domain.start())
    assert set(solution.by_context(("set", 3))) == {(("main", 5),)}
    assert solution.at(("set", 3), [("main", 5)]) == solution.at(("set", 3))
