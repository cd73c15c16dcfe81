"""The replay of threads: where a thread begins, calls that a switch interrupts, and returns that are not folded."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.runs.replay import replay
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.model import Program
from knaster.program.state import State

OFF: State = {"g": False}
ON: State = {"g": True}


def refused(program: Program, trace: Trace, target: Target, message: str) -> None:
    with pytest.raises(InternalError, match=message):
        replay(program, trace, target)


@pytest.mark.parametrize(("state", "holds"), [(OFF, False), (ON, True)])
def test_a_thread_begins_with_the_shared_variables_as_they_are_and_what_it_enforces(state: State, holds: bool) -> None:
    program = parse(
        "decl g; init (!g);\nvoid main_1() begin g := *; skip; end\nvoid main_2() begin enforce(g); skip; end\n"
    )
    write = program.procedure("main_1").edges[0]
    skip = program.procedure("main_2").edges[0]
    target = Target("T", "main_2", skip.target, 1)

    def trace(left: State, begun: State) -> Trace:
        first = Segment(1, (Path("main_1", OFF, (Step(write, left),)),))
        return Trace((first, Segment(2, (Path("main_2", begun, (Step(skip, begun),)),))), skip.target)

    if holds:
        replay(program, trace(state, state), target)
    else:
        refused(program, trace(state, state), target, "starts in no initial state")
    other = ON if state is OFF else OFF
    refused(program, trace(state, other), target, "starts in no initial state")


RETURNS = parse(
    "decl g; init (!g);\n"
    "void main_1() begin decl x; x := F; x := f(); skip; end\n"
    "void main_2() begin skip; skip; end\n"
    "bool f() begin enforce(!g); return T; end\n"
)


def unfolded(after: State, back: str = "main_1", begin: int | None = None, entered: State | None = None) -> Trace:
    """Return a trace in which thread 1 is interrupted inside a call that returns later."""
    assign, call, skip = RETURNS.procedure("main_1").edges
    leave = RETURNS.procedure("f").edges[0]
    start: State = {"g": False, "x": False}
    inner: State = {"g": False, "@0": False}
    first = (Path("main_1", start, (Step(assign, start), Step(call, start))), Path("f", entered or inner, ()))
    other = Path("main_2", OFF, (Step(RETURNS.procedure("main_2").edges[0], OFF),))
    resumed = Path("f", inner, (Step(leave, {"g": False, "@0": True}),), RETURNS.procedure("f").entry)
    caller = Path(back, after, (Step(skip, after),), call.target if begin is None else begin)
    return Trace((Segment(1, first), Segment(2, (other,)), Segment(1, (resumed, caller))), skip.target)


END = Target("T", "main_1", RETURNS.procedure("main_1").edges[2].target, 1)


def test_a_call_that_is_interrupted_and_returns() -> None:
    replay(RETURNS, unfolded({"g": False, "x": True}), END)


def test_a_return_into_another_state() -> None:
    refused(RETURNS, unfolded({"g": False, "x": False}), END, "returns into g=0 x=1, the trace says g=0 x=0")
    refused(RETURNS, unfolded({"g": True, "x": True}), END, "returns into g=0 x=1, the trace says g=1 x=1")


def test_a_return_to_another_place() -> None:
    refused(RETURNS, unfolded({"g": False, "x": True}, begin=0), END, "returns to 'main_1', not to 'main_1'")
    refused(RETURNS, unfolded(OFF, back="main_2"), END, "returns to 'main_1', not to 'main_2'")


def test_a_return_that_nobody_waits_for() -> None:
    program = parse("decl g; init (!g);\nvoid main_1() begin skip; end\nvoid main_2() begin skip; end\n")
    skip = program.procedure("main_1").edges[0]
    again = Path("main_1", OFF, (), skip.target)
    trace = Trace((Segment(1, (Path("main_1", OFF, (Step(skip, OFF),)), again)),), skip.target)
    refused(program, trace, Target("T", "main_1", skip.target, 1), "returns, but nobody has called it")


def test_a_return_that_the_caller_does_not_allow() -> None:
    program = parse(
        "decl g; init (!g);\nvoid main_1() begin enforce(!g); f(); skip; end\nvoid main_2() begin skip; end\n"
        "void f() begin g := T; end\n"
    )
    call, skip = program.procedure("main_1").edges
    write = program.procedure("f").edges[0]
    paths = (
        Path("main_1", OFF, (Step(call, OFF),)),
        Path("f", OFF, (Step(write, ON),)),
        Path("main_1", ON, (Step(skip, ON),), call.target),
    )
    trace = Trace((Segment(1, paths),), skip.target)
    refused(program, trace, Target("T", "main_1", skip.target, 1), "'f' returns into no state, the trace says g=1")


STARTS = parse(
    "decl g; init (!g);\n"
    "void main() begin decl l; l := T; start_thread f(l); g := l; start_thread goto L; end_thread; L: skip; end\n"
    "void f(p) begin enforce(g); R: skip; end\n"
)


def started(
    thread: int = 2, begins: State | None = None, name: str = "f", begin: int | None = None, globals: State = ON
) -> Trace:
    """Return a trace in which a thread starts others and one of these takes a step."""
    edges = STARTS.procedure("main").edges
    low: State = {"g": False, "l": False}
    high: State = {"g": False, "l": True}
    late: State = {**globals, "l": True}
    steps = [Step(edge, after) for edge, after in zip(edges, (high, high, late, late), strict=False)]
    first = Segment(1, (Path("main", low, tuple(steps)),))
    procedure = STARTS.procedure(name)
    begins = {"g": True, "p": True} if begins is None else begins
    (edge, *_) = procedure.leaving[procedure.entry if begin is None else begin]
    return Trace((first, Segment(thread, (Path(name, begins, (Step(edge, begins),), begin),))), edge.target)


def at_end(trace: Trace) -> Target:
    return Target("T", trace.segments[-1].paths[-1].procedure, trace.location, 1)


def test_threads_that_others_start() -> None:
    first = started()
    replay(STARTS, first, at_end(first))
    inside = STARTS.procedure("main").labels[0][1]
    second = started(3, {"g": True, "l": True}, "main", inside)
    replay(STARTS, second, at_end(second))


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        (started(0), "there is no thread 0"),
        (started(4), "there is no thread 4"),
        (started(3), "it begins in 'f'"),
        (started(begins={"g": True, "p": False}), "cannot begin in"),
        (started(begins={"g": False, "p": True}), "cannot begin in"),
        (started(begin=0), "a thread is started in 'f'"),
        (started(3, {"g": True, "l": False}, "main", STARTS.procedure("main").labels[0][1]), "cannot begin in"),
        (started(3, {"g": False, "l": True}, "main", STARTS.procedure("main").labels[0][1]), "cannot begin in"),
    ],
)
def test_a_started_thread_that_begins_otherwise(trace: Trace, message: str) -> None:
    refused(STARTS, trace, at_end(trace), message)


def test_a_started_thread_keeps_what_it_enforces() -> None:
    program = parse(STARTS.source.replace("g := l", "g := !l"))
    edges = program.procedure("main").edges
    low, high = {"g": False, "l": False}, {"g": False, "l": True}
    steps = [Step(edge, after) for edge, after in zip(edges, (high, high, high, high), strict=False)]
    own = program.procedure("f")
    begins = {"g": False, "p": True}
    (edge, *_) = own.leaving[own.entry]
    second = Segment(2, (Path("f", begins, (Step(edge, begins),)),))
    trace = Trace((Segment(1, (Path("main", low, tuple(steps)),)), second), edge.target)
    assert low
    refused(program, trace, at_end(trace), "cannot begin in")


def test_a_trace_that_ends_where_its_thread_has_ended() -> None:
    program = parse("decl g; init (!g);\nvoid main_1() begin end_thread; end\nvoid main_2() begin skip; end\n")
    (edge, *_) = program.procedure("main_1").edges
    trace = Trace((Segment(1, (Path("main_1", OFF, (Step(edge, OFF),)),)),), edge.target)
    with pytest.raises(InternalError):
        replay(program, trace, Target("T", "main_1", edge.target, 1))


def test_the_second_of_three_threads_that_were_started() -> None:
    text = "decl g; init (!g);\nvoid main() begin start_thread f(T); start_thread f(F); start_thread f(T); end\n"
    program = parse(text + "void f(p) begin R: skip; end\n")
    steps = tuple(Step(edge, OFF) for edge in program.procedure("main").edges[:3])
    (edge, *_) = program.procedure("f").edges

    def trace(thread: int, passed: bool) -> Trace:
        state = {**OFF, "p": passed}
        second = Segment(thread, (Path("f", state, (Step(edge, state),)),))
        return Trace((Segment(1, (Path("main", OFF, steps),)), second), edge.target)

    for thread, passed in ((2, True), (3, False), (4, True)):
        replay(program, trace(thread, passed), at_end(trace(thread, passed)))
        refused(program, trace(thread, not passed), at_end(trace(thread, passed)), "cannot begin in")
