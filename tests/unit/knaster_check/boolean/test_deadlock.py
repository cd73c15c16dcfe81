"""Runs to deadlocks, by hand: where nobody can step, and where somebody can."""

from __future__ import annotations

import json
from typing import Any

import pytest

import knaster
from knaster.checkers.files import proof_to_text
from knaster.evidence.proofs.files import fingerprint
from knaster_check import Refused
from knaster_check.boolean import deadlock
from knaster_check.refused import Unsupported
from support.kernel import document, kernel

CROSSED = "decl a := 0, b := 0;\nvoid one() begin a := 1; assume(b); end\nvoid two() begin assume(a); assume(!a); end\n"
SECTION = """decl a := 0;
void one() begin atomic_begin; a := 1; assume(!a); atomic_end; end
void two() begin skip; end
"""
STARTED = """decl a := 0;
void one() begin start_thread three(*); end
void two() begin skip; end
void three(p) begin assume(p); end
"""
COPIED = "decl a := 0;\nvoid one() begin decl l; l := F; start_thread goto L; end_thread; L: assume(l); end\n"
COPIED += "void two() begin skip; end\n"
CALLED = "decl a := 0;\nvoid one() begin f(); end\nvoid f() begin a := 1; assume(!a); end\nvoid two() begin skip; end\n"


def run_to_deadlock(text: str) -> tuple[knaster.Result, dict[str, Any]]:
    result = knaster.check(text, "deadlock", file="a.bp", threads=["one", "two"], engine="explicit")
    return result, json.loads(proof_to_text(result))


TWICE = """decl a := 0, b := 0;
void one() begin start_thread three(F); start_thread three(T); end
void two() begin skip; end
void three(p) begin assume(p & !p); end
"""


@pytest.mark.parametrize("text", [CROSSED, SECTION, STARTED, COPIED, CALLED, TWICE])
def test_a_run_to_a_deadlock_is_believed_in_whole_only(text: str) -> None:
    result, proof = run_to_deadlock(text)
    assert kernel(result.program, proof).claim == "reachable"
    segments = proof["run"]["segments"]
    for cut in range(len(segments)):
        proof["run"]["segments"] = segments[:cut]
        with pytest.raises(Refused):
            kernel(result.program, proof)


def test_where_a_condition_is_another_one_somebody_can_step() -> None:
    for text, old, new in (
        (CROSSED, "assume(b)", "assume(a)"),
        (CROSSED, "assume(!a)", "assume(!b)"),
        (SECTION, "assume(!a)", "assume(a)"),
        (STARTED, "assume(p)", "assume(a|!a)"),
        (COPIED, "assume(l)", "assume(!l)"),
        (CALLED, "assume(!a)", "assume(a)"),
        (TWICE, "p & !p", "p"),
        (TWICE, "p & !p", "!p"),
    ):
        _, proof = run_to_deadlock(text)
        other = knaster.check(text.replace(old, new), "deadlock", file="a.bp", threads=["one", "two"]).program
        proof["program"] = fingerprint(other)
        with pytest.raises(Refused, match="can still step"):
            kernel(other, proof)


def test_other_ends_are_none() -> None:
    result, proof = run_to_deadlock(CROSSED)
    proof["targets"][0]["name"] = "standstill"
    with pytest.raises(Refused, match="no run of threads ends so"):
        kernel(result.program, proof)


ENDS = "void one() begin skip; end void two() begin skip; end"
FAILS = "void one() begin assert(F); end void two() begin assume(F); end"
LOCKS = "decl atomic; void init() begin atomic := F; end void thread1() begin atomic := T; assume(!atomic); end "
LOCKS += "void thread2() begin skip; end"


@pytest.mark.parametrize(
    ("text", "names", "why"),
    [
        (ENDS, ["one"], "thread 2 can still step"),
        (ENDS, ["one", "two"], "all threads have ended"),
        (FAILS, ["one"], "no other thread may run"),
        (LOCKS, ["thread1"], "no other thread may run"),
    ],
)
def test_all_have_ended_or_somebody_may_run(text: str, names: list[str], why: str) -> None:
    threads = None if text == LOCKS else ["one", "two"]
    program = knaster.check(text, "deadlock", file="a.bp", threads=threads).program
    written = [["atomic", True]] if text == LOCKS else []
    own = program.procedure(names[0])
    edge = next((number for number, edge in enumerate(own.edges) if edge.target in own.failures), 0)
    paths = [[name, None, [False] if written else [], [[edge, [], None, written]]] for name in names]
    segments = [[number, [number - 1]] for number in range(1, len(names) + 1)]
    with pytest.raises(Refused, match=why):
        kernel(program, by_hand(program, paths, segments))


def by_hand(program: Any, paths: list[Any], segments: list[Any]) -> dict[str, Any]:
    whole = document(program, {"run": {"paths": paths, "segments": segments}}, excludes=False)
    return {**whole, "targets": [{"name": "deadlock", "procedure": "", "location": 0}]}


def test_a_section_that_is_too_large_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    result, proof = run_to_deadlock(SECTION)
    monkeypatch.setattr(deadlock, "MOST_INSIDE", 1)
    with pytest.raises(Unsupported):
        kernel(result.program, proof)
    monkeypatch.setattr(deadlock, "MOST_INSIDE", 2)
    assert kernel(result.program, proof).claim == "reachable"


def test_a_callee_at_its_exit_can_return() -> None:
    text = "void one() begin f(); end\nvoid f() begin skip; end\nvoid two() begin skip; end\n"
    program = knaster.check(text, "deadlock", file="a.bp", threads=["one", "two"]).program
    paths: list[Any] = [[name, None, [], [[0, [], None, []]]] for name in ("two", "one", "f")]
    with pytest.raises(Refused, match="thread 1 can still step"):
        kernel(program, by_hand(program, paths, [[1, [1, 2]], [2, [0]]]))


def test_a_third_thread_that_has_not_begun_can_step() -> None:
    text = "void one() begin assume(F); end\nvoid two() begin assume(F); end\nvoid three() begin skip; end\n"
    threads = ["one", "three", "two"]
    program = knaster.check(text, "deadlock", file="a.bp", threads=threads).program
    with pytest.raises(Refused, match="thread 2 can still step"):
        kernel(program, by_hand(program, [["one", None, [], []]], [[1, [0]]]))


def test_each_started_thread_has_its_own_values() -> None:
    starts = "".join(f"start_thread three({value}); " for value in "FFF")
    text = f"void one() begin {starts}end\nvoid two() begin skip; end\nvoid three(p) begin assume(p); end\n"
    result, proof = run_to_deadlock(text)
    assert kernel(result.program, proof).claim == "reachable"
    for number in range(3):
        values = ["T" if at == number else "F" for at in range(3)]
        changed = text.replace(starts, "".join(f"start_thread three({value}); " for value in values))
        other = knaster.check(changed, "deadlock", file="a.bp", threads=["one", "two"]).program
        with pytest.raises(Refused, match=f"thread {3 + number} can still step"):
            kernel(other, {**proof, "program": fingerprint(other)})
