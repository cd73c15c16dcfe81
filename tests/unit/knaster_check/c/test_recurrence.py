"""The kernel's check of recurrent sets: what Knaster finds is accepted, a set that a run may leave is refused."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster_check import Refused
from support.c_proofs import ENDLESS, READ
from support.kernel import formula, kernel

UP = "int main(void) { int i = read(); while (i > 0) { i = i + 1; if (i < 0) i = 5; } }"
CHOSEN = "int main(void) { int i = read(), j; while (i > 0) { j = read(); if (j > 9) i = i + j; else i = 0; } }"


@lru_cache
def find_endless(text: str) -> knaster.Result:
    """Return a run that never ends."""
    return knaster.check(READ + text, file="p.c", property="termination", integers="mathematical")


def endless(text: str) -> tuple[knaster.Result, dict[str, Any]]:
    """Return a run that never ends, and its file."""
    result = find_endless(text)
    document = json.loads(proof_to_text(result))
    assert document["lasso"]["set"] is not None, result.to_text()
    return result, document


@pytest.mark.parametrize("text", [ENDLESS, UP, CHOSEN], ids=["down and up", "up", "chosen"])
def test_what_is_found_is_accepted(text: str) -> None:
    result, document = endless(text)
    verdict = kernel(result.program, document)
    assert verdict.claim == "endless" and len(verdict.answered) > 1


@pytest.mark.parametrize("said", ["True", "i == 7", "i < 0", "i % 2 == 1", "i > 0 and i < 1000", "j > 9", "i"])
def test_what_a_run_may_leave_is_refused(said: str) -> None:
    result, document = endless(UP)
    document["lasso"]["set"] = formula(said)
    document["lasso"]["inputs"] = []
    with pytest.raises(Refused):
        kernel(result.program, document)


def test_an_input_is_chosen_where_the_proof_gives_none() -> None:
    result, document = endless(CHOSEN)
    document["lasso"]["set"] = formula("i > 0")
    document["lasso"]["inputs"] = []
    assert kernel(result.program, document).claim == "endless"
