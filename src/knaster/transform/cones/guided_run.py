"""A run of the whole program along a run of a part of it: the inputs that matter are the same, the others are 0.

The program runs on values.  Where its run does not get to the target, the last branch that the part does not have is
why, or else the run takes too many steps; then there is no run to show, and that branch is to be taken into the part.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from knaster.base.errors import InternalError
from knaster.evidence.traces.recorder import Recorder
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.algebra import conjuncts
from knaster.program.expression import Choice, Compare, Comparison, Const, Var, has_choice
from knaster.program.model import Assign, Assume, Call, Edge, Location, Place, Program
from knaster.program.state import State, Undefined
from knaster.program.types import Type, Value, default
from knaster.semantics.sequential import state_after_return, successor

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
    return _Following(program, part, inputs, trace.paths[0].start).run(target)


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


class _Following:
    """A run of the whole program that goes on."""

    def __init__(self, program: Program, part: Program, inputs: Inputs, start: State) -> None:
        self.program = program
        self.inputs = inputs
        self.kept = _kept_branches(part)
        self.types = {procedure.name: program.types_in(procedure) for procedure in program.procedures}
        self.recorder = Recorder(program)
        self.branch: Place | None = None  # the last one that the part does not have
        self.procedure = program.procedure(program.threads[0])
        fixed = dict(_equalities(program))
        state = {name: default(type) for name, type in self.types[self.procedure.name].items()}
        self.state: State = {**state, **{name: start[name] for name in state if name in start}, **fixed}
        self.location: Location = self.procedure.entry
        self.stack: list[tuple[str, Edge, State]] = []

    def run(self, target: Place) -> Trace:
        """Return the run to a target."""
        self.recorder.run(1, self.state)
        for _ in range(STEPS):
            if (self.procedure.name, self.location) == target:
                return self.recorder.trace()
            if self.location == self.procedure.exit:
                self._come_back()
            else:
                self._step()
        raise LostRun(self.branch)

    def _step(self) -> None:
        edges = self.procedure.leaving.get(self.location, ())
        place = self.procedure.name, self.location
        if place not in self.kept and any(_is_test(edge) for edge in edges):
            self.branch = place
        for edge in edges:
            if isinstance(edge.action, Call):
                return self._call(edge, edge.action)
            values = self._choose(edge)
            after = successor(self.procedure, edge, self.state, values)
            if after is not None:
                self.recorder.step(edge, after, values)
                self.state, self.location = after, edge.target
                return None
        raise LostRun(self.branch)

    def _choose(self, edge: Edge) -> tuple[Value, ...]:
        """Return the inputs of an edge: those of the part, where it has the edge."""
        if not isinstance(edge.action, Assign) or not any(map(has_choice, edge.action.values)):
            return ()
        waiting = self.inputs.get(id(edge))
        if waiting:
            return waiting.popleft()
        types: list[Type] = [value.type for value in edge.action.values if isinstance(value, Choice)]
        return tuple(default(type) for type in types)

    def _call(self, edge: Edge, call: Call) -> None:
        from knaster.program.evaluate import evaluate

        callee = self.program.procedure(call.procedure)
        try:
            passed = [evaluate(argument, self.state, iter(())) for argument in call.arguments]
        except Undefined:
            raise LostRun(self.branch) from None
        state = {name: default(type) for name, type in self.types[callee.name].items()}
        state |= {name: self.state[name] for name in self.program.globals}
        state |= dict(zip(callee.parameters, passed, strict=True))
        self.stack.append((self.procedure.name, edge, self.state))
        self.recorder.call(edge, callee.name, state)
        self.procedure, self.state, self.location = callee, state, callee.entry

    def _come_back(self) -> None:
        if not self.stack:
            raise LostRun(self.branch)
        name, edge, before = self.stack.pop()
        caller = self.program.procedure(name)
        assert isinstance(edge.action, Call)
        after = state_after_return(self.program, caller, self.procedure, edge.action, before, self.state)
        assert after is not None
        self.recorder.come_back(after)
        self.procedure, self.state, self.location = caller, after, edge.target


def _is_test(edge: Edge) -> bool:
    return isinstance(edge.action, Assume) and not isinstance(edge.action.condition, Const)


def _kept_branches(part: Program) -> frozenset[Place]:
    """Return the places of a part at which conditions are as they are in the program."""
    return frozenset(
        (procedure.name, edge.source) for procedure in part.procedures for edge in procedure.edges if _is_test(edge)
    )


def _equalities(program: Program) -> Iterator[tuple[str, Value]]:
    for part in conjuncts(program.init):
        match part:
            case Compare(Comparison.EQUAL, Var(name), Const(value)):
                yield name, value
