"""Macros: definitions, arguments, `#` and `##`, and names that are not expanded in themselves."""

from __future__ import annotations

import pytest

from knaster.base.errors import Problem
from knaster.frontends.c.text import macros as expansion
from knaster.frontends.c.text.macros import Macro, TooLong, defined_by, expand, simple_macro
from knaster.frontends.c.text.tokens import Line, logical_lines


def line(text: str) -> Line:
    return logical_lines(text, [])[0]


def macros(*definitions: str) -> dict[str, Macro]:
    found = [defined_by(line(text), []) for text in definitions]
    return dict(each for each in found if each is not None)


@pytest.mark.parametrize(
    ("definition", "text", "expanded"),
    [
        ("N 3 + 4", "N * N", "3 + 4 * 3 + 4"),
        ("f(x, y) x - y", "f(1, (2, 3))", "1 - ( 2 , 3 )"),
        ("f(x) x", "f + f(f)(1)", "f + f ( 1 )"),
        ("f (x) x", "f", "( x ) x"),
        ("s(x) #x", "s(a b)", '"a b"'),
        ("c(a, b) a##b", "c(x, 1)", "x1"),
        ("v(x, ...) g(x, __VA_ARGS__)", "v(1, 2, 3)", "g ( 1 , 2 , 3 )"),
        ("N N + 1", "N", "N + 1"),
    ],
)
def test_expansion(definition: str, text: str, expanded: str) -> None:
    assert " ".join(token.text for token in expand(line(text), macros(definition))) == expanded


def test_macros_in_macros() -> None:
    known = macros("a b", "b a + c", "c 1")
    assert [token.text for token in expand(line("a"), known)] == ["a", "+", "1"]


def test_a_definition_without_a_name() -> None:
    problems: list[Problem] = []
    assert defined_by(line("3 4"), problems) is None and problems[0].message == "#define names no macro"


def test_what_expands_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expansion, "_MOST_WORK", 10_000)
    known = {f"m{n}": simple_macro(f"m{n + 1} m{n + 1}") for n in range(25)}
    with pytest.raises(TooLong):
        expand(line("m0"), known)


@pytest.mark.parametrize(
    "text", ["d(" * 40 + "e" + ")" * 40, "d(" * 3_000, "d(" * 900 + ")" * 900], ids=["nothing", "open", "deep"]
)
def test_what_is_small_in_the_end_may_be_much_work(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The work is counted, not what is left of it."""
    monkeypatch.setattr(expansion, "_MOST_WORK", 10_000)
    known = {"d": Macro(simple_macro("x x").body, ("x",)), "e": Macro(())}
    with pytest.raises((TooLong, RecursionError)):
        expand(line(text), known)
