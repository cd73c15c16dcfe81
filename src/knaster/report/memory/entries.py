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
    returned: bool = False  # something else was told since then


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
        self.thread = self.context = 0
        self.shared: dict[str, Any] = {}  # what was last said of objects of the whole program
        declared = program.memory.objects if program.memory is not None else ()
        self.globals = {found.name + part.suffix for found in declared for part in found.parts}

    def entries(self) -> Iterator[Entry]:
        """Yield the entries in the order of execution."""
        stacks: dict[int, list[_Activation]] = {}
        here = _Activation(self.trace.paths[0])
        stack: list[_Activation] = []
        for context, segment in enumerate(self.trace.segments):
            self.context, self.thread = context, segment.thread
            stack = stacks.setdefault(segment.thread, [])
            for number, path in enumerate(segment.paths):
                here = _begin(stack, path, number)
                yield from self._path(here, len(stack) - 1)
        procedure = self.program.procedure(here.path.procedure)
        if self.trace.location not in (*procedure.failures, procedure.exit):
            span = span_at(procedure, self.trace.location)
            self.step += 1
            yield self._entry(here, len(stack) - 1, EntryKind.TARGET, span, here.path.end)

    def _path(self, here: _Activation, depth: int) -> Iterator[Entry]:
        failures = self.program.procedure(here.path.procedure).failures
        for index, step in enumerate(here.path.steps):
            before = here.path.steps[index - 1].after if index else here.path.start
            self.step += 1
            folded = step.inside is not None and len(step.inside.steps) > self.room
            calls = isinstance(step.edge.action, Call) and (folded or here.returned)
            news = here.last != step.edge.span or calls or (step.edge.target in failures and here.returned)
            if news and _says_something(step.edge):
                kind = EntryKind.SUMMARY if folded else _kind(step.edge)
                yield self._entry(here, depth, kind, step.edge.span, before)
                here.last, here.returned = step.edge.span, False
            if step.inside is not None and not folded:
                self.room -= len(step.inside.steps)
                yield from self._path(_Activation(step.inside), depth + 1)
                here.returned = True

    def _entry(self, here: _Activation, depth: int, kind: EntryKind, span: Span, state: State) -> Entry:
        shown = {name: value for name, value in state.items() if not name.startswith("@")}
        texts = {name: str(int(value)) if isinstance(value, bool) else str(value) for name, value in shown.items()}
        before = {**here.shown, **self.shared} if len(self.trace.segments) > 1 else here.shown
        changed = frozenset(name for name, value in shown.items() if before.get(name) != value)
        if not here.shown:
            changed = frozenset(name for name in changed if shown[name] not in (0, "NULL", r"'\0'"))
        here.shown = shown
        self.shared.update((name, shown[name]) for name in shown.keys() & self.globals)
        return Entry(
            here.path.procedure, depth, kind, span, shown, self.thread, self.context, texts, changed, step=self.step
        )


def _begin(stack: list[_Activation], path: Path, number: int) -> _Activation:
    """Return the activation in which a path runs: a new one, or one that goes on, perhaps after a return."""
    if path.begin is not None and number and len(stack) > 1:
        stack.pop()
    if path.begin is None or not stack:
        stack.append(_Activation(path))
    elif stack[-1].path.procedure != path.procedure:
        stack[-1] = _Activation(path)
    else:
        stack[-1].path, stack[-1].last = path, None
    return stack[-1]


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
