"""PL: what its statements mean, and what is refused, by name and place."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.errors import SourceError
from knaster.evidence.answers.answer import Reachable, Unreachable
from knaster.frontends.languages import language_of, spelling_of
from knaster.program.model import Assign, Call


def answer(text: str) -> bool:
    """Tell whether ERROR is reached."""
    ((_, found),) = knaster.check(text, "ERROR", file="a.pl").answers
    assert isinstance(found, Reachable | Unreachable)
    return isinstance(found, Reachable)


@pytest.mark.parametrize(
    ("body", "reached"),
    [
        ("x, y := 1, 2; x, y := y, x; assume(x == 2 && y == 1); ERROR: skip", True),
        ("x := 1; y := 2; assume(x > y); ERROR: skip", False),
        ("{ x := 1 || x := 2 }; assume(x == 2); ERROR: skip", True),
        ("{ x := 1; y := 1 || x := 2; y := 2 }; assume(x != y); ERROR: skip", False),
        ("x := 1; kill x; var x; assume(x == 7); ERROR: skip", True),
        ("if (*) then x := 1 else x := 2; assume(x == 3); ERROR: skip", False),
        ("x := 3; while (x > 0) x := x - 1; assume(!(x == 0)); ERROR: skip", False),
        ("x, y := two(4); assume(x == 5 && y == 2 * 4); ERROR: skip", True),
        ("(x, y -> x, y) x := nondet(); assume(-x == 4); ERROR: skip", True),
        ("x := 2; if (x) then ERROR: skip else skip", True),
    ],
)
def test_meaning(body: str, reached: bool) -> None:
    assert answer(f"main(x, y) {{ {body} }}\ntwo(a) : b, c {{ b := a + 1; c := a + a }}\n") is reached


def test_the_first_function_runs_and_is_given_any_values() -> None:
    program = knaster.parse("f(a) : b { b := a }\ng(c) { skip }\n", file="a.pl")
    assert program.threads == ("f",) and program.procedure("f").parameters == ()
    assert program.procedure("g").parameters == ("c",)


def test_spelling() -> None:
    program = knaster.parse("f() { var x, y; x, y := 1, 2 }\nh(a) : b { b := h(a) }", file="a.pl")
    spelling = spelling_of(program)
    for own in program.procedures:
        for edge in own.edges:
            if isinstance(edge.action, Assign | Call):
                assert ":=" in spelling.statement(own, edge)
    assert spelling.to_text(program) == program.source


def test_a_text_is_known_by_its_content() -> None:
    assert language_of("<stdin>", "main(x) {\n  x := 1\n}\n").name == "pl"
    assert language_of("<stdin>", "void main() begin skip; end\n").name == "boolean"
    assert language_of("<stdin>", "int main(void) { return 0; }\n").name == "c"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no function"),
        ("f() { x := 1 }", "'x' is not in scope"),
        ("f() { var x; var x }", "'x' is in scope already"),
        ("f() { var x; { kill x || skip }; x := 1 }", "'x' is not in scope"),
        ("f() { var x; x := 1 < 2 }", "a number is expected"),
        ("f() { var x; x := (1 < 2) + 1 }", "'+' is between numbers"),
        ("f() { var x; x, x := 1, 2 }", "assigned twice"),
        ("f() { var x; x := 1, 2 }", "1 variables on the left and 2 values"),
        ("f() { g() }", "there is no function 'g'"),
        ("f() { g(1) } g() { skip }", "takes 0 values"),
        ("f() { var x; x := g() } g() { skip }", "returns 0 values"),
        ("f() { skip } f() { skip }", "two functions are called 'f'"),
        ("f(a, a) { skip }", "declared twice"),
        ("f() : r { kill r }", "is a result, and is killed"),
        ("f(a) { f(1) }", "nobody calls it"),
        ("f() { if (true) then skip }", "expected 'else'"),
        ("f() { skip", "expected '}'"),
        ("f() { skip @ }", "unknown character '@'"),
        ("f() { var while }", "expected the name of a variable"),
        ("f() " + "{" * 500, "more than 80 statements"),
        ("f() { assume(" + "(" * 500 + "1))}", "more than 80 expressions"),
    ],
)
def test_refusals(text: str, said: str) -> None:
    with pytest.raises(SourceError, match=r"a\.pl:1:") as caught:
        knaster.parse(text, file="a.pl")
    assert said in str(caught.value)
