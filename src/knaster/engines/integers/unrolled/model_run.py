"""A run of an unrolled program from the model of a question, and the same run as one of the program itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from knaster.engines.integers.unrolled.evaluation import Context, Reached
from knaster.evidence.traces.concrete_run import ConcreteRun
from knaster.evidence.traces.recorder import PathRecorder
from knaster.evidence.traces.trace import Path, Trace, inner_first
from knaster.program.model import Edge, Location, Program
from knaster.program.types import BOOL, Type, Value
from knaster.program.unrolling import Unrolled
from knaster.smt.terms import Term

ModelValue = Callable[[Term], Value]


class ModelRun(ConcreteRun):
    """A run on the inputs of a model."""

    def __init__(self, program: Program, found: Reached, value: ModelValue) -> None:
        super().__init__(program)
        self.found = found
        self.value = value

    @property
    def context(self) -> Context:
        """The locations of the calls that are open."""
        return tuple(edge.source for _, edge, _ in self.stack)

    def choose(self, edge: Edge, types: list[Type]) -> tuple[Value, ...]:
        """Return the inputs of an edge in the model, if it speaks of them."""
        terms = self.found.inputs.get((self.context, edge.source))
        if terms is None or len(terms) != len(types):
            return super().choose(edge, types)
        return tuple(self.value(term) for term in terms)

    def begin(self, name: str, type: Type) -> Value:
        """Return the value that the model gives a variable which nobody else gives one."""
        term = self.found.firsts.get((self.context, name))
        return super().begin(name, type) if term is None else self.value(term)

    def ways(self) -> Sequence[Edge]:
        """Return the edges, the one that the model takes first."""
        edges = super().ways()
        taken = self.found.taken.get((self.context, self.location), ())
        first = [edge for edge, truth in taken if self.value(Term(truth, BOOL))]
        return [*first, *(edge for edge in edges if edge not in first)]


def fold_back(trace: Trace, unrolled: Unrolled, original: Program, location: Location) -> Trace:
    """Return a run of an unrolled program as one of the program, which ends at a location."""
    paths: dict[Path, Path] = {}
    names = {place[0]: origin[0] for place, origin in unrolled.origins.items()}
    for path in inner_first(trace.paths):
        recorder = PathRecorder(names[path.procedure], path.start)
        for step in path.steps:
            assert step.edge.origin is not None
            inside = paths[step.inside] if step.inside is not None else None
            recorder.step(step.edge.origin, step.after, step.inputs, inside)
        paths[path] = recorder.path()
    return Trace.sequential(tuple(paths[path] for path in trace.paths), location)
