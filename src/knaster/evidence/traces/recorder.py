"""Recorders: from a run that is told move by move, its paths, segments and trace; nobody else builds them.

A `PathRecorder` grows the run of one activation; whoever composes a run from shared pieces uses it alone.  A
`SegmentRecorder` grows what one thread does in one go: calls are entered and left, and a call that returns to the path
that made it is *folded* into one step that holds the callee's run.  A `Recorder` knows the threads of a program and
where each of them stands; a sequential run is the case of one thread that is never interrupted.

Where a thread is started inside a call, that call is not folded: started threads take the next numbers in the order of
the run, so their beginning stays in sight.  In programs with references it is folded all the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.many_records import many_records
from knaster.base.records import dataclass, field
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.program.expression import TRUE
from knaster.program.model import Concurrent, Edge, Location, Program, ThreadOperation
from knaster.program.state import State
from knaster.program.types import Value


@dataclass(slots=True, eq=False)
class PathRecorder:
    """A path that grows: its procedure, the state in which it starts, where it resumes an activation, its steps."""

    procedure: str
    start: State
    begin: Location | None = None
    steps: list[Step] = field(default_factory=list)
    in_sight: bool = False  # it is not to be folded into the call that made it

    @property
    def state(self) -> State:
        """The state of the activation after the last step."""
        return self.steps[-1].after if self.steps else self.start

    def step(self, edge: Edge, after: State, inputs: tuple[Value, ...] = (), inside: Path | None = None) -> None:
        """Take an edge into the state `after`; a call that returns is one step, and `inside` is the callee's run."""
        self.steps.append(Step(edge, after, inside, inputs))

    def enter(self, edge: Edge, inputs: tuple[Value, ...] = ()) -> None:
        """End with a call that is entered: the path of the callee follows."""
        self.steps.append(Step(edge, self.state, None, inputs))

    def come_back(self, after: State, inside: Path | None) -> None:
        """Turn the call that was entered last into one that has returned."""
        entered = self.steps[-1]
        self.steps[-1] = Step(entered.edge, after, inside, entered.inputs)

    def append(self, piece: PathRecorder | Path) -> None:
        """Go on with the steps of a piece that starts where this path ends."""
        self.steps.extend(piece.steps)

    def copy(self) -> PathRecorder:
        """Return a recorder that grows on its own from here."""
        return PathRecorder(self.procedure, self.start, self.begin, list(self.steps), self.in_sight)

    def path(self) -> Path:
        """Return what was recorded."""
        return Path(self.procedure, self.start, tuple(self.steps), self.begin)

    def part(self, first: int, last: int | None = None, begin: Location | None = None) -> Path:
        """Return the steps from one number to another as a path that begins at `begin`."""
        start = self.steps[first - 1].after if first else self.start
        return Path(self.procedure, start, tuple(self.steps[first:last]), begin)


def whole_path(
    procedure: str, start: State, edges: Sequence[Edge], states: Sequence[State], insides: Sequence[Path | None]
) -> Path:
    """Return a run from the entry of a procedure: the edges taken, the state after each, and the runs of callees."""
    steps = many_records(Step, len(edges), {"edge": edges, "after": states, "inside": insides})
    return Path(procedure, start, tuple(steps))


