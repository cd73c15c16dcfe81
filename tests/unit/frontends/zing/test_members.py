"""Classes of Zing: fields, statics and methods with their signatures; bodies and initialisers are skipped."""

from __future__ import annotations

import pytest

from knaster.frontends.zing.declarations import declarations
from knaster.frontends.zing.kinds import INT, Class
from knaster.frontends.zing.lexer import tokenize
from knaster.frontends.zing.members import Initialiser
from knaster.frontends.zing.mistakes import Mistakes
from knaster.program.types import BOOL, Pointer


def members(text: str) -> tuple[dict[str, Class], list[Initialiser], list[str]]:
    mistakes = Mistakes(tokenize(text, []))
    found = declarations(mistakes.tokens, mistakes)
    return found.kinds.classes, found.initialisers, [problem.message for problem in mistakes.problems]


def test_fields_and_statics_with_what_they_begin_with() -> None:
    classes, initialisers, problems = members("class C { int a, b = 1 + (2), c; static C d = new C; };")
    assert not problems and list(classes["C"].fields.items()) == [("a", INT), ("b", INT), ("c", INT)]
    assert classes["C"].statics == {"d": Pointer("C")}
    assert [(each.name, each.static) for each in initialisers] == [("b", False), ("d", True)]


def test_signatures() -> None:
    classes, _, problems = members(
        "class C { atomic bool m(int n, out C c) { return { }; } activate static void main() { } };"
    )
    method, main = classes["C"].methods["m"], classes["C"].methods["main"]
    assert not problems and (method.atomic, method.static, method.activate) == (True, False, False)
    assert method.result == BOOL and [one[:3] for one in method.parameters] == [
        ("n", INT, False),
        ("c", Pointer("C"), True),
    ]
    assert (main.atomic, main.static, main.activate, main.result) == (False, True, True, None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("class C { int a; bool a; };", "the class 'C' has two fields 'a'"),
        ("class C { void m() { } void m() { } };", "the class 'C' has two methods 'm'"),
        ("class C { activate void m() { } };", "the activate method 'm' must be static, void, without parameters"),
        (
            "class C { activate static int m() { } };",
            "the activate method 'm' must be static, void, without parameters",
        ),
        ("interface I { void m(); }; class C : I { };", "'C' has no method 'm', which 'I' asks for"),
        (
            "interface I { void m(); }; class C : I { static void m() { } };",
            "'C' has no method 'm', which 'I' asks for",
        ),
        ("class D { }; class C : D { };", "there is no interface 'D'"),
        ("class C { [Bound] float a; };", "'float' is not read by Knaster"),
        ("class C { float a; };", "'float' is not read by Knaster"),
        ("class C { void m(int) { } int a; };", "expected the name of a parameter, found ')'"),
    ],
)
def test_mistakes(text: str, problem: str) -> None:
    assert members(text)[2] == [problem]


def test_reading_goes_on_at_the_next_member() -> None:
    classes, _, problems = members("class C { int 3 = { ; }; bool b; };")
    assert len(problems) == 1 and classes["C"].fields == {"b": BOOL}
