"""Runs with memory in files: they are read back as they were written, and what is no run is refused."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError, ProofError
from knaster.base.limits import Budget
from knaster.checkers.files import examine
from knaster.evidence.proofs.memory import memory_paths, memory_run
from knaster.evidence.proofs.memory.memory_run import run_from_fields, run_to_fields
from support.attacks.on_memory import text_of
from support.attacks.on_memory_run import CHANGES, OF_TURNS, right_run

NAMES = ["an input in the middle", "a pointer that nobody wrote", "a call through a pointer", "a leak", "a lost step"]


@pytest.mark.parametrize("name", [*NAMES, "a deadlock", "a division"])
def test_a_run_is_read_as_it_was_written(name: str) -> None:
    program, proof = right_run(name)
    made = json.loads(proof)
    assert run_to_fields(run_from_fields(made, program)) == {"run": made["run"]}
    assert examine(proof, program, 1 << 12, Budget()).reached


@pytest.mark.parametrize("change", CHANGES)
def test_our_own_check_refuses_a_changed_run(change: str) -> None:
    program, proof = right_run("a lost step" if change in OF_TURNS else "an input in the middle")
    made = json.loads(proof)
    CHANGES[change](made)
    with pytest.raises(ProofError):
        examine(json.dumps(made), program, 1 << 12, Budget())


@pytest.mark.parametrize(
    "run",
    [
        {"inputs": [6]},
        {"inputs": [6], "turns": [[1]]},
        {"inputs": [6], "turns": [["1", []]]},
        {"inputs": [6], "turns": [[1, [[7, 0]]]]},
        {"inputs": [6], "turns": [[1, [[7, 10**9]]]]},
        {"inputs": [{}], "turns": [[1, [[7, 4]]]]},
        {"inputs": ["x"], "turns": [[1, [[7, 4]]]]},
    ],
)
def test_what_is_no_run_is_refused(run: Any) -> None:
    program, proof = right_run("an input in the middle")
    with pytest.raises(ProofError):
        examine(json.dumps(json.loads(proof) | {"run": run}), program, 1 << 12, Budget())


def test_values_of_all_types_are_written() -> None:
    body = "double d, *p = &d; int *q[2]; struct pair s, t = s; if (*p > 2.5 && q[1] == 0 && t.a == 9) ERROR: ;"
    result = knaster.check(text_of(body), file="a.c", property="reach")
    from knaster.checkers.files import proof_to_text

    made = json.loads(proof_to_text(result))
    assert {type(value) for value in made["run"]["inputs"]} == {int, str, list}
    assert examine(json.dumps(made), result.program, 1 << 12, Budget()).reached


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([], "a part of a run has no turn"),
        ([[2, [[7, 1]]]], "the first thread does not begin"),
        ([[1]], "a turn is of no thread"),
        ([["1", []]], "a turn is of no thread"),
        ([[True, []]], "a turn is of no thread"),
        ([[1, [[7]]]], "a line is no number"),
        ([[1, [[7, "1"]]]], "a line is no number"),
        ([[1, [[7, 1, 1]]]], "a line is no number"),
        ([[1, [[7, 0]]]], "a line is taken less than once"),
        ([[1, [[-1, 1]]]], "a line is taken less than once"),
    ],
)
def test_why_it_is_no_run(turns: Any, message: str) -> None:
    program, proof = right_run("an input in the middle")
    made = json.loads(proof)
    with pytest.raises(ProofError, match=message):
        run_from_fields(made | {"run": {**made["run"], "turns": turns}}, program)


def test_the_longest_run(monkeypatch: pytest.MonkeyPatch) -> None:
    program, proof = right_run("an input in the middle")
    made = json.loads(proof)
    steps = sum(count for _, lines in made["run"]["turns"] for _, count in lines)
    monkeypatch.setattr(memory_run, "LONGEST", steps)
    run_from_fields(made, program)
    monkeypatch.setattr(memory_run, "LONGEST", steps - 1)
    with pytest.raises(ProofError, match="the run has more than"):
        run_from_fields(made, program)


@pytest.mark.parametrize(("decisions", "holds"), [([[0, 1]], True), ([[]], False), ([["0"]], False), ([[True]], False)])
def test_decisions_have_values(decisions: Any, holds: bool) -> None:
    program, _ = right_run("an input in the middle")
    data = {"paths": 1, "decisions": decisions, "strict": [], "asked": []}
    if holds:
        assert memory_paths.from_fields({"paths_of_memory": data}, program, 0, Budget()).decisions == ((0, 1),)
    else:
        with pytest.raises(ProofError, match="a decision has no values"):
            memory_paths.from_fields({"paths_of_memory": data}, program, 0, Budget())


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ([], "no turn"),
        ([[1, [[7, 5]]], [2, [[8, 6]]]], "more than 10 steps"),
        ([[1, [[7, 0]]]], "less than once"),
        ([[1, [[-1, 1]]]], "less than once"),
        ([[1, [[7, 1, 1]]]], "a line is no number"),
        ([[1, [[7, True]]]], "a line is no number"),
        ([[True, [[7, 1]]]], "of no thread"),
        ([[1, [[7, 1]], 3]], "of no thread"),
    ],
)
def test_turns_that_are_none(turns: list[Any], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_run, "LONGEST", 10)
    with pytest.raises(ProofError, match=said):
        memory_run._turns_of(turns)


def test_turns_have_a_thread_and_a_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_run, "LONGEST", 10)
    assert memory_run._turns_of([[1, [[0, 5], [7, 1]]], [2, [[8, 4]]]]) == [(1, 6), (2, 4)]


LOOP = """#include <pthread.h>
int x; void *f(void *a) { while (1) x = 1 - x; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); while (1) ; return 0; }
"""


def test_a_run_of_threads_that_never_ends() -> None:
    from knaster.checkers.files import proof_to_text

    result = knaster.check(LOOP, file="a.c", property="termination")
    made = json.loads(proof_to_text(result))
    (data,) = (value for value in made.values() if isinstance(value, dict) and "cycle" in value)
    stem, cycle = memory_run.lasso_from_fields(data, result.program)
    written = memory_run.lasso_to_fields(SimpleNamespace(stem=stem, cycle=cycle))  # type: ignore[arg-type]
    assert {name: data[name] for name in written} == written
    for wrong in (
        {**data, "stem": [[2, lines] for _, lines in data["stem"]]},
        {**data, "cycle": [[thread, [[99, count] for _, count in lines]] for thread, lines in data["cycle"]]},
    ):
        with pytest.raises((ProofError, InternalError)):
            memory_run.lasso_from_fields(wrong, result.program)
