"""The replay of steps: thread statements, sections that calls open and end, and what is folded into a call."""

from __future__ import annotations

from typing import Any

import pytest

import knaster
from knaster.base.errors import InternalError
from knaster.checkers.runs.replay import replay
from knaster.checkers.runs.replay_steps import Paths, SharedSteps, check_finite, spell
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.frontends.boolean import parse
from knaster.program.model import Call, Program
from knaster.program.state import State
from knaster.program.types import default

OFF: State = {"g": False}
ON: State = {"g": True}


def threads(first: str, more: str = "", second: str = "skip; skip;") -> Program:
    text = f"decl g; init (!g);\nvoid main_1() begin {first} end\nvoid main_2() begin {second} end\n{more}"
    return parse(text, "threads.bp")


def whole(program: Program, name: str, inside: dict[int, Path] | None = None, state: State = OFF) -> Path:
    """Return the path along all edges of a procedure that has no branches, in a state that nothing changes."""
    procedure = program.procedure(name)
    steps = [Step(edge, state, (inside or {}).get(index)) for index, edge in enumerate(procedure.edges)]
    return Path(name, state, tuple(steps))


def then_main_2(program: Program, first: Path) -> Trace:
    """Return the trace in which the first thread does something, and the second one a step."""
    edge = program.procedure("main_2").edges[0]
    second = Path("main_2", first.end, (Step(edge, first.end),))
    return Trace((Segment(1, (first,)), Segment(2, (second,))), edge.target)


def at_main_2(program: Program) -> Target:
    return Target("T", "main_2", program.procedure("main_2").edges[0].target, 1)


def shorter(path: Path, count: int) -> Path:
    return Path(path.procedure, path.start, path.steps[:count])


def refused(program: Program, trace: Trace, message: str) -> None:
    with pytest.raises(InternalError, match=message):
        replay(program, trace, at_main_2(program))


@pytest.mark.parametrize(
    ("body", "inside"),
    [
        ("atomic_begin; skip;", True),
        ("atomic_begin; atomic_end;", False),
        ("atomic_end; atomic_begin;", True),
        ("skip;", False),
    ],
)
@pytest.mark.parametrize("nested", [False, True])
def test_a_section_that_a_folded_call_leaves_open(body: str, inside: bool, nested: bool) -> None:
    more = f"void f() begin {'h(); skip;' if nested else body} end\nvoid h() begin {body} end\n"
    program = threads("f(); skip; skip;", more)
    callee = whole(program, "f", {0: whole(program, "h")} if nested else None)
    trace = then_main_2(program, shorter(whole(program, "main_1", {0: callee}), 2))
    if inside:
        refused(program, trace, "thread 1 is inside a section when thread 2 runs")
    else:
        replay(program, trace, at_main_2(program))


def test_a_section_stays_open_over_a_call_that_says_nothing_of_it() -> None:
    program = threads("atomic_begin; f(); skip; skip;", "void f() begin skip; end\n")
    trace = then_main_2(program, shorter(whole(program, "main_1", {1: whole(program, "f")}), 2))
    refused(program, trace, "inside a section")


def test_a_section_that_is_ended_by_the_second_of_two_calls() -> None:
    more = "void f() begin atomic_begin; end\nvoid h() begin atomic_end; end\n"
    program = threads("f(); h(); skip; skip;", more)
    calls = {0: whole(program, "f"), 1: whole(program, "h")}
    path = whole(program, "main_1", calls)
    refused(program, then_main_2(program, shorter(path, 1)), "inside a section")
    replay(program, then_main_2(program, shorter(path, 2)), at_main_2(program))


@pytest.mark.parametrize("statement", ["atomic_begin", "atomic_end", "start_thread f()"])
def test_a_thread_statement_changes_no_variable(statement: str) -> None:
    program = threads(f"{statement}; atomic_end; skip;", "void f() begin skip; end\n")
    edges = program.procedure("main_1").edges
    changing = Path("main_1", OFF, (Step(edges[0], ON), Step(edges[1], ON)))
    refused(program, then_main_2(program, changing), "step 1 in 'main_1': a thread statement changes the state")
    deeper = Path("main_1", OFF, (Step(edges[0], OFF, whole(program, "f")), Step(edges[1], OFF)))
    refused(program, then_main_2(program, deeper), "a thread statement changes the state")


def test_a_thread_statement_in_a_folded_call_changes_no_variable() -> None:
    program = threads("f(); skip; skip;", "void f() begin atomic_begin; atomic_end; end\n")
    begin, end = program.procedure("f").edges
    inside = Path("f", OFF, (Step(begin, ON), Step(end, ON)))
    edge = program.procedure("main_1").edges[0]
    trace = then_main_2(program, Path("main_1", OFF, (Step(edge, ON, inside),)))
    refused(program, trace, "a thread statement changes the state")


