"""Waiting threads: a program that starts threads becomes one whose threads are all there and wait."""

from __future__ import annotations

import pytest

import knaster
from knaster.frontends.boolean import parse
from knaster.program.model import Assign, Assume, Call, Concurrent
from knaster.program.validate import validate
from knaster.transform.threads.waiting_threads import add_waiting_threads

TEXT = """decl g;
void main()
begin
  start_thread f(T);
  g := F;
end
void f(p)
begin
  if (p & !g) then
    R: skip;
  fi
end
"""
PROGRAM = parse(TEXT, "a.bp")


def test_a_program_that_starts_nobody_is_left_alone() -> None:
    alone = parse("void main() begin skip; end", "a.bp")
    made = add_waiting_threads(alone, 2)
    assert made.program is alone and made.named == {"main": ("main",)} and made.midway == frozenset()


def test_so_many_threads_wait() -> None:
    made = add_waiting_threads(PROGRAM, 2)
    assert made.program.threads == ("main", "started_thread0", "started_thread1")
    assert made.program.globals == ("g", "started0", "value0_0", "started1", "value1_0")
    assert validate(made.program) == []
    actions = [edge.action for procedure in made.program.procedures for edge in procedure.edges]
    assert not any(isinstance(action, Concurrent) for action in actions)


def test_a_start_is_forgotten_or_kept_in_order() -> None:
    made = add_waiting_threads(PROGRAM, 2)
    first = [edge.action for edge in made.program.procedure("main").leaving[0]]
    assert isinstance(first[0], Assume)
    kept = [action.targets for action in first[1:] if isinstance(action, Assign)]
    assert kept == [("started0", "value0_0"), ("started1", "value1_0")]
    last = first[2]
    assert isinstance(last, Assign) and "started0" in str(last.constraint) and "started1" in str(last.constraint)


def test_a_waiting_thread_calls_what_was_started() -> None:
    made = add_waiting_threads(PROGRAM, 1)
    calls = [edge.action for edge in made.program.procedure("started_thread0").edges]
    assert [action.procedure for action in calls if isinstance(action, Call)] == ["f"]
    assert made.named["f"] == ("f",)


@pytest.mark.parametrize(("number", "verdict"), [(0, "TRUE"), (1, "FALSE")])
def test_as_many_as_wait_can_run(number: int, verdict: str) -> None:
    """The started thread reaches R only where one is there to be started."""
    made = add_waiting_threads(PROGRAM, number)
    assert knaster.check(made.program, "R", switches=2).verdict.value in (verdict, "UNKNOWN")
    assert (knaster.check(made.program, "R", switches=2).verdict.value == "FALSE") is (verdict == "FALSE")
