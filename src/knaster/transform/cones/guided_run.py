"""A run of the whole program along a run of a part of it: the inputs that matter are the same, the others are 0.

Where that run does not get to the target, the last branch that the part does not have is why, or else the run takes too
many steps; then there is no run to show, and that branch is to be taken into the part.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from knaster.base.errors import InternalError
from knaster.evidence.traces.concrete_run import ConcreteRun, RunEnds, is_test
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.expression import Choice, has_choice
from knaster.program.model import Assign, Edge, Place, Program
from knaster.program.state import State
from knaster.program.types import Type, Value

STEPS = 20_000  # of a run that is tried
Inputs = Mapping[int, deque[tuple[Value, ...]]]  # by the identity of the edge of the whole program


class LostRun(InternalError):
    """The whole program has no run along that of the part; `branch` is where it went another way, if that is known."""

    def __init__(self, branch: Place | None) -> None:
        self.branch = branch
        super().__init__("the program has no run along that of a part of it")


def follow_run(program: Program, part: Program, trace: Trace, target: Place) -> Trace:
    """Return a run of a program to a target along a run of its part; raise `LostRun` where there is none."""
    inputs: dict[int, deque[tuple[Value, ...]]] = {}
    for edge, values in _steps_of(trace):
        if values and edge.origin is not None:
            inputs.setdefault(id(edge.origin), deque()).append(values)
    following = _Following(program, part, inputs, trace.paths[0].start)
    try:
        return following.run(target, STEPS)
    except RunEnds:
        raise LostRun(following.branch) from None


def _steps_of(trace: Trace) -> Iterator[tuple[Edge, tuple[Value, ...]]]:
    """Yield the edges of a sequential run with their inputs, calls that return unfolded."""
    count = 0
    for outer in trace.paths:
        stack: list[tuple[Path, int]] = [(outer, 0)]
        while stack:
            path, number = stack.pop()
            if number == len(path.steps):
                continue
            count += 1
            if count > STEPS:
                raise LostRun(None)
            step = path.steps[number]
            stack.append((path, number + 1))
            yield step.edge, step.inputs or _written(step)
            if step.inside is not None:
                stack.append((step.inside, 0))


def _written(step: Step) -> tuple[Value, ...]:
    """Return the inputs of a step that does not tell them: what it wrote."""
    match step.edge.action:
        case Assign(targets, values) if any(isinstance(value, Choice) for value in values):
            return tuple(step.after[name] for name, value in zip(targets, values, strict=True) if has_choice(value))
    return ()


class _Following(ConcreteRun):
    """A run of the whole program that goes on."""

    def __init__(self, program: Program, part: Program, inputs: Inputs, start: State) -> None:
        super().__init__(program)
        self.inputs = inputs
        self.first = start
        self.kept = frozenset((one.name, edge.source) for one in part.procedures for edge in one.edges if is_test(edge))
        self.branch: Place | None = None  # the last one that the part does not have

    def begin(self, name: str, type: Type) -> Value:
        """Return the value with which the run of the part began, if it has it."""
        return self.first[name] if not self.stack and name in self.first else super().begin(name, type)

    def step(self) -> None:
        """Take the first edge that can be taken, and note a branch that the part does not have."""
        place = self.procedure.name, self.location
        if place not in self.kept and any(map(is_test, self.procedure.leaving.get(self.location, ()))):
            self.branch = place
        super().step()

    def choose(self, edge: Edge, types: list[Type]) -> tuple[Value, ...]:
        """Return the inputs of an edge: those of the part, where it has the edge."""
        waiting = self.inputs.get(id(edge))
        return waiting.popleft() if waiting else super().choose(edge, types)
