"""The meaning of threads: who may run, what a section keeps others from, and where nobody can move."""

from __future__ import annotations

from dataclasses import replace

from knaster.frontends.boolean import parse
from knaster.program.expression import Not, Var
from knaster.semantics.threads import Configuration, Threads

TEXT = """decl g;
void one()
begin
  atomic_begin;
  g := T;
  atomic_end;
end
void two()
begin
  assume(g);
end
"""
PROGRAM = replace(parse(TEXT, "a.bp"), threads=("one", "two"), init=Not(Var("g")))
THREADS = Threads(PROGRAM)


def start(running: int) -> Configuration:
    (found,) = [here for here in THREADS.starts() if here.running == running]
    return found


def after(here: Configuration) -> Configuration:
    ((_, there),) = THREADS.steps(here)
    return there


def test_any_thread_may_run_first() -> None:
    assert [(here.running, here.place) for here in THREADS.starts()] == [(0, ("one", 0)), (1, ("two", 0))]


def test_nobody_else_runs_inside_a_section() -> None:
    inside = after(start(0))
    assert inside.section and not THREADS.may_switch(inside) and list(THREADS.switches(inside)) == []
    ended = after(after(inside))
    assert not ended.section and ended.shared == (True,) and THREADS.has_ended(ended.stacks[0])
    assert [here.running for here in THREADS.switches(ended)] == [1]


def test_who_waits_and_who_is_stuck() -> None:
    waiting = start(1)
    assert list(THREADS.steps(waiting)) == [] and not THREADS.can_step(waiting)
    assert not THREADS.is_stuck(waiting)  # the other one can move
    alone = Threads(replace(PROGRAM, threads=("two",)))
    (here,) = alone.starts()
    assert alone.is_stuck(here)


def test_before_a_section_there_must_be_a_way_through() -> None:
    closed = Threads(replace(parse(TEXT.replace("g := T;", "assume(g & !g);"), "a.bp"), threads=("one",)))
    assert all(closed.is_stuck(here) for here in closed.starts())
