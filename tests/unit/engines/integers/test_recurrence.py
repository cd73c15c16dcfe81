"""Runs that never end although no state comes back: what is found, what must not be, and sets that were changed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.recurrence import check_recurrence
from knaster.checkers.runs.lasso import replay_lasso
from knaster.evidence.answers.answer import Diverges, Result, Verdict
from knaster.evidence.traces.lasso import Lasso, Recurrence
from knaster.program.expression import FALSE, TRUE, Compare, Comparison, Const, Var

MATHEMATICAL = "mathematical"


def asked(body: str, functions: str = "", engine: str = "recurrence", integers: str = MATHEMATICAL) -> Result:
    text = f"int nondet(void);\n{functions}\nint main(void) {{ int x = nondet(), y = nondet(); {body} }}\n"
    return knaster.check(text, property="termination", engine=engine, file="t.c", integers=integers)


def lasso_of(result: Result) -> Lasso:
    answer: Any = result.answers[0][1]
    assert isinstance(answer, Diverges) and answer.checked and answer.lasso is not None
    return answer.lasso


CASES = {
    "grows": ("while (x > 0) x++;", "", False),
    "an input decides": ("while (x > y) { if (nondet()) x = x + 1; else y = nondet(); }", "", False),
    "both branches": ("while (x > 0) { if (y > 3) x = x + 2; else x = x + 1; y = y + 1; }", "", False),
    "recursion": ("f(x);", "int f(int n) { if (n == 0) return 0; return f(n + 1) + 1; }", True),
    "a deep loop": ("y = 10; while (y > 0) y--; while (x + y > 5) x = x + 3;", "", False),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_found(name: str) -> None:
    body, functions, deeper = CASES[name]
    result = asked(body, functions)
    lasso = lasso_of(result)
    assert lasso.deeper == deeper and lasso.recurs is not None
    assert "whenever line" in result.to_text() and "it can be reached again with" in " ".join(result.to_text().split())
    assert json.loads(result.to_json())["lasso"]["set"]


@pytest.mark.parametrize(
    ("body", "functions"),
    [
        ("while (x > 0) x--;", ""),
        ("while (x > y) y++;", ""),
        ("while (x > 0) { x = x + y; y--; }", ""),
        ("f(x);", "int f(int n) { if (n <= 0) return 0; return f(n - 1) + 1; }"),
        ("while (x > 0) { if (y > 0) y--; else x--; }", ""),
        ("while (x > 0 && x < 1000) x++;", ""),
    ],
)
def test_what_ends_is_not_found_to_be_endless(body: str, functions: str) -> None:
    assert asked(body, functions).verdict is Verdict.UNKNOWN


def test_machine_integers_do_not_grow_for_ever() -> None:
    assert asked("while (x > 0) x++;", integers="machine").verdict is Verdict.UNKNOWN
    assert asked("while (x > 0) { y = y + 1; }", integers="machine").verdict is Verdict.FALSE


@pytest.mark.parametrize(
    "set",
    [
        TRUE,
        Compare(Comparison.AT_LEAST, Var("x"), Const(0)),
        Compare(Comparison.AT_MOST, Var("x"), Const(5)),
        Compare(Comparison.EQUAL, Var("x"), Const(3)),
    ],
)
def test_a_set_that_is_not_recurrent_is_refused(set: Any) -> None:
    lasso = lasso_of(asked("while (x > 0) x++;"))
    result = asked("while (x > 0) x++;")
    place = (lasso.stem.procedure, lasso.stem.location)
    assert lasso.recurs is not None
    check_recurrence(result.program, place, lasso.recurs, Budget())
    with pytest.raises(InternalError):
        check_recurrence(result.program, place, replace(lasso.recurs, set=set), Budget())


def test_inputs_that_lead_elsewhere_are_refused() -> None:
    result = asked("while (x > 0) { y = nondet(); if (y == 3) x++; else x--; }")
    lasso = lasso_of(result)
    assert lasso.recurs is not None and [value for _, value in lasso.recurs.inputs] == [3]
    place = (lasso.stem.procedure, lasso.stem.location)
    position = lasso.recurs.inputs[0][0]
    check_recurrence(result.program, place, Recurrence(lasso.recurs.set), Budget())  # they may be chosen anew
    for inputs in (((position, 4),), ((position, True),)):
        with pytest.raises(InternalError):
            check_recurrence(result.program, place, Recurrence(lasso.recurs.set, inputs), Budget())


def test_a_lasso_whose_states_are_not_in_its_set_is_refused() -> None:
    result = asked("while (x > 0) x++;")
    lasso = lasso_of(result)
    replay_lasso(result.program, lasso)
    assert lasso.recurs is not None
    for changed in (replace(lasso, recurs=None), replace(lasso, recurs=replace(lasso.recurs, set=FALSE))):
        with pytest.raises(InternalError):
            replay_lasso(result.program, changed)


def test_a_call_that_is_stepped_over_is_no_way_back() -> None:
    """What a callee may return is not what it returns: here the loop ends, and nothing else is said of it."""
    result = asked("while (x > 0) { x = f(x); }", "int f(int n) { if (n > 0) return n - 1; return n; }")
    assert result.verdict is Verdict.UNKNOWN
