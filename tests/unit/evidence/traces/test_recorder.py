"""What is told to a recorder move by move comes out as a trace: every move in order, and the interpreter agrees."""

from __future__ import annotations

import ast
import pickle
from random import Random

import pytest

from knaster.checkers.runs.replay import replay
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.recorder import PathRecorder, Recorder, SegmentRecorder
from knaster.evidence.traces.trace import Trace, Visit
from knaster.frontends.languages import load
from knaster.program.expression import TRUE
from knaster.program.model import Assume, Call, Concurrent, Edge, Program, ThreadOperation
from knaster.semantics.threads import Configuration, Threads
from support import ROOT
from support.generators.boolean_programs import SMALL, random_program
from support.generators.threaded_programs import Crowd, threaded_text

CROWDS = [Crowd(), Crowd(starts=0.3, copies=True), Crowd(starts=0.3, sections=0.3), Crowd(enforces=0.5, calls=0.6)]
SOURCE = ROOT / "src" / "knaster"


def walk(rng: Random, program: Program, moves: int) -> tuple[Trace, list[Visit]] | None:
    """Return a random run as the recorder tells it, and the edges that it took; None where there is no start."""
    threads, recorder = Threads(program), Recorder(program)
    starts = list(threads.starts())
    if not starts:
        return None
    here, taken = rng.choice(starts), list[Visit]()
    recorder.run(here.running + 1, threads.state(here))
    for _ in range(moves):
        steps: list[tuple[Edge | None, Configuration]] = list(threads.steps(here))
        switches = list(threads.switches(here))
        if switches and (not steps or rng.random() < 0.2):
            here = rng.choice(switches)
            recorder.run(here.running + 1, threads.state(here))
            continue
        if not steps:
            break
        edge, after = rng.choice(steps)
        if edge is None:
            recorder.come_back(threads.state(after))
        else:
            procedure, depth = here.stacks[here.running][-1].procedure, len(here.stacks[here.running]) - 1
            taken.append(Visit(here.running + 1, depth, procedure, threads.state(here), edge))
            if isinstance(edge.action, Call):
                recorder.call(edge, edge.action.procedure, threads.state(after))
            else:
                recorder.step(edge, threads.state(after if after.stacks[after.running] else here))
        here = after
    return recorder.trace(), taken


@pytest.mark.parametrize("crowd", range(len(CROWDS)))
def test_a_random_run_of_threads_is_told_completely_and_replays(crowd: int) -> None:
    for seed in range(60):
        rng = Random(f"recorder {crowd} {seed}")
        program = load(threaded_text(rng, CROWDS[crowd]))
        check_walk(rng, program)


def test_a_random_sequential_run_is_told_completely_and_replays() -> None:
    rng = Random(5)
    for _ in range(150):
        check_walk(rng, random_program(rng, SMALL))


def check_walk(rng: Random, program: Program) -> None:
    found = walk(rng, program, rng.randint(0, 40))
    if found is None:
        return
    trace, taken = found
    assert [(v.thread, v.depth, v.procedure, dict(v.state), v.edge) for v in trace] == [
        (v.thread, v.depth, v.procedure, dict(v.state), v.edge) for v in taken
    ]
    assert trace.expanded_length == len(taken)
    if not taken or not _ends_thread(taken[-1].edge):
        replay(program, trace, Target("here", trace.procedure, trace.location, 1))


def _ends_thread(edge: Edge) -> bool:
    return isinstance(edge.action, Concurrent) and edge.action.operation is ThreadOperation.END


def call(edge: str) -> Edge:
    return Edge(0, Call(edge, ()), 1)


def step(source: int, target: int) -> Edge:
    return Edge(source, Assume(TRUE), target)


def test_a_call_that_returns_in_the_same_segment_is_one_step() -> None:
    segment = SegmentRecorder("main", {"a": 0})
    segment.call(call("f"), "f", {"a": 0, "x": 1}, (7,))
    segment.top.step(step(0, 1), {"a": 2, "x": 1})
    segment.come_back("main", 1, {"a": 2})
    (path,) = segment.paths()
    (only,) = path.steps
    assert only.inside is not None and only.inside.end == {"a": 2, "x": 1}
    assert (only.after, only.inputs) == ({"a": 2}, (7,))


def test_a_call_that_was_made_in_an_earlier_segment_is_left_in_a_path_of_its_own() -> None:
    segment = SegmentRecorder("f", {"a": 0}, 3)
    segment.come_back("main", 1, {"a": 5})
    segment.top.step(step(1, 2), {"a": 6})
    assert [(path.procedure, path.begin, len(path.steps)) for path in segment.paths()] == [("f", 3, 0), ("main", 1, 1)]


def test_a_part_of_a_path_begins_in_the_state_where_it_was_cut() -> None:
    recorder = PathRecorder("main", {"a": 0})
    for number in range(1, 5):
        recorder.step(step(number - 1, number), {"a": number})
    further = recorder.copy()
    further.step(step(4, 5), {"a": 5})
    part = recorder.part(1, 3, begin=1)
    assert (part.start, part.end, part.begin, len(part.steps)) == ({"a": 1}, {"a": 3}, 1, 2)
    assert (len(recorder.steps), len(further.steps)) == (4, 5)


def test_a_run_of_astronomical_length_is_recorded_and_kept() -> None:
    inside = PathRecorder("leaf", {}).path()
    for _ in range(800):
        recorder = PathRecorder("f", {})
        recorder.step(call("f"), {}, inside=inside)
        recorder.step(call("f"), {}, inside=inside)
        inside = recorder.path()
    trace = Trace.sequential((inside,), 1)
    assert trace.expanded_length == 2**801 - 2
    again = pickle.loads(pickle.dumps(trace))
    assert again.expanded_length == trace.expanded_length and len(list(trace.visits(10))) == 10


def test_nobody_else_makes_steps() -> None:
    """A trace is built by the recorder; who needs one tells it moves, or composes paths by it."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent == SOURCE / "evidence" / "traces":
            continue
        text = path.read_text("utf-8")
        if "knaster.evidence.traces.trace import" not in text:
            continue
        tree = ast.parse(text)
        names = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "knaster.evidence.traces.trace"
            for alias in node.names
            if alias.name in ("Step", "Segment")
        }
        made = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        assert not names & made, f"{path.relative_to(ROOT)} makes steps of a trace by itself"
