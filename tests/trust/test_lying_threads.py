"""Traces of threads that no schedule allows are refused, however right each thread is by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.runs.replay import replay
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.model import Concurrent, Location, Program
from knaster.program.state import State
from knaster.semantics.sequential import successors


def threads(*bodies: str) -> Program:
    mains = "".join(f"void main_{number}() begin {body} end\n" for number, body in enumerate(bodies, 1))
    return parse(f"decl g; init (!g);\n{mains}", "threads.bp")


def walk(program: Program, thread: int, state: State, count: int, begin: Location | None = None) -> Path:
    """Return so many steps of a thread, each along the last edge that can be taken."""
    procedure = program.procedure(f"main_{thread}")
    location, now, steps = begin or 0, state, []
    for _ in range(count):
        for edge in reversed([edge for edge in procedure.edges if edge.source == location]):
            after = [now] if isinstance(edge.action, Concurrent) else list(successors(procedure, edge, now))
            if after:
                steps.append(Step(edge, after[0]))
                location, now = edge.target, after[0]
                break
        else:
            raise AssertionError(f"no step from location {location}")
    return Path(procedure.name, state, tuple(steps), begin)


def trace_of(program: Program, *pieces: tuple[int, int]) -> tuple[Trace, Target]:
    """Return the trace in which threads take so many steps each, one after the other, and where it ends."""
    state: State = {"g": False}
    where: dict[int, Location | None] = {}
    segments = []
    for thread, count in pieces:
        path = walk(program, thread, state, count, where.get(thread))
        where[thread] = path.steps[-1].edge.target if path.steps else where.get(thread, 0)
        state = path.end
        segments.append(Segment(thread, (path,)))
    location = where[pieces[-1][0]] or 0
    return Trace(tuple(segments), location), Target("T", f"main_{pieces[-1][0]}", location, 1)


def refused(program: Program, message: str, *pieces: tuple[int, int]) -> None:
    trace, target = trace_of(program, *pieces)
    with pytest.raises(InternalError, match=message):
        replay(program, trace, target)


def test_a_trace_that_a_schedule_allows() -> None:
    program = threads("g := T; g := F;", "assume(g); skip;")
    trace, target = trace_of(program, (1, 1), (2, 1), (1, 1))
    replay(program, trace, target)
    assert trace.switches == 2


def test_a_switch_inside_a_section() -> None:
    program = threads("atomic_begin; g := T; g := F; atomic_end;", "assume(g); skip;")
    refused(program, "inside a section", (1, 2), (2, 1))


def test_a_switch_while_the_lock_is_held() -> None:
    program = replace(threads("g := T; g := F;", "assume(g); skip;"), atomic="g")
    refused(program, "'g' is 1 when thread 2 runs", (1, 1), (2, 1))


def test_a_run_after_a_failed_assertion() -> None:
    refused(threads("assert(F);", "skip; skip;"), "after an assertion has failed", (1, 1), (2, 1))


def test_a_thread_that_has_ended() -> None:
    refused(threads("g := T;", "skip; skip;"), "runs although it has ended", (1, 1), (2, 1), (1, 0))
    refused(threads("end_thread; skip;", "skip; skip;"), "runs although it has ended", (1, 1), (2, 1), (1, 0))
    refused(threads("end_thread; skip;", "skip;"), "ends where its thread has ended", (1, 1))


def test_a_thread_that_is_interrupted_by_itself() -> None:
    refused(threads("skip; skip;", "skip;"), "in a segment of its own", (1, 1), (1, 1))


def test_a_thread_that_is_not_there() -> None:
    program = threads("skip;", "skip;")
    trace, target = trace_of(program, (1, 1))
    for number in (0, 3, -1):
        with pytest.raises(InternalError, match="there is no thread"):
            replay(program, Trace((Segment(number, trace.paths),), trace.location), target)


STARTING = parse(
    "decl g; init (!g);\n"
    "void main() begin start_thread f(T); g := T; skip; end\n"
    "void f(p) begin assume(p); skip; end\n",
    "starting.bp",
)


def started(start: State, procedure: str = "f", resumed: State | None = None, at: Location | None = 1) -> Trace:
    """Return a trace in which main starts a thread, that one begins somewhere, and main goes on somewhere."""
    begins, assigns = STARTING.procedure("main").edges[:2]
    first = Path("main", {"g": False}, (Step(begins, {"g": False}),))
    again = {"g": False} if resumed is None else resumed
    last = Path("main", again, (Step(assigns, {"g": True}),), at)
    return Trace((Segment(1, (first,)), Segment(2, (Path(procedure, start, ()),)), Segment(1, (last,))), 2)


TARGET = Target("T", "main", 2, 2)


def test_a_thread_that_is_started() -> None:
    replay(STARTING, started({"g": False, "p": True}), TARGET)


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        (started({"g": False}, "main"), "a thread is started in 'f', it begins in 'main'"),
        (started({"g": False, "p": False}), "a started thread cannot begin in g=0 p=0"),
        (started({"g": True, "p": True}), "a started thread cannot begin in g=1 p=1"),
        (started({"g": False, "p": True}, resumed={"g": True}), "not how it was left"),
        (started({"g": False, "p": True}, at=0), "a thread waits at location 1 of 'main'"),
    ],
)
def test_a_thread_that_begins_or_goes_on_wrongly(trace: Trace, message: str) -> None:
    with pytest.raises(InternalError, match=message):
        replay(STARTING, trace, TARGET)
