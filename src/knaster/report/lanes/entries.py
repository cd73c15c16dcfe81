"""The entries of a trace of several threads: as `entries` makes them, but with contexts and without relevance.

Which values matter is known for sequential traces only; here every value in scope is there, and what is shown of it
in a table is what has changed: globals since the last line, whoever ran; the rest since the last line of its
activation.

A return into the caller is no entry, except where a context begins with it: then `EntryKind.BACK` stands at the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knaster.base.errors import Span
from knaster.evidence.traces.relevance import state_before
from knaster.evidence.traces.trace import Path, Segment, Trace
from knaster.program.model import Call, Edge, Procedure, Program
from knaster.program.state import State
from knaster.report.entries import Entry, EntryKind, kind_of, span_at


def lane_entries(program: Program, trace: Trace, room: int) -> Iterator[Entry]:
    """Yield the entries of a trace; calls that return are expanded as long as there is room for so many steps."""
    yield from _Lanes(program, trace, room).entries()


def lane_changes(program: Program, entries: Iterable[Entry]) -> Iterator[tuple[Entry, frozenset[str]]]:
    """Yield each entry with the variables to be shown: what changed, the globals at the start, parameters at a call."""
    shared: State = {}
    stacks: dict[int, list[State]] = {}
    for entry in entries:
        stack = stacks.setdefault(entry.thread, [])
        entered = entry.depth >= len(stack)
        before = {} if entered else stack[entry.depth]
        del stack[entry.depth :]
        stack.append(entry.state)
        parameters = program.procedure(entry.procedure).parameters
        changed = set()
        for name, value in entry.state.items():
            if name in program.globals:
                new = name not in shared or shared[name] != value
            else:
                new = name in parameters if entered else before[name] != value
            changed |= {name} if new else set()
        shared = {name: entry.state[name] for name in program.globals}
        yield entry, frozenset(changed)


class _Lanes:
    """A walk along a trace with a stack of calls for each thread."""

    def __init__(self, program: Program, trace: Trace, room: int) -> None:
        self.globals = program.globals
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.trace = trace
        self.room = room
        self.waiting: dict[int, list[tuple[Procedure, Edge, State]]] = {}
        self.thread = self.context = 0

    def entries(self) -> Iterator[Entry]:
        for context, segment in enumerate(self.trace.segments):
            self.context, self.thread = context, segment.thread
            yield from self._segment(segment)
        last = self.trace.segments[-1].paths[-1]
        procedure = self.procedures[last.procedure]
        if self.trace.location not in procedure.failures:
            span = span_at(procedure, self.trace.location)
            yield self._entry(procedure, 0, EntryKind.TARGET, span, last.end)

    def _segment(self, segment: Segment) -> Iterator[Entry]:
        stack = self.waiting.setdefault(segment.thread, [])
        for number, path in enumerate(segment.paths):
            yield from self._steps(path)
            if number + 1 == len(segment.paths):
                break
            final = path.steps[-1] if path.steps else None
            if final is not None and isinstance(final.edge.action, Call) and final.inside is None:
                before = state_before(path, len(path.steps) - 1)
                stack.append((self.procedures[path.procedure], final.edge, before))
                continue
            caller, edge, before = stack.pop()
            if number == 0 and not path.steps:
                now = {**before, **{name: path.start[name] for name in self.globals}}
                yield self._entry(caller, 0, EntryKind.BACK, edge.span, now)

    def _steps(self, path: Path) -> Iterator[Entry]:
        """Yield an entry for each step of a path, and for those inside its calls as far as there is room."""
        stack: list[tuple[Path, int]] = [(path, 0)]
        while stack:
            running, index = stack.pop()
            if index == len(running.steps):
                continue
            step, procedure = running.steps[index], self.procedures[running.procedure]
            kind = kind_of(step.edge.action)
            if step.inside is not None and len(step.inside.steps) > self.room:
                kind = EntryKind.SUMMARY
            yield self._entry(procedure, len(stack), kind, step.edge.span, state_before(running, index))
            stack.append((running, index + 1))
            if step.inside is not None and kind is not EntryKind.SUMMARY:
                self.room -= len(step.inside.steps)
                stack.append((step.inside, 0))

    def _entry(self, procedure: Procedure, inside: int, kind: EntryKind, span: Span, state: State) -> Entry:
        names = self.globals + procedure.parameters + procedure.locals
        depth = len(self.waiting[self.thread]) + inside
        shown = {name: state[name] for name in names}
        return Entry(procedure.name, depth, kind, span, shown, self.thread, self.context)
