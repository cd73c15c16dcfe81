"""Runs in files: segments and paths that are none, and the decisions of runs with references."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.proofs.run import from_fields, path_of, row_of, to_fields, trace_of_rows
from knaster.evidence.traces.trace import Path, Step
from knaster.frontends.boolean import parse

TEXT = "decl g; void main() begin g := T; f(); end void f() begin skip; end\n"
PROGRAM = parse(TEXT, "a.bp")
MAIN = PROGRAM.procedure("main")


def test_paths_begin_somewhere_and_stop_where_their_last_step_leads() -> None:
    for begin in (None, 0, MAIN.size - 1):
        path = path_of(["main", begin, [True], []], PROGRAM, [])
        assert path.begin == begin
        where = MAIN.entry if begin is None else begin
        assert trace_of_rows([[1, [0]]], [path], PROGRAM).location == where
    for wrong in (-1, MAIN.size, True, "0"):
        with pytest.raises(ProofError, match="a path begins nowhere"):
            path_of(["main", wrong, [True], []], PROGRAM, [])


def test_edges_of_the_same_text_are_the_same() -> None:
    twin = parse(TEXT, "a.bp").procedure("main")
    path = Path("main", {"g": False}, (Step(twin.edges[0], {"g": True}),))
    assert row_of(path, PROGRAM, {path: 0}) == ["main", None, [False], [[0, [], None, [["g", True]]]]]


CHOOSING = """class Main { static int x;
activate static void main() { async work(); int a; a = pick(); assert(a != 3); }
static int pick() { int c; c = choose(Few); return c; }
static void work() { x = 1; } };
range Few 1 .. 3;
"""


def run_of_choices() -> tuple[knaster.Program, dict[str, Any]]:
    result = knaster.check(CHOOSING, file="a.zing")
    ((_, answer), *_) = result.answers
    assert isinstance(answer, Reachable) and answer.trace is not None
    return result.program, to_fields(answer.trace, result.program)


def test_decisions_are_read_as_they_were_written() -> None:
    program, fields = run_of_choices()
    decisions = fields["run"]["decisions"]
    assert any(2 in taken for _, taken in decisions)  # the third alternative
    assert to_fields(from_fields(fields, program, 0, Budget()), program) == fields


@pytest.mark.parametrize(
    ("decisions", "message"),
    [
        ([[1]], "a turn is of no thread"),
        ([[True, []]], "a turn is of no thread"),
        ([["1", []]], "a turn is of no thread"),
        ([[0, []]], "there is no thread 0"),
        ([[2, []]], "there is no thread 2"),
        ([[1, [1]]], "an alternative is none"),
        ([[1, [-1]]], "an alternative is none"),
        ([[1, [0]], [2, [0, 0, 0, 0]]], "thread 2 has ended|cannot take a step"),
        ([[1, [0]], [2, [0, 0]], [3, []]], "there is no thread 3"),
    ],
)
def test_decisions_that_cannot_be_taken(decisions: Any, message: str) -> None:
    program, _ = run_of_choices()
    with pytest.raises(ProofError, match=message):
        from_fields({"run": {"decisions": decisions}}, program, 0, Budget())


THREE = """class Main { static int x;
activate static void main() { async work(); async rest(); x = 3; }
static void work() { x = 1; }
static void rest() { x = 2; x = 4; } };
"""


def test_each_thread_moves_while_it_has_not_ended() -> None:
    program = knaster.parse(THREE, file="a.zing")

    def read(*decisions: Any) -> list[int]:
        trace = from_fields({"run": {"decisions": [[1, [0, 0]], *decisions]}}, program, 0, Budget())
        return [segment.thread for segment in trace.segments]

    assert read([3, [0, 0]], [2, [0]]) == [1, 3, 2]
    for ended, decisions in ((2, ([2, [0, 0]], [2, []])), (3, ([3, [0, 0, 0]], [3, []]))):
        with pytest.raises(ProofError, match=f"there is no thread {ended}"):
            read(*decisions)
    for ended, turn in ((2, [2, [0, 0, 0]]), (3, [3, [0, 0, 0, 0]])):
        with pytest.raises(ProofError, match=f"thread {ended} has ended"):
            read(turn)
