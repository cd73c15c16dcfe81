"""Sequentialization: the sequential program reaches what the threads reach within the bound, and not more."""

from __future__ import annotations

from dataclasses import replace

import pytest

import knaster
from knaster.base.errors import InternalError, UsageError
from knaster.evidence.answers.answer import Reachable
from knaster.evidence.questions.question import Bound, Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.boolean import parse
from knaster.program.expression import Not, Var
from knaster.program.model import Program
from knaster.program.validate import validate
from knaster.transform.reduction import Effect
from knaster.transform.threads.sequentialize import sequentialize

PING = """decl turn;
void one()
begin
  turn := T;
  assume(!turn);
  R: skip;
end
void two()
begin
  assume(turn);
  turn := F;
end
"""
ATOMIC = """decl g;
void one()
begin
  atomic_begin;
  g := T;
  g := F;
  atomic_end;
end
void two()
begin
  if (g) then
    R: skip;
  fi
end
"""


def threads(text: str) -> Program:
    return replace(parse(text, "a.bp"), threads=("one", "two"), init=Not(Var("g" if "decl g;" in text else "turn")))


def run(program: Program, bound: Bound) -> list[tuple[int, str]] | None:
    """Return the steps of the threads to R, each with who takes it; None where it is not reached."""
    made = sequentialize(program, Reach(resolve_targets(program, "R"), bound=bound))
    assert made.effect is Effect.UNDER and validate(made.program) == [] and not made.program.is_threaded
    ((target, answer),) = knaster.check(made.program, tuple(made.targets)).answers
    if not isinstance(answer, Reachable):
        return None
    assert answer.trace is not None
    asked, trace = made.back(target, answer.trace)
    assert asked.name == "R"
    return [(visit.thread, visit.procedure) for visit in trace]


@pytest.mark.parametrize(("switches", "reached"), [(0, False), (1, False), (2, True), (3, True)])
def test_switches(switches: int, reached: bool) -> None:
    """One sets the turn, two takes it back, one goes on: that takes two switches."""
    assert (run(threads(PING), Bound("switches", switches)) is not None) is reached


@pytest.mark.parametrize(("rounds", "reached"), [(1, False), (2, True)])
def test_rounds(rounds: int, reached: bool) -> None:
    assert (run(threads(PING), Bound("rounds", rounds)) is not None) is reached


def test_nobody_sees_inside_a_section() -> None:
    assert run(threads(ATOMIC), Bound("switches", 3)) is None
    assert run(threads(ATOMIC.replace("atomic_begin;", "skip;").replace("atomic_end;", "skip;")), Bound("switches", 1))


def test_the_way_back_is_in_the_order_of_the_threads() -> None:
    steps = run(threads(PING), Bound("switches", 2))
    assert steps is not None
    order = [thread for index, (thread, _) in enumerate(steps) if not index or steps[index - 1][0] != thread]
    assert order == [1, 2, 1] and {name for _, name in steps} == {"one", "two"}


def test_what_cannot_be_reduced() -> None:
    program = threads(PING)
    with pytest.raises(InternalError, match="within a bound"):
        sequentialize(program, Reach(resolve_targets(program, "R")))
    starting = parse("void main() begin start_thread f(); end\nvoid f() begin R: skip; end\n", "a.bp")
    with pytest.raises(UsageError, match="--switches"):
        sequentialize(starting, Reach(resolve_targets(starting, "R"), bound=Bound("rounds", 1)))
