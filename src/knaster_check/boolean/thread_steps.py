"""What one thread of a Boolean program does in one step, on its stack of activations, topmost first.

A step looks at the two topmost activations only.  An empty stack is a thread that has ended, and so is one whose lowest
activation stands at its exit; its end ends a section.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from knaster_check.boolean.successors import begins, entries, results, successors
from knaster_check.evaluate import State, can_be
from knaster_check.program import UNBEGUN, Call, Edge, Procedure, Program, Thread
from knaster_check.refused import Refused
from knaster_check.steps import state_after_return

Shared = tuple[bool, ...]  # values of the globals


class Letter(NamedTuple):
    """An activation: where it stands, its variables, the edge of the call that it waits for, and whether it is lowest.

    Before it has begun its variables are its parameters.
    """

    procedure: str
    location: int
    frame: tuple[bool, ...]
    calling: int | None
    lowest: bool


Stack = tuple[Letter, ...]


class Step(NamedTuple):
    """A step: its edge (None: a beginning, or back into a caller), and what is afterwards."""

    edge: Edge | None
    stack: Stack
    section: bool
    shared: Shared
    started: Letter | None = None  # the thread that it starts


class Threads:
    """The steps of the threads of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.leaving: dict[tuple[str, int], list[int]] = {}
        for name, procedure in program.procedures.items():
            for number, edge in enumerate(procedure.edges):
                self.leaving.setdefault((name, edge.source), []).append(number)

    def has_ended(self, stack: Stack) -> bool:
        """Tell whether a thread is over."""
        return not stack or (stack[0].lowest and stack[0].location == self.program.procedures[stack[0].procedure].exit)

    def is_locked(self, shared: Shared) -> bool:
        """Tell whether the global `atomic` keeps others from running."""
        return self.program.atomic is not None and shared[self.program.globals.index(self.program.atomic)]

    def steps(self, stack: Stack, section: bool, shared: Shared) -> Iterator[Step]:
        """Yield each step of a thread."""
        if self.has_ended(stack):
            return
        top, below = stack[0], stack[1:]
        here = self.program.procedures[top.procedure]
        values = dict(zip(self.program.globals, shared, strict=True))
        if top.location == UNBEGUN:
            for start in begins(here, values | dict(zip(here.parameters, top.frame, strict=True))):
                yield Step(None, (self._letter(here, here.entry, start, top.lowest), *below), section, shared)
            return
        state = values | dict(zip(here.frame, top.frame, strict=True))
        if top.location == here.exit:
            yield from self._back(here, state, below, section)
        for number in self.leaving.get(top[:2], ()):
            for step in self._take(here, number, state, stack, section, shared):
                yield step._replace(section=step.section and not self.has_ended(step.stack))

    def _take(
        self, here: Procedure, number: int, state: State, stack: Stack, section: bool, shared: Shared
    ) -> Iterator[Step]:
        edge, (top, *below) = here.edges[number], stack
        match edge.action:
            case Call() as call:
                callee = self.program.procedures[call.procedure]
                for start in entries(self.program, callee, call, state):
                    entered = self._letter(callee, callee.entry, start, False)
                    yield Step(edge, (entered, top._replace(calling=number), *below), section, shared)
            case Thread("end_thread"):
                yield Step(edge, (), False, shared)
            case Thread() as action:
                moved = top._replace(location=edge.target)
                if can_be(here.enforce, True, state, None):
                    yield from self._thread(action, edge, (moved, *below), state, section, shared)
            case _:
                for after in successors(here, edge, state):
                    moved = self._letter(here, edge.target, after, top.lowest)
                    yield Step(edge, (moved, *below), section, self._globals(after))

    def _thread(
        self, action: Thread, edge: Edge, stack: Stack, state: State, section: bool, shared: Shared
    ) -> Iterator[Step]:
        match action:
            case Thread("atomic_begin" | "atomic_end" as operation):
                yield Step(edge, stack, operation == "atomic_begin", shared)
            case Thread("start_thread", int(location), None, _):
                begun = stack[0]._replace(location=location, calling=None, lowest=True)
                yield Step(edge, stack, section, shared, begun)
            case Thread("start_thread", None, str(name), arguments):
                parameters = self.program.procedures[name].parameters
                for passed in results(parameters, arguments, state):
                    frame = tuple(bool(passed[each]) for each in parameters)
                    yield Step(edge, stack, section, shared, Letter(name, UNBEGUN, frame, None, True))
            case _:
                raise Refused(f"nothing is known of '{action.operation}'", f"'{stack[0].procedure}'")

    def _back(self, here: Procedure, state: State, below: Stack, section: bool) -> Iterator[Step]:
        """Yield the step into the caller."""
        waiting = below[0]
        caller = self.program.procedures[waiting.procedure]
        assert waiting.calling is not None
        edge = caller.edges[waiting.calling]
        assert isinstance(edge.action, Call)
        if edge.action.procedure != here.name:
            return  # no such stack
        values = {**state, **dict(zip(caller.frame, waiting.frame, strict=True))}
        values = {name: values[name] for name in self.program.scope(caller)}
        try:
            after = state_after_return(self.program, caller, here, edge.action, values, state)
        except Refused:
            return  # what the caller enforces does not hold: there is no such step
        stack = (self._letter(caller, edge.target, after, waiting.lowest), *below[1:])
        yield Step(None, stack, section and not self.has_ended(stack), self._globals(after))

    def _letter(self, procedure: Procedure, location: int, state: State, lowest: bool) -> Letter:
        return Letter(procedure.name, location, tuple(bool(state[name]) for name in procedure.frame), None, lowest)

    def _globals(self, state: State) -> Shared:
        return tuple(bool(state[name]) for name in self.program.globals)
