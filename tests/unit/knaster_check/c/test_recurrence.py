"""The kernel's check of recurrent sets: what Knaster finds is accepted, a set that a run may leave is refused."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.c import parse
from knaster.frontends.languages import load
from knaster.semantics.python_code import loop_heads
from knaster_check import Refused, read_program
from knaster_check.c.nodes import choices
from knaster_check.c.recurrence import Recurrence
from knaster_check.c.solvers import Solvers
from knaster_check.c.walk import formulas_of
from knaster_check.formula import read_formula
from knaster_check.program import Program
from knaster_check.work import nothing
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


AROUND = "int main(void) {{ int i = read(); while (i > 0) {{ {0} }} }}"
IN_CALLS = {  # a program, where its set is, and what becomes of the number there; another one leaves the set
    "a call that returns": ("int f(int n) { return STEP; }\n" + AROUND.format("i = f(i);"), "main", "n + 1", "n - 1"),
    "an input of a call": (
        "int f(int n) { int j = read(); if (j > 9) return STEP; return 0; }\n" + AROUND.format("i = f(i);"),
        *("main", "n + j", "n - n"),
    ),
    "calls without end": (
        "void f(int n) { if (n > 0) f(STEP); }\nint main(void) { f(read()); }",
        "f",
        "n + 1",
        "n - 1",
    ),
    "nothing to do": ("void f(void) { }\n" + AROUND.format("f(); i = STEP;"), "main", "i + 1", "i - 1"),
}


def is_recurrent(text: str, name: str) -> bool:
    """Tell whether runs in which a number is positive, at the loop or the entry of a procedure, go on for ever."""
    program = load(READ + text, file="p.c", integers="mathematical")
    own = program.procedure(name)
    place = min(loop_heads(own)) if name == "main" else own.entry
    sets = {(name, place): read_formula(formula("i > 0" if name == "main" else "n > 0"))}
    solvers = Solvers(nothing)
    try:
        for obligation in Recurrence(read_program(program_to_kernel(program)), sets, {}, nothing).obligations():
            solvers.refute(obligation)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("name", IN_CALLS)
def test_calls_between_the_sets(name: str) -> None:
    text, own, stays, leaves = IN_CALLS[name]
    assert is_recurrent(text.replace("STEP", stays), own)
    assert not is_recurrent(text.replace("STEP", leaves), own)


def recurrence(text: str, given: dict[int, int]) -> tuple[Recurrence, Program]:
    program = read_program(program_to_kernel(parse(READ + text, "p.c")))
    values = {("main", edge): value for edge, value in given.items()}
    return Recurrence(program, {}, values, nothing), program


def test_an_input_that_is_no_value_of_its_type_is_not_taken() -> None:
    text = "unsigned char in(void);\nint main(void) { int j = 0; while (1) { j = in(); } }"
    _, program = recurrence(text, {})
    (at,) = (n for n, edge in enumerate(program.procedures["main"].edges) if choices(formulas_of(edge)))
    for given, free in (({}, 1), ({at: 7}, 0), ({at: 0}, 0), ({at: 255}, 0), ({at: 256}, 1), ({at: -1}, 1)):
        own, program = recurrence(text, given)
        nodes, chosen = own._inputs(program.procedures["main"].edges[at])
        assert len(nodes) == 1 and len(chosen) == free, given


def test_loops_between_the_sets_are_not_followed_for_ever() -> None:
    text = "int main(void) { int i = 0, j; while (1) { i = 0; while (i < 2) { i++; j = i; } } }"
    program = parse(READ + text, "p.c")
    own = read_program(program_to_kernel(program))
    head = min(loop_heads(program.procedure("main")))
    found = list(Recurrence(own, {("main", head): (("truth", True),)}, {}, nothing).obligations())
    assert len(found) == 1


@pytest.mark.parametrize("times", [1, 2])
def test_one_set_at_a_place(times: int) -> None:
    result, document = endless(UP)
    document["lasso"]["others"] = [["main", 0, formula("True")]] * times
    try:
        kernel(result.program, document)
        reason = ""
    except Refused as refused:
        reason = refused.reason
    assert ("two sets at one place" in reason) is (times == 2)