def test_a_thread_statement_keeps_what_is_enforced() -> None:
    program = threads("f(); skip;", "void f() begin enforce(g); atomic_begin; atomic_end; end\n")
    refused(program, then_main_2(program, whole(program, "main_1", {0: whole(program, "f")})), "does not call 'f'")
    schedule = Paths(program)
    procedure = program.procedure("f")
    with pytest.raises(InternalError, match="violates what 'f' enforces"):
        schedule.check_concurrent(procedure, Step(procedure.edges[0], OFF), OFF, "here", False)
    ends = threads("f(); skip;", "void f() begin enforce(g); end_thread; end\n")
    leaving = ends.procedure("f")
    Paths(ends).check_concurrent(leaving, Step(leaving.edges[0], OFF), OFF, "here", False)  # it is over


@pytest.mark.parametrize("statement", ["start_thread f()", "end_thread"])
def test_threads_are_not_started_or_ended_inside_a_folded_call(statement: str) -> None:
    more = f"void f() begin skip; end\nvoid h() begin {statement}; end\n"
    program = threads("h(); skip; skip;", more)
    trace = then_main_2(program, shorter(whole(program, "main_1", {0: whole(program, "h")}), 1))
    refused(program, trace, "inside a call that is one step")


def test_nothing_follows_the_end_of_a_thread() -> None:
    program = threads("end_thread; skip;")
    refused(program, then_main_2(program, whole(program, "main_1")), "step 2 in 'main_1': thread 1 has ended")
    replay(program, then_main_2(program, shorter(whole(program, "main_1"), 1)), at_main_2(program))


def test_steps_are_named_by_their_number() -> None:
    program = threads("skip; f(); skip;", "void f() begin skip; end\n")
    first, call, _ = program.procedure("main_1").edges
    entering = Path("main_1", OFF, (Step(first, OFF), Step(call, ON)))
    trace = Trace((Segment(1, (entering, Path("f", OFF, ()))),), 0)
    refused(program, trace, "step 2 in 'main_1': the call that is entered changes its caller's state")


def test_states_in_one_line() -> None:
    assert spell({"g": True, "n": 7, "h": False}) == "g=1 n=7 h=0" and spell({}) == "the empty state"


def test_values_have_the_type_of_their_variable_exactly() -> None:
    """A number is no truth value, although they are equal, nor the other way round."""
    truths = parse("decl g; init(g); void main() begin L: skip; end\n", "a.bp")
    numbers = knaster.parse("int x = 1; int main(void) { L: return x; }", file="a.c")
    for program, name, right in ((truths, "g", True), (numbers, "x", 1)):
        main = program.procedure("main")
        state = {each: default(kind) for each, kind in program.types_in(main).items()} | {name: right}
        paths = Paths(program)
        assert paths.start_of(Path("main", state, ())) is main
        values: tuple[Any, ...] = (1 if right is True else True, "1")
        everywhere = dict.fromkeys(state, values[0])
        for wrong in (everywhere, *({**state, name: value} for value in values)):
            for again in (paths, Paths(program)):
                with pytest.raises(InternalError, match="is no value of its type"):
                    again.start_of(Path("main", wrong, ()))


def test_a_path_that_is_inside_itself() -> None:
    program = threads("f();", "void f() begin f(); end\n")
    (edge,) = [edge for edge in program.procedure("f").edges if isinstance(edge.action, Call)]
    path = Path("f", OFF, ())
    object.__setattr__(path, "steps", (Step(edge, OFF, path),))
    with pytest.raises(InternalError, match="a run of 'f' is inside itself"):
        check_finite(Trace.sequential((path,), 0))


def test_a_step_that_was_right_is_right_again_only_from_the_same_state_in_the_same_procedure() -> None:
    program = parse("decl g; void main() begin g := !g; L: g := !g; end void f() begin g := !g; g := !g; end")
    main, other = program.procedures
    target = Target("L", "main", 1, 1)
    start, step = dict(OFF), Step(main.edges[0], dict(ON))
    shared = SharedSteps(program)

    def run(paths: tuple[Path, ...]) -> None:
        replay(program, Trace.sequential(paths, 1), target, shared)

    run((Path("main", start, (step,)),))
    assert shared.has("main", start, step)
    assert not shared.has("f", start, step) and not shared.has("main", dict(OFF), step)
    run((Path("main", start, (step,)),))
    with pytest.raises(InternalError, match="does not lead to"):
        run((Path("main", dict(ON), (step,)),))
    with pytest.raises(InternalError, match="does not lead to"):
        run((Path("main", start, (Step(main.edges[0], dict(OFF)),)),))
    with pytest.raises(InternalError, match="the edge starts at location 0, control stands at 1"):
        run((Path("main", start, (step, step)),))
    with pytest.raises(InternalError):
        run((Path("main", start, (Step(other.edges[0], dict(ON)), Step(main.edges[1], dict(OFF)))),))
    assert Paths(parse("decl g; void main() begin skip; end"), shared).shared is None


def test_a_step_that_was_right_is_taken_again_only_where_control_stands() -> None:
    program = parse("decl g; void main() begin skip; L: skip; end")
    state, target, shared = dict(OFF), Target("L", "main", 1, 1), SharedSteps(program)
    step = Step(program.procedure("main").edges[0], state)
    once, twice = (Trace.sequential((Path("main", state, steps),), 1) for steps in ((step,), (step, step)))
    replay(program, once, target, shared)
    assert shared.has("main", state, step)
    with pytest.raises(InternalError, match="the edge starts at location 0, control stands at 1"):
        replay(program, twice, target, shared)
