"""Calls of Zing: which method is meant, whether the arguments fit, and where the results go."""

from __future__ import annotations

import pytest

from knaster.program.expression import Apply, Var
from knaster.program.model import Call
from knaster.program.objects import Join
from support.zing_text import messages, model, read, steps

MEMBERS = """int f; void own(int n) { }
static int add(int a, int b) { return a + b; } static void give(out int n) { n = 1; } static void run() { }
static bool back(out bool b) { return true; }"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int i; i = add(1, 2);", "i = add(1, 2)"),
        ("add(1, 2);", "add(1, 2)"),
        ("Main.run();", "run()"),
        ("int i; give(out i);", "i = give()"),
        ("Main m; m.own(3);", "own(m, 3)"),
        ("I x; int k; k = x.get(4);", "k = I.get(x, 4)"),
        ("async add(1, 2);", "async add(1, 2)"),
        ("Main m; async m.own(3);", "async own(m, 3)"),
    ],
)
def test_calls(body: str, found: str) -> None:
    assert steps(body, MEMBERS)[0] == f"0-1 {found}"


def test_a_method_of_the_same_instance() -> None:
    assert steps("", MEMBERS + " void twice() { own(f); }", "twice")[0] == "0-1 own(this, this.f)"


def test_a_method_of_an_interface_is_that_of_the_class() -> None:
    action = read("I x; int k; k = x.get(4);").procedure("main").edges[0].action
    assert isinstance(action, Call) and action.dispatch == (("C", "C.get"),) and action.places == (Var("k"),)


def test_a_condition_may_be_a_method() -> None:
    action = read("select { wait(C.ready()) -> ; }").procedure("main").edges[0].action
    assert isinstance(action, Join) and isinstance(action.waits[0], Apply)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("none();", "the class 'Main' has no method 'none'"),
        ("own(1);", "'own' is called on an instance"),
        ("int i; i.own(1);", "int has no methods"),
        ("add(1);", "'add' takes 2 arguments, not 1"),
        ("run(1);", "'run' takes no argument, not 1"),
        ("add(1, true);", "'b' is int, this is bool"),
        ("int i; give(i);", "'n' is an out parameter"),
        ("int i; add(1, out i);", "'b' is no out parameter"),
        ("bool b; give(out b);", "'n' is int, this is bool"),
        ("bool b; b = add(1, 2);", "the left side is bool, this is int"),
        ("int i; i = run();", "'run' is void and has no result"),
        ("int i; i = run() + 1;", "'run' is void and has no result"),
        ("bool b; b = back(out b) && b;", "a call with 'out' stands alone or right of '='"),
        ("long k; add(k, 2147483648);", "2147483648 does not fit into int"),
        ("int i; async give(out i);", "a thread gives nothing back"),
        ("I x; async x.get(1);", "a thread starts in a method of a class, not of an interface"),
        ("select { wait(add(1, 2)) -> ; }", "a condition is a bool, this is int"),
    ],
)
def test_mistakes(body: str, problem: str) -> None:
    assert messages(model(body, MEMBERS)) == [problem]
