"""Branches of a select: what they wait for and what they receive."""

from __future__ import annotations

import pytest

from knaster.program.objects import Join
from support.zing_text import messages, model, read, steps


def test_patterns_of_a_branch() -> None:
    found = steps("Q q; int i; select { wait(i > 0) && receive(q, i) && wait(C.ready()) -> ; timeout -> ; }")
    assert found[:2] == ["0-1 select wait(i > 0) && wait(ready()) && receive(q, i) ->", "0-2 select timeout ->"]


def test_a_branch_that_waits_for_nothing() -> None:
    action = read("select { timeout -> ; }").procedure("main").edges[0].action
    assert isinstance(action, Join) and not action.waits and not action.receives


@pytest.mark.parametrize(
    ("branch", "problem"),
    [
        ("receive(q, b) -> ;", "the channel carries int, this is bool"),
        ("receive(b, b) -> ;", "this is bool, no channel"),
        ("wait(1) -> ;", "a condition is a bool, this is int"),
        ("i = 1; -> ;", "expected wait, receive or timeout, found 'i'"),
        ("event(1) -> ;", "'event' in a select is not read by Knaster"),
        ("wait(x.get(1) > 0) -> ;", "a condition cannot call 'I.get' of an interface"),
        ("receive(queue(), i) -> ;", "a channel to receive from is not called for"),
        ("wait(true) ;", "expected '->', found ';'"),
    ],
)
def test_mistakes(branch: str, problem: str) -> None:
    assert (
        messages(model(f"Q q; int i; bool b; I x; select {{ {branch} }}", "static Q queue() {{ return null; }}"))[0]
        == problem
    )
