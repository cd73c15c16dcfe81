"""Statements of Zing that are one step: jumps, returns, asserts, messages, starts, traces."""

from __future__ import annotations

import pytest

from knaster.program.objects import Print, Raise
from support.zing_text import messages, model, read, steps

MEMBERS = "static int one() { return 1; } static void none() { return; }"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("L: goto L;", ["0-0 ;"]),
        ("goto L; L: ;", ["0-1 ;", "1-2 ;", "2-3 return"]),
        ("return; ;", ["0-3 return", "1-2 ;", "2-3 return"]),
        ('assert(C.s == 2, "why");', ["0-1 assume(C.s == 2)", "0-3 assume(!(C.s == 2))", "1-2 return"]),
        ("assume(C.s > 0);", ["0-1 assume(C.s > 0)", "1-2 return"]),
        ("Q q; send(q, 3);", ["0-1 send(q, 3)", "1-2 return"]),
        ("async none();", ["0-1 async none()", "1-2 return"]),
        ("yield;", ["0-1 ;", "1-2 return"]),
    ],
)
def test_steps(body: str, found: list[str]) -> None:
    assert steps(body, MEMBERS) == found


def test_traces_and_exceptions() -> None:
    said, raised = (edge.action for edge in read('trace("i is {0}", 1 + 2); raise Full;').procedure("main").edges)
    assert isinstance(said, Print) and said.text == "i is {0}" and len(said.arguments) == 1
    assert raised == Raise("Full")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("goto 3;", "expected a label, found '3'"),
        ("return 1;", "'main' is void and returns no value"),
        ("assert(1);", "a condition is a bool, this is int"),
        ("assert(true, 1);", "expected a string, found '1'"),
        ("Q q; send(q, true);", "the message is int, this is bool"),
        ("async 3;", "expected a call, found '3'"),
        ("trace(3);", "expected a string, found '3'"),
        ("raise 3;", "expected the name of an exception, found '3'"),
    ],
)
def test_mistakes(body: str, problem: str) -> None:
    assert messages(model(body)) == [problem]


def test_a_method_with_a_result_returns_one() -> None:
    assert messages(model("", "static int one() { return; }")) == ["'one' returns int"]
    assert messages(model("", "static int one() { return true; }")) == ["the result is int, this is bool"]