class SegmentRecorder:
    """What one thread does in one go, while it goes on: the last of `growing` is the activation that runs."""

    def __init__(self, procedure: str, state: State, begin: Location | None = None) -> None:
        self.growing = [PathRecorder(procedure, state, begin)]

    @property
    def top(self) -> PathRecorder:
        """The path of the activation that runs."""
        return self.growing[-1]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was done yet."""
        return len(self.growing) == 1 and not self.growing[0].steps

    def call(self, edge: Edge, callee: str, start: State, inputs: tuple[Value, ...] = ()) -> None:
        """Enter a callee in the state `start`."""
        self.growing[-1].enter(edge, inputs)
        self.growing.append(PathRecorder(callee, start))

    def come_back(self, procedure: str, location: Location, after: State) -> None:
        """Go on with the caller, whose state is then `after`: in the path that made the call if it is one of these."""
        inner = self.growing[-1]
        if inner.begin is None and len(self.growing) > 1 and not inner.in_sight:
            self.growing.pop()
            self.growing[-1].come_back(after, inner.path())
        else:
            self.growing.append(PathRecorder(procedure, after, location))

    def paths(self) -> tuple[Path, ...]:
        """Return what was recorded."""
        return tuple(recorder.path() for recorder in self.growing)


def trace_of_turns(turns: Sequence[tuple[int, tuple[Path, ...]]], location: Location) -> Trace:
    """Return the run in which threads, each by its number, take these turns and stop at a location."""
    return Trace(tuple(Segment(thread, paths) for thread, paths in turns), location)


@dataclass(slots=True)
class _Thread:
    """Where a thread stands, and the procedures and calls that wait below."""

    procedure: str
    location: Location
    resumes: bool  # it does not begin at the entry of a procedure
    below: list[tuple[str, Edge]] = field(default_factory=list)


class Recorder:
    """A run that is told move by move; `trace` returns it.  With `folds_starts`, calls that start threads fold."""

    def __init__(self, program: Program, folds_starts: bool = False, keeps_beginnings: bool = False) -> None:
        self.folds_starts = folds_starts
        self.keeps_beginnings = keeps_beginnings  # a thread that has only begun has had a turn: it has its locals
        self._entries = {procedure.name: procedure.entry for procedure in program.procedures}
        self._enforcing = {procedure.name for procedure in program.procedures if procedure.enforce != TRUE}
        self._threads = [_Thread(name, self._entries[name], False) for name in program.threads]
        self._done: list[tuple[int, SegmentRecorder]] = []  # the turns before, each with its thread
        self._segment: SegmentRecorder | None = None
        self.running = 0  # the number of the thread that runs; 0 before the first one does

    @property
    def count(self) -> int:
        """How many threads there are so far; the next one that is started has the next number."""
        return len(self._threads)

    def run(self, thread: int, state: State) -> None:
        """Let a thread (1, 2, ...) begin or go on, unless it runs already; `state` is that of its activation.

        A thread that has done nothing when another one runs has had no turn, unless it has begun and that is kept, or
        its procedure enforces something: then it was asked where it began.
        """
        if thread == self.running:
            return
        if self._segment is not None:
            kept = self.keeps_beginnings and self._segment.top.begin is None
            asked = self._threads[self.running - 1].procedure in self._enforcing
            if self._segment.is_empty and not kept and not asked:
                self._threads[self.running - 1].resumes = self._segment.top.begin is not None
            else:
                self._done.append((self.running, self._segment))
        self.running = thread
        if self._done and self._done[-1][0] == thread:  # only turns without a step lie between
            self._segment = self._done.pop()[1]
            return
        here = self._threads[thread - 1]
        self._segment = SegmentRecorder(here.procedure, state, here.location if here.resumes else None)
        here.resumes = True

    def step(self, edge: Edge, after: State, inputs: tuple[Value, ...] = (), location: Location | None = None) -> None:
        """Take an edge that is no call into the state `after`, at `location` where the edge does not say that."""
        here, path = self._here()
        path.top.step(edge, after, inputs)
        if isinstance(edge.action, Concurrent) and edge.action.operation is ThreadOperation.START:
            path.top.in_sight = not self.folds_starts
            self._start(here, edge.action)
        here.location = edge.target if location is None else location

    def _start(self, here: _Thread, action: Concurrent) -> None:
        """Give a thread that is started the next number."""
        if action.procedure is not None:
            self._threads.append(_Thread(action.procedure, self._entries[action.procedure], False))
        else:
            assert action.location is not None
            self._threads.append(_Thread(here.procedure, action.location, True))

    def call(self, edge: Edge, callee: str, start: State, inputs: tuple[Value, ...] = ()) -> None:
        """Enter a callee in the state `start`."""
        here, path = self._here()
        path.call(edge, callee, start, inputs)
        here.below.append((here.procedure, edge))
        here.procedure, here.location = callee, self._entries[callee]

    def come_back(self, after: State, location: Location | None = None) -> None:
        """Leave the callee for its caller, whose state is then `after`, at `location` where the call does not say."""
        here, path = self._here()
        here.procedure, edge = here.below.pop()
        here.location = edge.target if location is None else location
        path.come_back(here.procedure, here.location, after)

    def pass_over(self, edge: Edge, after: State, inside: Path) -> None:
        """Take a call that returns as one step; nobody is started inside it."""
        here, path = self._here()
        path.top.step(edge, after, inside=inside)
        here.location = edge.target

    def _here(self) -> tuple[_Thread, SegmentRecorder]:
        assert self._segment is not None
        return self._threads[self.running - 1], self._segment

    def go_on(self) -> Recorder:
        """Return a recorder of what follows: it knows where each thread stands, and nothing of the run before."""
        follows = Recorder.__new__(Recorder)
        follows.folds_starts, follows.keeps_beginnings = self.folds_starts, self.keeps_beginnings
        follows._entries, follows._enforcing = self._entries, self._enforcing
        follows._threads = [_Thread(each.procedure, each.location, each.resumes, []) for each in self._threads]
        for each, own in zip(follows._threads, self._threads, strict=True):
            each.below = list(own.below)
        follows._done, follows._segment, follows.running = [], None, 0
        return follows

    def trace(self) -> Trace:
        """Return the run so far."""
        here, path = self._here()
        turns = (*self._done, (self.running, path))
        return Trace(tuple(Segment(thread, turn.paths()) for thread, turn in turns), here.location)
