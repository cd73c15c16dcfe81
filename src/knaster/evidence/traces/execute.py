"""Execution: edges of a program are run on values, from a state and with inputs, and what they do is recorded.

An edge *blocks* where the semantics gives it no outcome: its condition is false, its value undefined, an input missing
or left over.  Locals of a callee begin with the default of their type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from knaster.evidence.traces.recorder import PathRecorder, SegmentRecorder
from knaster.evidence.traces.trace import Path
from knaster.program.evaluate import evaluate
from knaster.program.model import Call, Edge, Location, Procedure, Program
from knaster.program.state import NoInput, State, Undefined
from knaster.program.types import Value, default
from knaster.semantics.sequential import can_hold, state_after_return, successor

Inputs = tuple[Value, ...]  # the values of the choices of an edge, in order


@dataclass(frozen=True, slots=True)
class Blocked:
    """The edge that cannot be taken, and its position among those that were to be."""

    edge: Edge
    position: int


class Execution:
    """A run of one thread on values, as far as it has come."""

    def __init__(self, program: Program, procedure: str, start: State, begin: Location | None = None) -> None:
        self.program = program
        self.segment = SegmentRecorder(procedure, start, begin)
        self._waiting: list[tuple[Procedure, Call]] = []  # the calls that were entered, with their callers
        self._procedure = program.procedure(procedure)
        self._location = self._procedure.entry if begin is None else begin

    @property
    def top(self) -> PathRecorder:
        """The path of the activation that runs."""
        return self.segment.top

    @property
    def depth(self) -> int:
        """How many calls are open."""
        return len(self._waiting)

    @property
    def is_at_exit(self) -> bool:
        """Whether the activation that runs stands at the exit of its procedure."""
        return self._location == self._procedure.exit

    def take(self, edge: Edge, inputs: Inputs = ()) -> bool:
        """Take an edge, a call by entering it; tell whether that is possible."""
        if isinstance(edge.action, Call):
            start = entry_state(self.program, edge.action, self.top.state, inputs)
            if start is None:
                return False
            self.segment.call(edge, edge.action.procedure, start, inputs)
            self._waiting.append((self._procedure, edge.action))
            self._procedure = self.program.procedure(edge.action.procedure)
            self._location = self._procedure.entry
            return True
        after = successor(self._procedure, edge, self.top.state, inputs)
        if after is None:
            return False
        self.top.step(edge, after, inputs)
        self._location = edge.target
        return True

    def come_back(self) -> bool:
        """Leave the callee at its exit for its caller; tell whether that is possible."""
        caller, call = self._waiting[-1]
        waiting = self.segment.growing[-2]
        after = state_after_return(self.program, caller, self._procedure, call, waiting.state, self.top.state)
        if after is None:
            return False
        self._waiting.pop()
        self._procedure, self._location = caller, waiting.steps[-1].edge.target
        self.segment.come_back(caller.name, self._location, after)
        return True


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
    execution = Execution(program, procedure, start, begin)
    for position, edge in enumerate(edges):
        if not execution.take(edge, inputs(position)):
            return Blocked(edge, position)
        while execution.depth and execution.is_at_exit:
            if not execution.come_back():
                return Blocked(edge, position)
    return execution.segment.paths()


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


def pass_over(program: Program, recorder: PathRecorder, edge: Edge, inside: Path, inputs: Inputs = ()) -> bool:
    """Record a call whose run is known as one step; tell whether the caller can go on after it."""
    assert isinstance(edge.action, Call)
    caller, callee = program.procedure(recorder.procedure), program.procedure(inside.procedure)
    after = state_after_return(program, caller, callee, edge.action, recorder.state, inside.end)
    if after is None:
        return False
    recorder.pass_over(edge, after, inside, inputs)
    return True
