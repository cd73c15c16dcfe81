"""Reductions: a program and a question to be decided in place of others, and the way back for traces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

from knaster.base.records import dataclass
from knaster.evidence.questions.question import Question, Target
from knaster.evidence.traces.recorder import PathRecorder
from knaster.evidence.traces.trace import Path, Trace, inner_first
from knaster.program.model import Program
from knaster.program.state import State


class Effect(Enum):
    """What a reduction does to the answer.

    EXACT: the same targets are reachable.  UNDER: what is reachable is, the rest is open.  OVER: what is unreachable
    is, and a trace may be none of the program.
    """

    EXACT = "exact"
    UNDER = "under-approximation"
    OVER = "over-approximation"


@dataclass(frozen=True, slots=True)
class Reduction:
    """A program to be checked in place of another; `back` takes a target of it and a trace there to those asked for."""

    original: Program
    program: Program
    question: Question
    effect: Effect
    back: Callable[[Target, Trace], tuple[Target, Trace]]
    targets: Mapping[Target, Target]  # of the reduced program, and the one asked for that each stands for

    @property
    def exact(self) -> bool:
        """Whether the same targets are reachable."""
        return self.effect is Effect.EXACT

    @property
    def under(self) -> bool:
        """Whether it has only some of the runs."""
        return self.effect is Effect.UNDER

    @property
    def over(self) -> bool:
        """Whether it has runs that the program has not."""
        return self.effect is Effect.OVER


def remove_added_steps(trace: Trace, original: Program, reduced: Program, target: Target) -> Trace:
    """Return a sequential trace of a reduced program as one of the original program, which ends at `target`.

    Each step becomes that of the edge's origin; steps without origin were added and vanish, and so do variables that
    the original does not have.  Procedures that the reduction left alone are recognised by identity.
    """
    same = {p.name for p, q in zip(original.procedures, reduced.procedures, strict=True) if p is q}
    scopes = {procedure.name: original.scope(procedure) for procedure in original.procedures}
    paths: dict[Path, Path] = {}
    for path in inner_first(trace.paths):
        scope = scopes[path.procedure]
        recorder = PathRecorder(path.procedure, _restrict(scope, path.start))
        for step in path.steps:
            edge = step.edge if path.procedure in same else step.edge.origin
            if edge is not None:
                inside = paths[step.inside] if step.inside is not None else None
                recorder.step(edge, _restrict(scope, step.after), step.inputs, inside)
        paths[path] = recorder.path()
    return Trace.sequential(tuple(paths[path] for path in trace.paths), target.location)


def _restrict(scope: tuple[str, ...], state: State) -> State:
    return {name: state[name] for name in scope}
