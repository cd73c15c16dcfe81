"""Helpers take turns before their time, and change no answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

import knaster
from knaster.base.limits import Budget, Limits
from knaster.base.options import Options
from knaster.checkers.checked import Checked
from knaster.engines.contract import Findings, Spent, Task, Undecided
from knaster.engines.integers import helpers, portfolio
from knaster.engines.integers.helpers import Helpers, Letter
from knaster.engines.integers.portfolio import Turn
from knaster.engines.integers.unrolled import UnrolledOptions
from knaster.engines.integers.unrolled.engine import unrolled
from knaster.evidence.proofs.unrolling import Unrolling
from knaster.evidence.questions.question import Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.report.text import result_text

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
TEXT = "int f(void);\nint main() { int x = f(); for (int i = 0; i < 3; i++) x = x ^ f(); if (x == 7) { ERROR: ; } }\n"
SAFE = "int f(void);\nint main() { int x = f() & 7; if (x > 7) { ERROR: ; } }\n"
WAIT = 30  # seconds for what comes at once, unless something is wrong


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let helpers begin at once, whatever other tests have loaded."""
    monkeypatch.setattr(helpers, "PATIENCE", 0.0)
    monkeypatch.setattr(helpers, "can_help", lambda: True)


def task_of(text: str) -> Task:
    """Return the question whether ERROR is reachable."""
    program = knaster.parse(text, file="a.c")
    return Task(program, Reach(tuple(resolve_targets(program, ["ERROR"]))), Budget(cores=2), Options())


def undecided(task: Task) -> Findings:
    """Say nothing."""
    return Findings(frozenset(), Undecided("not today", also_known=("x",)), {"pid": os.getpid()}, spent=Spent(7))


def broken(task: Task) -> Findings:
    """Break down."""
    raise ValueError("not today")


def unsendable(task: Task) -> Findings:
    """Find what cannot be sent."""
    return Findings(frozenset(), None, {}, proof=lambda: lambda: None)  # type: ignore[return-value, arg-type]


def test_a_helper_says_what_it_found_and_is_silent_where_it_cannot() -> None:
    task = task_of(SAFE)
    turns = [(0, undecided), (2, broken), (3, unsendable), (4, undecided)]
    taking = Helpers(task, lambda: iter(turns), 1)
    connection = taking._helpers[0]._connection
    try:
        said = []
        for number, _ in turns:
            assert connection.poll(WAIT)
            said.append(taking.find(number))
    finally:
        taking.stop()
    assert [found is not None for found in said] == [True, False, False, True]
    assert said[0] is not None and said[0].unknown == undecided(task).unknown and said[0].spent == Spent(7)
    assert said[0].statistics["pid"] != os.getpid()


def test_a_turn_that_no_helper_has_begun_is_taken_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helpers, "PATIENCE", 1000.0)
    taking = Helpers(task_of(SAFE), lambda: iter([(0, undecided)]), 1)
    try:
        assert taking.find(0) is None
    finally:
        taking.stop()


def test_turns_are_shared_by_several_helpers() -> None:
    taking = Helpers(task_of(SAFE), lambda: iter([(0, undecided), (1, undecided)]), 2)
    try:
        assert all(helper._connection.poll(WAIT) for helper in taking._helpers)
        found = [taking.find(number) for number in (0, 1)]
    finally:
        taking.stop()
    assert len({each.statistics["pid"] for each in found if each is not None}) == 2


def test_evidence_speaks_of_the_very_program() -> None:
    task = task_of(TEXT)
    parts = list(helpers._parts_of(task))
    letter = helpers._write(task, lambda task: unrolled(task), parts)
    found = helpers._read(letter, parts).open()
    assert found.traces is not None and found.reached == set(task.targets)
    edges = {id(edge) for procedure in task.program.procedures for edge in procedure.edges}
    assert {id(step.edge) for step in found.traces(task.targets)[task.targets[0]].paths[0].steps} <= edges


def test_nobody_believes_that_a_proof_was_checked_elsewhere() -> None:
    task = task_of(SAFE)
    proof = Unrolling(task.program, 1)
    findings = Findings(frozenset(), None, {}, proof=lambda: Checked(proof, "", task.program, frozenset(task.targets)))
    opened = Letter.of(task, findings).open()
    assert opened.proof is not None and opened.proof() is proof


@pytest.mark.parametrize("text", [TEXT, SAFE])
def test_answers_are_those_of_one_process(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, begins = os.pipe()
    pids: list[object] = []

    def wait(task: Task) -> Findings:
        if task.budget.cores > 1:
            os.read(begun, 1)
        return undecided(task)

    def search(task: Task) -> Findings:
        if task.budget.cores > 1:
            os.write(begins, b"!")
        found = unrolled(task)
        return Findings(
            found.reached, found.unknown, {"pid": os.getpid()}, found.traces, found.proof, spent=found.spent
        )

    def turns(*_: object) -> Iterator[Turn]:
        yield Turn("search", wait, Options())
        yield Turn("unrolled", search, UnrolledOptions(), alone=True)

    monkeypatch.setattr(portfolio, "reach_turns", turns)
    texts = []
    for cores in (1, 2):
        result = knaster.check(text, "ERROR", file="a.c", limits=Limits(cores=cores))
        pids.append(result.stats["pid"])
        texts.append(result_text(result))
    assert texts[0] == texts[1] and ("FALSE" in texts[0] or "TRUE" in texts[0])
    assert pids[0] == os.getpid() != pids[1]


def test_helpers_end_with_the_question() -> None:
    ended: list[Callable[[], None]] = []
    taking = Helpers(task_of(SAFE), lambda: iter([(0, undecided)]), 1)
    process = taking._helpers[0]._process
    ended.append(taking.stop)
    ended[0]()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
