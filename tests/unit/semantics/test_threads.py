"""The meaning of threads: who may run, what a section keeps others from, and where nobody can move."""

from __future__ import annotations

from dataclasses import replace

from knaster.frontends.boolean import parse
from knaster.program.expression import Not, Var
from knaster.semantics.threads import UNBEGUN, Configuration, Threads

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


def threads(text: str, keep: int | None = None) -> Threads:
    return Threads(parse(text, "a.bp"), keep)


def run(given: Threads, here: Configuration, steps: int) -> Configuration:
    """Take the first step of whoever runs, some times."""
    for _ in range(steps):
        here = next(after for _, after in given.steps(here))
    return here


def test_to_whom_one_may_switch() -> None:
    given = threads("".join(f"void main_{n}() begin skip; end\n" for n in (1, 2, 3)))
    start = next(given.starts())
    assert [here.running for here in given.switches(start)] == [1, 2]
    second = next(given.switches(run(given, start, 1)))
    assert [here.running for here in given.switches(second)] == [2]  # the first has ended
    ended = threads("void main_1() begin end_thread; end\nvoid main_2() begin skip; end\n")
    here = run(ended, next(ended.starts()), 1)
    assert here.place is None and ended.may_switch(here) and [each.running for each in ended.switches(here)] == [1]


def test_nobody_is_stuck_in_a_section_nor_where_all_have_ended() -> None:
    given = threads("void main_1() begin atomic_begin; assume(F); end\nvoid main_2() begin assume(F); end\n")
    inside = run(given, next(given.starts()), 1)
    assert inside.section and not list(given.steps(inside)) and not given.is_stuck(inside)
    alone = threads("void main_1() begin skip; end\n")
    assert not alone.is_stuck(run(alone, next(alone.starts()), 1))


def test_the_way_back_keeps_all_that_is_below() -> None:
    text = "decl g;\nvoid main_1() begin decl x; f(T); end\nvoid f(a) begin h(); skip; end\nvoid h() begin skip; end\n"
    given = threads(text)
    here = run(given, next(given.starts()), 3)
    low, middle, _ = here.stacks[0]
    back = run(given, here, 1)
    assert back.stacks[0] == (low, middle._replace(location=middle.location + 1, calling=None)) and low.calling == 0


STARTS = """decl g;
void main_1() begin decl x; x := T; start_thread f(x, *); {more} end
void f(a, b) begin skip; end
void main_2() begin skip; end
"""


def test_threads_that_are_started() -> None:
    given = threads(STARTS.format(more=""))
    here = run(given, next(given.starts()), 1)
    found = {after.stacks[2] for _, after in given.steps(here)}
    assert {(own.procedure, own.location, own.frame) for (own,) in found} == {
        ("f", UNBEGUN, (True, False)),
        ("f", UNBEGUN, (True, True)),
    }


def test_threads_that_are_started_may_be_left_out() -> None:
    """Of those that are started some are kept: each may be one of them, as long as there are not so many."""
    for keep, counts in ((0, {2}), (1, {2, 3}), (2, {2, 3, 4})):
        given = threads(STARTS.format(more="start_thread f(F, F);"), keep)
        here = [run(given, next(given.starts()), 1)]
        for _ in range(2):
            here = [after for each in here for _, after in given.steps(each)]
        assert {len(each.stacks) for each in here} == counts


def test_a_thread_that_starts_at_a_label() -> None:
    given = threads("decl g;\nvoid main_1() begin decl x; x := T; start_thread goto L; skip; L: g := x; end\n")
    here = run(given, next(given.starts()), 2)
    ((own,), (made,)) = here.stacks
    (at,) = (location for label, location in given.procedures["main_1"].labels if label == "L")
    assert (made.procedure, made.location, made.frame) == ("main_1", at, own.frame) and own.location != at
