"""A way of the abstraction on values: the steps of the program that it consists of, with calls of plain procedures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from knaster.evidence.traces.trace import Path, Step
from knaster.program.evaluate import evaluate
from knaster.program.model import Call, Edge, Procedure, Program
from knaster.program.state import NoInput, State, Undefined
from knaster.program.types import Value, default
from knaster.semantics.sequential import state_after_return, successor
from knaster.views.steps.step import Way


@dataclass(slots=True)
class _Frame:
    """An activation on a way: the call that began it, None for the outermost one; where it began, and its steps."""

    procedure: Procedure
    start: State
    state: State
    edge: Edge | None = None
    read: tuple[Value, ...] = ()
    steps: list[Step] = field(default_factory=list)


def inputs_of(way: Way, chosen: Mapping[str, Value]) -> dict[str, Value]:
    """Return a value for every input of a way: the one that is fixed, the one that was chosen, or any."""
    found: dict[str, Value] = {}
    for entry in way.inputs:
        value = chosen.get(entry.name, default(entry.type)) if entry.value is None else entry.value
        found[entry.name] = value
    return found


def take(program: Program, way: Way, state: State, values: Mapping[str, Value]) -> list[Step] | None:
    """Return the steps of a way from a state, with values of its inputs; None where the program does otherwise."""
    frames = [_Frame(program.procedure(way.procedure), state, state)]
    for position, edge in enumerate(way.edges):
        top = frames[-1]
        read = tuple(values[entry.name] for entry in way.inputs if entry.edge == position)
        if isinstance(edge.action, Call):
            start = _entered(program, edge.action, top.state, iter(read))
            if start is None:
                return None
            frames.append(_Frame(program.procedure(edge.action.procedure), start, start, edge, read))
        else:
            after = successor(top.procedure, edge, top.state, read)
            if after is None:
                return None
            top.steps.append(Step(edge, after, None, read))
            top.state = after
        while len(frames) > 1 and _location(frames[-1]) == frames[-1].procedure.exit:
            if not _return(program, frames):
                return None
    return frames[0].steps


def _location(frame: _Frame) -> int:
    return frame.steps[-1].edge.target if frame.steps else frame.procedure.entry


def _entered(program: Program, call: Call, state: State, read: Iterator[Value]) -> State | None:
    callee = program.procedure(call.procedure)
    fresh = {name: default(type) for name, type in program.types_in(callee).items()}
    fresh |= {name: state[name] for name in program.globals}
    try:
        passed = [evaluate(argument, state, read) for argument in call.arguments]
    except (Undefined, NoInput):
        return None
    return fresh | dict(zip(callee.parameters, passed, strict=True))


def _return(program: Program, frames: list[_Frame]) -> bool:
    """Go back to the caller; tell whether that is possible."""
    inside, top = frames.pop(), frames[-1]
    assert inside.edge is not None and isinstance(inside.edge.action, Call)
    after = state_after_return(program, top.procedure, inside.procedure, inside.edge.action, top.state, inside.state)
    if after is None:
        return False
    path = Path(inside.procedure.name, inside.start, tuple(inside.steps))
    top.steps.append(Step(inside.edge, after, path, inside.read))
    top.state = after
    return True
