"""A trace of a program with memory as entries: one for each statement, with the values that are new."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knaster.base.errors import Span
from knaster.base.records import dataclass, field
from knaster.evidence.traces.trace import Path, Trace
from knaster.program.expression import TRUE
from knaster.program.memory import Begin, Invoke, Library, Store
from knaster.program.model import Assume, Call, Edge, Program, Return
from knaster.program.state import State
from knaster.report.entries import Entry, EntryKind, span_at


@dataclass(slots=True)
class _Activation:
    """An activation on the stack of a walk, and what was last said of its values."""

    path: Path
    shown: dict[str, Any] = field(default_factory=dict)
    last: Span | None = None


def entries_of_memory(program: Program, trace: Trace, room: int) -> Iterator[Entry]:
    """Yield the entries of a run, in the order of execution; several edges of one statement are one entry."""
    return _Walk(program, trace, room).entries()


class _Walk:
    """A walk along a trace; calls are expanded while there is `room`."""

    def __init__(self, program: Program, trace: Trace, room: int) -> None:
        self.program = program
        self.trace = trace
        self.room = room
        self.step = 0

    def entries(self) -> Iterator[Entry]:
        """Yield the entries in the order of execution."""
        depth = -1
        here = _Activation(self.trace.paths[0])
        for path in self.trace.paths:
            depth += 1
            here = _Activation(path)
            yield from self._path(here, depth)
        procedure = self.program.procedure(here.path.procedure)
        if self.trace.location not in (*procedure.failures, procedure.exit):
            span = span_at(procedure, self.trace.location)
            self.step += 1
            yield self._entry(here, depth, EntryKind.TARGET, span, here.path.end)

    def _path(self, here: _Activation, depth: int) -> Iterator[Entry]:
        failures = self.program.procedure(here.path.procedure).failures
        for index, step in enumerate(here.path.steps):
            before = here.path.steps[index - 1].after if index else here.path.start
            self.step += 1
            folded = step.inside is not None and len(step.inside.steps) > self.room
            news = here.last != step.edge.span or isinstance(step.edge.action, Call) or step.edge.target in failures
            if news and _says_something(step.edge):
                kind = EntryKind.SUMMARY if folded else _kind(step.edge)
                yield self._entry(here, depth, kind, step.edge.span, before)
                here.last = step.edge.span
            if step.inside is not None and not folded:
                self.room -= len(step.inside.steps)
                yield from self._path(_Activation(step.inside), depth + 1)
                here.last = None

    def _entry(self, here: _Activation, depth: int, kind: EntryKind, span: Span, state: State) -> Entry:
        shown = {name: value for name, value in state.items() if not name.startswith("@")}
        texts = {name: str(int(value)) if isinstance(value, bool) else str(value) for name, value in shown.items()}
        changed = frozenset(name for name, value in shown.items() if here.shown.get(name) != value)
        if not here.shown:
            changed = frozenset(name for name in changed if shown[name] not in (0, "NULL"))
        here.shown = shown
        return Entry(here.path.procedure, depth, kind, span, shown, 1, 0, texts, changed, step=self.step)


def _says_something(edge: Edge) -> bool:
    return not (isinstance(edge.action, Assume) and edge.action.condition == TRUE and not edge.span.line)


def _kind(edge: Edge) -> EntryKind:
    match edge.action:
        case Assume():
            return EntryKind.ASSUME
        case Return():
            return EntryKind.RETURN
        case Call() | Invoke() | Library():
            return EntryKind.CALL
        case Store() | Begin():
            return EntryKind.ASSIGN
    return EntryKind.ASSIGN
