"""The replay of a deadlock: where a run ends no thread moves, and each is told why."""

from __future__ import annotations

import pytest

from knaster.base.errors import InternalError
from knaster.checkers.runs.replay_deadlock import check_stuck, reasons_to_stand
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.model import Program

DEADLOCK = Target("deadlock", "", 0, 0, "deadlock")
OFF = {"g": False}


def threads(*bodies: str) -> Program:
    mains = "".join(f"void main_{number}() begin {body} end\n" for number, body in enumerate(bodies, 1))
    return parse(f"decl g; init (!g);\n{mains}", "threads.bp")


def run(program: Program, *pieces: tuple[str, int, dict[str, bool]]) -> Trace:
    """Return the run in which threads take so many edges of a procedure each, in a state that nothing changes."""
    segments = []
    for number, (name, count, state) in enumerate(pieces, start=1):
        steps = tuple(Step(edge, state) for edge in program.procedure(name).edges[:count])
        segments.append(Segment(number, (Path(name, state, steps),)))
    return Trace(tuple(segments), pieces[-1][1])


def refused(program: Program, trace: Trace, message: str, target: Target = DEADLOCK) -> None:
    with pytest.raises(InternalError, match=message):
        check_stuck(program, trace, target)


def test_each_thread_waits_in_its_own_way() -> None:
    program = threads("skip;", "skip;\nassume(g);", "\n\natomic_begin; assume(g); atomic_end;", "\nenforce(g);")
    trace = run(program, ("main_1", 1, OFF), ("main_2", 1, OFF))
    failure = check_stuck(program, trace, DEADLOCK)
    assert (failure.kind, failure.procedure, failure.line, failure.thread) == ("deadlock", "main_2", 4, 2)
    assert reasons_to_stand(program, trace) == [
        "thread 1 has ended",
        "thread 2 waits in main_2 at line 4: its condition does not hold",
        "thread 3 waits in main_3 at line 7: there is no way through the section",
        "thread 4 waits in main_4 at line 8: it cannot return",
    ]


def test_the_first_thread_that_has_not_ended_is_told() -> None:
    program = threads("assume(g);", "assume(g);", "skip;")
    first = run(program, ("main_1", 0, OFF))
    assert check_stuck_or_why(program, first) == "thread 3 can still move where the trace ends"
    program = threads("assume(g);", "assume(g);")
    failure = check_stuck(program, run(program, ("main_1", 0, OFF)), DEADLOCK)
    assert (failure.procedure, failure.thread) == ("main_1", 1)


def check_stuck_or_why(program: Program, trace: Trace) -> str:
    try:
        check_stuck(program, trace, DEADLOCK)
    except InternalError as refusal:
        return str(refusal)
    return ""


def test_nobody_is_left() -> None:
    program = threads("skip;", "skip;")
    refused(program, run(program, ("main_1", 1, OFF), ("main_2", 1, OFF)), "all threads have ended")


def test_no_other_thread_may_run() -> None:
    program = threads("atomic_begin; assume(g); atomic_end;", "assume(g);")
    refused(program, run(program, ("main_1", 1, OFF)), "no other thread may run")
    failed = threads("assert(F);", "assume(g);")
    wrong = next(
        edge for edge in failed.procedure("main_1").edges if edge.target in failed.procedure("main_1").failures
    )
    trace = Trace((Segment(1, (Path("main_1", OFF, (Step(wrong, OFF),)),)),), wrong.target)
    refused(failed, trace, "no other thread may run")


def test_another_kind_of_failure() -> None:
    program = threads("assume(g);", "assume(g);")
    refused(program, run(program, ("main_1", 0, OFF)), "ends in 'overflow'", Target("o", "", 0, 0, "overflow"))


STARTING = """decl g; init (!g);
void main() begin decl x; x := F; start_thread f({argument}); start_thread goto L; end_thread; L: assume(x); end
void f(p) begin
  assume(p{condition}); end
"""


def starting(argument: str, condition: str = "") -> tuple[Program, Trace]:
    program = parse(STARTING.format(argument=argument, condition=condition), "starting.bp")
    main = program.procedure("main")
    state = {"g": False, "x": False}
    steps: list[Step] = []
    location = main.entry
    while location != main.exit and len(steps) < 4:
        edge = main.leaving[location][0]
        steps.append(Step(edge, state))
        location = edge.target
    return program, Trace((Segment(1, (Path("main", state, tuple(steps)),)),), location)


def test_threads_that_were_started_and_have_not_run() -> None:
    program, trace = starting("F")
    failure = check_stuck(program, trace, DEADLOCK)
    assert (failure.procedure, failure.line, failure.thread) == ("f", 4, 2)
    assert reasons_to_stand(program, trace) == [
        "thread 1 has ended",
        "thread 2 waits in f at line 4: its condition does not hold",
        "thread 3 waits in main at line 2: its condition does not hold",
    ]


def test_a_started_thread_that_can_move() -> None:
    program, trace = starting("T")
    refused(program, trace, "thread 2 can still move")


def test_a_started_thread_with_an_open_argument_may_stand() -> None:
    """Its argument may be the one with which it cannot move."""
    program, trace = starting("*")
    assert check_stuck(program, trace, DEADLOCK).thread == 2
    moving = starting("*", " | !p")
    refused(*moving, "thread 2 can still move")


def test_the_second_of_three_threads_that_were_started() -> None:
    text = "decl g; init (!g);\nvoid main() begin start_thread a(); start_thread b(); start_thread c(); end\n"
    text += "".join(f"void {name}() begin assume(g); end\n" for name in "abc")
    program = parse(text, "three.bp")
    main = program.procedure("main")
    steps = tuple(Step(edge, OFF) for edge in main.edges)
    trace = Trace((Segment(1, (Path("main", OFF, steps),)),), main.exit)
    assert [line.split(" at ")[0] for line in reasons_to_stand(program, trace)] == [
        "thread 1 has ended",
        "thread 2 waits in a",
        "thread 3 waits in b",
        "thread 4 waits in c",
    ]


def test_a_section_inside_folded_calls_is_over_behind_them() -> None:
    """The second thread can move: it may, for nobody is inside a section."""
    calls = "void f() begin g1(); atomic_end; end\nvoid g1() begin atomic_begin; end\n"
    text = "decl g; init (!g);\nvoid main_1() begin f(); assume(g); end\nvoid main_2() begin skip; end\n"
    program = parse(text + calls, "nested.bp")

    def whole(name: str, inside: Path | None = None) -> Path:
        edges = program.procedure(name).edges
        return Path(name, OFF, tuple(Step(edge, OFF, inside if n == 0 else None) for n, edge in enumerate(edges)))

    first = whole("main_1", whole("f", whole("g1")))
    first = Path("main_1", OFF, first.steps[:1])
    refused(program, Trace((Segment(1, (first,)),), first.steps[0].edge.target), "thread 2 can still move")
