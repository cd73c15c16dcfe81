"""Traces: concrete runs, kept hierarchical so that one of 2^800 steps fits in memory.

A `Path` is a run inside one activation of a procedure.  A call that returns is *one* step of it, and `Step.inside` is
the callee's own path from its entry to its exit; paths are shared, so the whole is a DAG.

A `Segment` is what one thread does in one go: a sequence of paths.  The first begins or resumes an activation of the
thread.  A path that ends with a `Call` without `inside` is followed by the path of the callee; a path that ends at the
exit of its procedure is followed by the path that resumes the caller, and `begin` is where the call leads to.  A switch
may happen anywhere, also inside a call that later returns: then neither the call nor the return is folded.

A `Trace` is a sequence of segments.  A sequential one has a single segment, whose paths are the activations that are
still on the stack at its end.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from knaster.base.graphs import postorder
from knaster.base.records import dataclass, field, replace
from knaster.evidence.renderers import render
from knaster.program.model import Edge, Kind, Location, Program
from knaster.program.state import State
from knaster.program.types import Value

EXPANDED = 100_000  # steps of a trace that are iterated over when no limit is given


@dataclass(frozen=True, slots=True)
class Step:
    """One edge taken.  `after` is the state of the same activation afterwards.

    For a call that returns, `inside` is the callee's run and `after` the caller's state after the return.  For a call
    that enters the next path, `inside` is None and `after` is the caller's state, unchanged.  `inputs` are the values
    of the choices that the step makes; Boolean ones may be left out.
    """

    edge: Edge
    after: State
    inside: Path | None = None
    inputs: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A run of one activation; compared by identity, because paths are shared and may be huge.

    It begins at the entry of the procedure, or at `begin` where it resumes an activation.
    """

    procedure: str
    start: State
    steps: tuple[Step, ...]
    begin: Location | None = None

    @property
    def end(self) -> State:
        """The state after the last step."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def insides(self) -> list[Path]:
        """The runs of the callees of the calls that return, in order; one that is shared as often as it is called."""
        return [step.inside for step in self.steps if step.inside is not None]

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_path, (_flatten((self,))[1],)

    def __repr__(self) -> str:
        return f"<Path in {self.procedure}, {len(self.steps)} steps>"  # never the steps: they may unfold without end


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """What one thread does until another one runs; threads have the numbers 1, 2, ..."""

    thread: int
    paths: tuple[Path, ...]

    def __repr__(self) -> str:
        return f"<Segment of thread {self.thread}, {sum(len(path.steps) for path in self.paths)} steps>"


@dataclass(frozen=True, slots=True)
class Visit:
    """A step of an expanded trace: the state just before an edge is taken, and by whom."""

    thread: int
    depth: int  # activations below this one that the walk has entered
    procedure: str
    state: State
    edge: Edge
    trace: Trace | None = field(default=None, repr=False, compare=False)  # of which it can be drawn
    number: int = 0  # in that trace, from 1

    @property
    def heap(self) -> Mapping[str, Any]:
        """The cells that the activation can see, by name: the class, and the values of the fields or elements."""
        if self.trace is None or not self.trace.has_heap:
            return {}
        assert self.trace.program is not None
        cells: Mapping[str, Any] = render("cells of a state", self.trace.program, self.state)
        return cells

    def to_svg(self) -> str | None:
        """Return a picture of the heap just before the step; None where the program has none."""
        if self.trace is None or not self.trace.has_heap:
            return None
        return str(render("picture of a heap", self.trace.program, self.trace, self.number))

    def _repr_svg_(self) -> str | None:
        return self.to_svg()


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """A run of the program from its start to `location` of the procedure of the last path.

    A run of a program with references knows its `program`, so that its steps can draw what there is in the heap; so
    does the run of a `Result`, which draws itself.
    """

    segments: tuple[Segment, ...]
    location: Location
    program: Program | None = None

    @classmethod
    def sequential(cls, paths: tuple[Path, ...], location: Location) -> Trace:
        """Return a run of one thread that is never interrupted."""
        return cls((Segment(1, paths),), location)

    @property
    def has_heap(self) -> bool:
        """Whether its steps can be asked what there is in the heap."""
        return self.program is not None and self.program.kind is Kind.REFERENCES

    def _repr_svg_(self) -> str | None:
        picture = None if self.program is None else render("picture of a trace", self.program, self)
        return None if picture is None else str(picture)

    @property
    def paths(self) -> tuple[Path, ...]:
        """All paths, in the order of the run; of a sequential trace the activations on the stack at its end."""
        return tuple(path for segment in self.segments for path in segment.paths)

    @property
    def procedure(self) -> str:
        """Where the run ends."""
        return self.segments[-1].paths[-1].procedure

    @property
    def switches(self) -> int:
        """How often another thread goes on."""
        return len(self.segments) - 1

    @property
    def rounds(self) -> int:
        """In how many rounds the threads can run so: one more as often as a thread with a smaller number follows."""
        pairs = zip(self.segments, self.segments[1:], strict=False)
        return 1 + sum(after.thread < before.thread for before, after in pairs)

    def __reduce__(self) -> tuple[object, ...]:
        number, rows = _flatten(self.paths)
        segments = tuple((segment.thread, tuple(number[path] for path in segment.paths)) for segment in self.segments)
        return _restore_trace, (segments, rows, self.location, self.program)

    def __repr__(self) -> str:
        return f"<Trace to location {self.location} of {self.procedure}, {self.length} steps>"

    @property
    def length(self) -> int:
        """The number of hierarchical steps: a call that returns counts as one, so does a call that is entered."""
        return sum(len(path.steps) for path in self.paths)

    @property
    def expanded_length(self) -> int:
        """The number of steps with every call expanded; a return is no step of its own.  May be astronomical."""
        lengths: dict[Path, int] = {}
        for path in inner_first(self.paths):
            lengths[path] = len(path.steps) + sum(lengths[run] for run in path.insides)
        return sum(lengths[path] for path in self.paths)

    def __getitem__(self, index: int) -> Visit:
        """Return a step, every call expanded; a negative number counts from the end."""
        if index < 0:
            index += self.expanded_length
        found = next(islice(self.visits(index + 1), index, None), None) if index >= 0 else None
        if found is None:
            raise IndexError(f"the trace has {self.expanded_length} steps")
        return found

    def __iter__(self) -> Iterator[Visit]:
        """Yield the steps in the order of execution, every call expanded, at most `EXPANDED` of them."""
        return self.visits(EXPANDED)

    def visits(self, limit: int) -> Iterator[Visit]:
        """Yield the first `limit` steps in the order of execution, every call expanded."""
        depths: dict[int, int] = {}  # of each thread, where its last segment stopped
        count = 0
        for segment in self.segments:
            depth = depths.get(segment.thread, -1)
            for number, path in enumerate(segment.paths):
                depth += _rise(segment, number, depth)
                for visit in _expand(segment.thread, depth, path):
                    if count >= limit:
                        return
                    count += 1
                    yield visit if self.program is None else replace(visit, trace=self, number=count)
            depths[segment.thread] = depth


def _rise(segment: Segment, number: int, depth: int) -> int:
    """Return how the depth changes at the beginning of a path of a segment."""
    if number == 0:
        return 1 if depth < 0 else 0
    return 1 if segment.paths[number].begin is None else -1


def _expand(thread: int, depth: int, path: Path) -> Iterator[Visit]:
    """Yield the steps of a path with every call expanded."""
    stack: list[tuple[Path, int]] = [(path, 0)]
    while stack:
        running, index = stack.pop()
        if index == len(running.steps):
            continue
        step = running.steps[index]
        state = running.steps[index - 1].after if index else running.start
        yield Visit(thread, depth + len(stack), running.procedure, state, step.edge)
        stack.append((running, index + 1))
        if step.inside is not None:
            stack.append((step.inside, 0))


_Row = tuple[str, State, Location | None, tuple[tuple[Edge, State, int | None, tuple[Value, ...]], ...]]


def inner_first(paths: Iterable[Path], done: Container[Path] = ()) -> list[Path]:
    """Return paths and all runs inside them but those that are done, each once and after those inside it."""
    return postorder(
        (path for path in paths if path not in done), lambda path: [run for run in path.insides if run not in done]
    )


def has_more_steps(trace: Trace, limit: int) -> bool:
    """Tell whether a trace has more than `limit` steps, a run that is shared counted once; asks for no more of them."""
    todo, seen, count = list(trace.paths), set(trace.paths), 0
    while todo and count <= limit:
        path = todo.pop()
        count += len(path.steps)
        new = [run for run in path.insides if run not in seen]
        seen.update(new)
        todo += new
    return count > limit


def _flatten(paths: Iterable[Path]) -> tuple[dict[Path, int], tuple[_Row, ...]]:
    """Return paths and all runs inside them as rows for pickle, and the number of the row of each."""

    def row(path: Path) -> _Row:
        steps = ((s.edge, s.after, None if s.inside is None else number[s.inside], s.inputs) for s in path.steps)
        return path.procedure, path.start, path.begin, tuple(steps)

    number = {path: index for index, path in enumerate(inner_first(paths))}
    return number, tuple(map(row, number))


def _restore(rows: tuple[_Row, ...]) -> list[Path]:
    paths: list[Path] = []
    for procedure, start, begin, row in rows:
        steps = (Step(edge, after, None if i is None else paths[i], inputs) for edge, after, i, inputs in row)
        paths.append(Path(procedure, start, tuple(steps), begin))
    return paths


def _restore_path(rows: tuple[_Row, ...]) -> Path:
    return _restore(rows)[-1]


def _restore_trace(
    segments: tuple[tuple[int, tuple[int, ...]], ...],
    rows: tuple[_Row, ...],
    location: Location,
    program: Program | None = None,
) -> Trace:
    paths = _restore(rows)
    return Trace(
        tuple(Segment(thread, tuple(paths[i] for i in numbers)) for thread, numbers in segments), location, program
    )
