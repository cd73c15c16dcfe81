"""Runs of derivations: where one is not found again, nothing is said about the program itself."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.engines.integers.horn.runs import DerivedRuns
from knaster.evidence.answers.answer import Unknown

TEXT = """extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int down(int n) { if (n > 3) { reach_error(); } return n; }
int main(void) { int i = __VERIFIER_nondet_int(), s = 0; while (i > 0) { i = i - 1; s = s + 1; } down(s); return 0; }
"""


def test_the_run_is_found() -> None:
    assert knaster.check(TEXT, file="a.c", engine="horn").verdict.value == "FALSE"


@pytest.mark.parametrize("broken", ["_solve_inputs", "_run_links"])
def test_a_run_that_is_not_found_again_is_no_sentence_about_the_program(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error is reachable: "no way of the program leads there" was said of such a one."""

    def nothing(*_: object) -> Any:
        return None

    def steps(*_: object) -> Any:
        return None
        yield

    monkeypatch.setattr(DerivedRuns, broken, nothing if broken == "_solve_inputs" else steps)
    ((_, answer),) = knaster.check(TEXT, file="a.c", engine="horn").answers
    assert isinstance(answer, Unknown)
    assert "the run that Spacer found was not found again" in answer.reason
