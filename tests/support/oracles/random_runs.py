"""Random runs of a program as traces, made with the enumerating half of the interpreter."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.model import Call, Edge, Location, Procedure, Program
from knaster.program.state import State
from knaster.semantics.sequential import entry_states, initial_states, state_after_return, successors


@dataclass(slots=True)
class _Activation:
    procedure: Procedure
    start: State
    location: Location
    state: State
    steps: list[Step] = field(default_factory=list)
    call: Edge | None = None  # the call that is being executed

    def path(self) -> Path:
        return Path(self.procedure.name, self.start, tuple(self.steps))

    def go(self, edge: Edge, after: State, inside: Path | None = None) -> None:
        self.steps.append(Step(edge, after, inside))
        self.location, self.state = edge.target, after


def random_trace(rng: Random, program: Program, entry: str = "main", steps: int = 40) -> Trace | None:
    """Return a random run of at most so many steps; None where the program cannot start."""
    procedures = {procedure.name: procedure for procedure in program.procedures}
    starts = list(initial_states(program, procedures[entry]))
    if not starts:
        return None
    start = rng.choice(starts)
    stack = [_Activation(procedures[entry], start, procedures[entry].entry, start)]
    for _ in range(rng.randint(0, steps)):
        if not (_return(program, stack) or _step(rng, program, procedures, stack)):
            break
    for below in stack[:-1]:
        assert below.call is not None
        below.steps.append(Step(below.call, below.state))
    return Trace.sequential(tuple(activation.path() for activation in stack), stack[-1].location)


def target_of(trace: Trace) -> Target:
    """Return the question that `trace` answers."""
    return Target("here", trace.paths[-1].procedure, trace.location, 1)


def _return(program: Program, stack: list[_Activation]) -> bool:
    top = stack[-1]
    if top.location != top.procedure.exit or len(stack) == 1:
        return False
    below = stack[-2]
    assert below.call is not None and isinstance(below.call.action, Call)
    after = state_after_return(program, below.procedure, top.procedure, below.call.action, below.state, top.state)
    if after is None:
        return False
    stack.pop()
    below.go(below.call, after, top.path())
    below.call = None
    return True


def _step(rng: Random, program: Program, procedures: dict[str, Procedure], stack: list[_Activation]) -> bool:
    top = stack[-1]
    leaving = [edge for edge in top.procedure.edges if edge.source == top.location]
    rng.shuffle(leaving)
    for edge in leaving:
        if not isinstance(edge.action, Call):
            ends = list(successors(top.procedure, edge, top.state))
            if ends:
                top.go(edge, rng.choice(ends))
                return True
            continue
        callee = procedures[edge.action.procedure]
        starts = list(entry_states(program, callee, edge.action, top.state))
        if starts:
            top.call = edge
            start = rng.choice(starts)
            stack.append(_Activation(callee, start, callee.entry, start))
            return True
    return False
