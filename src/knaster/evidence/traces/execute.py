"""Execution: from a state, edges and inputs, the recorded run on values, or the edge that blocks it.

An edge *blocks* where the semantics gives it no outcome: its condition is false, its value undefined, an input missing
or left over.  Locals of a callee begin with the default of their type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from knaster.base.records import dataclass
from knaster.evidence.traces.recorder import PathRecorder, SegmentRecorder
from knaster.evidence.traces.trace import Path
from knaster.program.evaluate import evaluate
from knaster.program.model import Call, Edge, Location, Program
from knaster.program.state import NoInput, State, Undefined
from knaster.program.types import Value, default
from knaster.semantics.sequential import can_hold, state_after_return, successor

Inputs = tuple[Value, ...]  # the values of the choices of an edge, in order


@dataclass(frozen=True, slots=True)
class Blocked:
    """The edge that cannot be taken, and its position among those that were to be."""

    edge: Edge
    position: int


def execute(
    program: Program,
    procedure: str,
    start: State,
    edges: Iterable[Edge],
    inputs: Callable[[int], Inputs] = lambda _: (),
    begin: Location | None = None,
) -> tuple[Path, ...] | Blocked:
    """Return the paths of a run along edges, or the first one that blocks; `inputs` are those of a position.

    A callee that comes to its exit returns at once, so there is one path unless the run ends inside a call.
    """
    segment = SegmentRecorder(procedure, start, begin)
    for position, edge in enumerate(edges):
        if isinstance(edge.action, Call):
            passes = _enter(program, segment, edge, inputs(position))
        else:
            passes = take(program, segment.top, edge, inputs(position))
        if not passes or not _leave(program, segment):
            return Blocked(edge, position)
    return segment.paths()


def take(program: Program, recorder: PathRecorder, edge: Edge, inputs: Inputs = ()) -> bool:
    """Take an edge that is no call; tell whether that is possible."""
    after = successor(program.procedure(recorder.procedure), edge, recorder.state, inputs)
    if after is None:
        return False
    recorder.step(edge, after, inputs)
    return True


def pass_over(program: Program, recorder: PathRecorder, edge: Edge, inside: Path, inputs: Inputs = ()) -> bool:
    """Take a call whose run is known as one step; tell whether the caller can go on after it."""
    after = _after_return(program, recorder.procedure, edge, recorder.state, inside.procedure, inside.end)
    if after is None:
        return False
    recorder.step(edge, after, inputs, inside)
    return True


def entry_state(program: Program, call: Call, state: State, inputs: Inputs = ()) -> State | None:
    """Return the state in which a callee begins when it is called in a state; None where it cannot."""
    callee, rest = program.procedure(call.procedure), iter(inputs)
    start = {name: default(type) for name, type in program.types_in(callee).items()}
    start.update((name, state[name]) for name in program.globals)
    try:
        passed = [evaluate(argument, state, rest) for argument in call.arguments]
    except (Undefined, NoInput):
        return None
    start.update(zip(callee.parameters, passed, strict=True))
    return start if can_hold(callee.enforce, start) and not tuple(rest) else None


def _enter(program: Program, segment: SegmentRecorder, edge: Edge, inputs: Inputs) -> bool:
    assert isinstance(edge.action, Call)
    start = entry_state(program, edge.action, segment.top.state, inputs)
    if start is None:
        return False
    segment.call(edge, edge.action.procedure, start, inputs)
    return True


def _leave(program: Program, segment: SegmentRecorder) -> bool:
    """Leave the callees that stand at their exit; tell whether their callers can go on."""
    while len(segment.growing) > 1:
        caller, callee = segment.growing[-2:]
        location = callee.steps[-1].edge.target if callee.steps else program.procedure(callee.procedure).entry
        if location != program.procedure(callee.procedure).exit:
            break
        edge = caller.steps[-1].edge
        after = _after_return(program, caller.procedure, edge, caller.state, callee.procedure, callee.state)
        if after is None:
            return False
        segment.come_back(caller.procedure, edge.target, after)
    return True


def _after_return(program: Program, caller: str, edge: Edge, before: State, callee: str, end: State) -> State | None:
    assert isinstance(edge.action, Call)
    procedures = program.procedure(caller), program.procedure(callee)
    return state_after_return(program, *procedures, edge.action, before, end)
