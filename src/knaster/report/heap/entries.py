"""A trace of a program with references as entries: one for each statement, with the values that are new."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from knaster.base.errors import Span
from knaster.base.records import dataclass
from knaster.evidence.traces.trace import Path, Segment, Trace
from knaster.program.expression import Expr, Var
from knaster.program.model import Edge, Procedure, Program
from knaster.program.objects import Choose, Print
from knaster.program.state import State
from knaster.program.types import INTEGER, Reference, Type
from knaster.report.entries import Entry, EntryKind, kind_of, span_at
from knaster.report.heap.values import Shown
from knaster.semantics.heap.configuration import Configuration, Frame, StateWithHeap
from knaster.semantics.heap.evaluate import Evaluator
from knaster.semantics.heap.failure import Fails
from knaster.semantics.heap.interpreter import Machine
from knaster.views.heap.mentions import mentioned_variables


@dataclass(slots=True)
class _Frame:
    """One activation on the stack of a thread, and the values that its last line showed or could have shown."""

    procedure: Procedure
    shown: dict[str, str]


def entries_of_heap(program: Program, trace: Trace, room: int) -> Iterator[Entry]:
    """Yield the entries of a run of a program with references, in the order of execution."""
    return _HeapWalk(program, trace, room).entries()


class _HeapWalk:
    """A walk along a trace; calls are expanded while there is `room`."""

    def __init__(self, program: Program, trace: Trace, room: int) -> None:
        self.program = program
        self.trace = trace
        self.room = room
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.show = Shown(program)
        self.statics: dict[str, str] = {}
        self.stacks: dict[int, list[_Frame]] = {}
        self.context = 0
        self.step = 0

    def entries(self) -> Iterator[Entry]:
        """Yield the entries in the order of execution."""
        for context, segment in enumerate(self.trace.segments):
            self.context = context
            stack = self.stacks.setdefault(segment.thread, [])
            for number, path in enumerate(segment.paths):
                self._begin(stack, segment, number, path)
                yield from self._path(segment.thread, stack, path)
        last = self.trace.segments[-1]
        path = last.paths[-1]
        procedure = self.procedures[path.procedure]
        if self.trace.location not in (*procedure.failures, procedure.exit):
            span = span_at(procedure, self.trace.location)
            named = [n for edge in procedure.leaving.get(self.trace.location, ()) for n in mentioned_variables(edge)]
            self.step += 1
            yield self._entry(last.thread, self.stacks[last.thread], EntryKind.TARGET, span, path.end, None, named)

    def _begin(self, stack: list[_Frame], segment: Segment, number: int, path: Path) -> None:
        if path.begin is None:
            stack.append(_Frame(self.procedures[path.procedure], dict(self.statics)))
        elif number and stack:
            stack.pop()
        if not stack:  # a part of a run that goes on in an activation which began before
            stack.append(_Frame(self.procedures[path.procedure], dict(self.statics)))

    def _path(self, thread: int, stack: list[_Frame], path: Path) -> Iterator[Entry]:
        running: list[tuple[Path, int]] = [(path, 0)]
        while running:
            here, index = running.pop()
            if index == len(here.steps):
                if running:
                    stack.pop()
                continue
            step = here.steps[index]
            before = here.steps[index - 1].after if index else here.start
            kind = kind_of(step.edge.action)
            folded = step.inside is not None and len(step.inside.steps) > self.room
            kind = EntryKind.SUMMARY if folded else kind
            fails = step.edge.target in self.procedures[here.procedure].failures
            named = mentioned_variables(step.edge) if fails else []
            if index and isinstance(here.steps[index - 1].edge.action, Choose):
                chosen = here.steps[index - 1].edge
                named += mentioned_variables(chosen)  # what was chosen is news, also where it is the default
            self.step += 1
            yield self._entry(thread, stack, kind, step.edge.span, before, step.edge, named)
            running.append((here, index + 1))
            if step.inside is not None and folded:
                self.step += Trace.sequential((step.inside,), 0).expanded_length
            elif step.inside is not None:
                self.room -= len(step.inside.steps)
                stack.append(_Frame(self.procedures[step.inside.procedure], dict(self.statics)))
                running.append((step.inside, 0))

    def _entry(
        self,
        thread: int,
        stack: list[_Frame],
        kind: EntryKind,
        span: Span,
        state: State,
        edge: Edge | None,
        named: Sequence[str] = (),
    ) -> Entry:
        """Return an entry; variables that are `named` count as changed, so that they are shown."""
        assert isinstance(state, StateWithHeap)
        frame = stack[-1]
        texts: dict[str, str] = {}
        changed: set[str] = set()
        told: set[Reference] = set()
        types = self.show.types[frame.procedure.name]
        for name in (*frame.procedure.parameters, *frame.procedure.locals, *self.program.globals):
            text = self.show.text(state[name], types[name], state.heap)
            label = self.show.name(name, frame.procedure)
            texts[label] = text
            old = frame.shown.get(name)
            new = name in frame.procedure.parameters if old is None else old != text
            if new or name in named or (old is None and not _plain(text)):
                changed.add(label)
            frame.shown[name] = text
            if name in self.show.statics:
                self.statics[name] = text
            value = state[name]
            if label in changed and isinstance(value, Reference):
                if value in told:
                    texts[label] = self.show.text(value, types[name])  # its contents stand beside it
                told.add(value)
        return Entry(
            frame.procedure.name,
            len(stack) - 1,
            kind,
            span,
            state,
            thread=thread,
            context=self.context,
            texts=texts,
            changed=frozenset(changed),
            said=self._remark(edge, state),
            step=self.step,
        )

    def _remark(self, edge: Edge | None, state: StateWithHeap) -> str:
        """Return the text of a `trace` statement."""
        if edge is None or not isinstance(edge.action, Print):
            return ""
        said = [self._value(argument, state) for argument in edge.action.arguments]
        return fill_in(edge.action.text, said)

    def _value(self, argument: Expr, state: StateWithHeap) -> str:
        configuration = Configuration({}, dict(state.heap))
        try:
            evaluator = Evaluator(Machine(self.program), configuration, Frame("", 0, False, dict(state)), 0)
            return self.show.text(evaluator.value(argument), self._type(argument))
        except Fails:
            return "?"

    def _type(self, argument: Expr) -> Type:
        if isinstance(argument, Var):
            for types in (*self.show.types.values(), self.show.statics):
                if argument.name in types:
                    return types[argument.name]
        return INTEGER


def fill_in(text: str, values: Sequence[str]) -> str:
    """Return the text of a `trace` statement: `{0}` is its first value, `{{` a brace."""
    known = {"{{": "{", "}}": "}", **{f"{{{number}}}": value for number, value in enumerate(values)}}
    return re.sub(r"\{\{|\}\}|\{\d+\}", lambda match: known.get(match.group(), match.group()), text)


def _plain(text: str) -> bool:
    """Tell whether a value is a default, which nobody needs to be told."""
    return text in ("0", "false", "null", "") or text.startswith("{")
