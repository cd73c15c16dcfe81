"""From single moves to a trace: who runs, what it does, and which calls return undisturbed.

A call that returns within the context in which it was made becomes one step that holds the callee's run, unless a
thread is started inside it: started threads take the next numbers in the order of the run, so their beginning stays in
sight.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.program.model import Concurrent, Edge, Location, Program, ThreadOperation
from knaster.program.state import State
from knaster.program.types import Value


@dataclass(slots=True)
class _Thread:
    """Where a thread stands, and the procedures and calls that wait below."""

    procedure: str
    location: Location
    resumes: bool  # it does not begin at the entry of a procedure
    below: list[tuple[str, Edge]] = field(default_factory=list)


@dataclass(slots=True)
class _Path:
    """A path that grows."""

    procedure: str
    start: State
    begin: Location | None
    steps: list[Step] = field(default_factory=list)
    starts: bool = False  # a thread is started on it or inside it

    def finished(self) -> Path:
        return Path(self.procedure, self.start, tuple(self.steps), self.begin)


class Weaver:
    """A run that is told move by move; `trace` returns it."""

    def __init__(self, program: Program) -> None:
        self._entries = {procedure.name: procedure.entry for procedure in program.procedures}
        self._threads = [_Thread(name, self._entries[name], False) for name in program.threads]
        self._segments: list[Segment] = []
        self._paths: list[_Path] = []
        self._running = 0

    @property
    def count(self) -> int:
        """How many threads there are so far; the next one that is started has the next number."""
        return len(self._threads)

    def run(self, thread: int, state: State) -> None:
        """Let a thread (1, 2, ...) begin or go on; `state` is that of its activation."""
        self._close()
        self._running = thread
        here = self._threads[thread - 1]
        self._paths = [_Path(here.procedure, state, here.location if here.resumes else None)]
        here.resumes = True

    def step(self, edge: Edge, after: State, inputs: tuple[Value, ...] = ()) -> None:
        """Take an edge that is no call; `after` is the state of the activation behind it."""
        here, path = self._threads[self._running - 1], self._paths[-1]
        path.steps.append(Step(edge, after, None, inputs))
        if isinstance(edge.action, Concurrent) and edge.action.operation is ThreadOperation.START:
            path.starts = True
            callee, location = edge.action.procedure, edge.action.location
            if callee is not None:
                self._threads.append(_Thread(callee, self._entries[callee], False))
            else:
                assert location is not None
                self._threads.append(_Thread(here.procedure, location, True))
        here.location = edge.target

    def call(self, edge: Edge, callee: str, start: State, inputs: tuple[Value, ...] = ()) -> None:
        """Enter a callee in the state `start`."""
        here, path = self._threads[self._running - 1], self._paths[-1]
        before = path.steps[-1].after if path.steps else path.start
        path.steps.append(Step(edge, before, None, inputs))
        here.below.append((here.procedure, edge))
        here.procedure, here.location = callee, self._entries[callee]
        self._paths.append(_Path(callee, start, None))

    def back(self, after: State) -> None:
        """Come back from the exit into the caller, whose state is then `after`."""
        here, inner = self._threads[self._running - 1], self._paths[-1]
        here.procedure, edge = here.below.pop()
        here.location = edge.target
        if inner.begin is None and len(self._paths) > 1 and not inner.starts:
            self._paths.pop()
            entered = self._paths[-1].steps.pop()
            self._paths[-1].steps.append(Step(edge, after, inner.finished(), entered.inputs))
        else:
            self._paths.append(_Path(here.procedure, after, edge.target))

    def pass_over(self, edge: Edge, inside: Path, after: State) -> None:
        """Take a call that returns as one step; nobody is started inside it."""
        self._paths[-1].steps.append(Step(edge, after, inside))
        self._threads[self._running - 1].location = edge.target

    def trace(self) -> Trace:
        """Return the run so far."""
        location = self._threads[self._running - 1].location
        self._close()
        return Trace(tuple(self._segments), location)

    def _close(self) -> None:
        if self._paths:
            self._segments.append(Segment(self._running, tuple(path.finished() for path in self._paths)))
            self._paths = []
