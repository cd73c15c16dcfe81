"""Steps that call or start a method of Zing, and what does not fit."""

from __future__ import annotations

import pytest

from knaster.program.model import Call, Concurrent
from support.zing_text import messages, model, read

MEMBERS = (
    "static long wide() { return 1; } static int one() { return 1; } static void give(out long n) { n = 1; }"
    "static long both(out long n) { return 1; }"
)


def test_a_call_and_a_start() -> None:
    called, started = (
        edge.action for edge in read("long k; k = one(); async wide();", MEMBERS).procedure("main").edges[:2]
    )
    assert isinstance(called, Call) and called.procedure == "one" and not called.dispatch
    assert isinstance(started, Concurrent) and started.procedure == "wide"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("int i; long k; i = both(out k);", "the result may not fit into the left side"),
        ("int i; int j; i = j = one();", "a result is assigned to one variable"),
        ("int i; give(out i);", "'n' is long, this is int"),
    ],
)
def test_mistakes(body: str, problem: str) -> None:
    assert messages(model(body, MEMBERS)) == [problem]
