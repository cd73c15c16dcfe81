"""Replay: every step of a trace is checked on the concrete semantics before anybody sees it.

A shared path is checked once, whatever the number of calls that use it: its own steps depend on its start only, and
each call checks how it enters the path and what it gets back.  So a trace of 2^800 steps takes the time of its DAG.
That it is one is checked first: a path inside itself would be a call that returns because it returns.

Every thread has a stack of activations that waits while others run; a segment goes on where the last one of its thread
stopped, with the shared variables as the others left them.  A segment may end, for another one to follow, only where a
switch is allowed: outside a section, and not where an assertion has failed.  `start_thread` adds a thread with the next
number, so a call inside which a thread is started or ended is never folded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from knaster.base.errors import InternalError
from knaster.base.graphs import postorder
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Segment, Step, Trace
from knaster.program.model import Call, Concurrent, Edge, Kind, Location, Procedure, Program, ThreadOperation
from knaster.program.state import State
from knaster.program.types import Type, belongs
from knaster.semantics.sequential import allows, allows_entry, can_hold, is_initial, state_after_return

if TYPE_CHECKING:
    from knaster.semantics.heap.failure import Failure


def replay(program: Program, trace: Trace, target: Target) -> Failure | None:
    """Return where `trace` is a run of `program` from its start to `target`; else raise `InternalError`.

    Of a program with references, and of a deadlock, it returns how the run fails, if it does.
    """
    if program.kind is Kind.REFERENCES:
        from knaster.checkers.replay_heap import replay_heap

        return replay_heap(program, trace, target)
    if not target.has_place:
        from knaster.checkers.replay_deadlock import check_stuck

        return check_stuck(program, trace, target)
    Replaying(program).run(trace, target)
    return None


@dataclass(frozen=True, slots=True)
class Waiting:
    """An activation that waits: where it stands, its state, and the edge of the call that it is in."""

    procedure: str
    location: Location
    state: State
    edge: Edge | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """A thread that has been started and has not run: in a procedure by a call, or in the middle of one."""

    starter: State
    call: Call | None
    procedure: str
    location: Location | None


class Replaying:
    """One program, prepared for looking up edges, and the paths that are still to be checked."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.scopes: dict[str, frozenset[str]] = {}
        self.types: dict[str, dict[str, Type]] = {}
        self.todo: list[Path] = []
        self.seen: set[int] = set()
        self.stacks: dict[int, list[Waiting]] = {}
        self.shared: State | None = None  # the globals as the last segment left them
        self.started: list[Started] = []  # their numbers follow those of the threads that run from the start
        self.ended: set[int] = set()
        self.running = 0
        self.section = False
        self.folded: dict[int, bool | None] = {}

    def run(self, trace: Trace, target: Target) -> None:
        """Check that a trace leads from the start to a target."""
        self.walk(trace)
        segment = trace.segments[-1]
        if segment.thread in self.ended and not self.stacks[segment.thread]:
            raise InternalError("the trace ends where its thread has ended")
        last = self.stacks[segment.thread][-1]
        if (last.procedure, last.location) != target.place or last.location != trace.location:
            raise InternalError(
                f"the trace ends at location {last.location} of '{last.procedure}' and says {trace.location}; "
                f"the target '{target.name}' is location {target.location} of '{target.procedure}'"
            )
        if target.condition is not None and not can_hold(target.condition, last.state):
            raise InternalError(f"the trace ends in a state in which the condition of '{target.name}' does not hold")

    def walk(self, trace: Trace) -> None:
        """Check every step of a trace; afterwards it is known where each thread stands."""
        if not isinstance(trace, Trace) or not trace.segments or not all(segment.paths for segment in trace.segments):
            raise InternalError("the trace has no path")
        check_finite(trace)
        for index, segment in enumerate(trace.segments):
            if index:
                self.check_switch(trace.segments[index - 1].thread, segment.thread)
            self.running = segment.thread
            self.check_segment(segment)
        self.check_insides()

    def check_insides(self) -> None:
        """Check the runs of callees that calls have used, each once."""
        while self.todo:
            path = self.todo.pop()
            location = self.check_steps(path, path.steps, folded=True)
            if location != self.procedures[path.procedure].exit:
                raise InternalError(f"a call of '{path.procedure}' returns from location {location}, not from its exit")

    def check_segment(self, segment: Segment) -> None:
        """Check what one thread does in one go."""
        stack = self.stacks.get(segment.thread)
        if segment.thread in self.ended:
            raise InternalError(f"thread {segment.thread} runs although it has ended")
        if stack is None:
            stack = self.stacks[segment.thread] = []
            self.check_start(segment.thread, segment.paths[0])
        else:
            self.check_resumed(stack.pop(), segment.paths[0])
        for path, following in zip(segment.paths, segment.paths[1:], strict=False):
            if path.steps and isinstance(path.steps[-1].edge.action, Call) and path.steps[-1].inside is None:
                stack.append(self.check_suspended(path, following))
            else:
                self.check_return(path, stack, following)
            if segment.thread in self.ended:
                raise InternalError(f"thread {segment.thread} goes on although it has ended")
        last = segment.paths[-1]
        location = self.check_steps(last, last.steps)
        self.shared = {name: last.end[name] for name in self.program.globals}
        if segment.thread in self.ended:
            stack.clear()
            self.section = False
            return
        if location == self.procedures[last.procedure].exit and not stack:
            self.ended.add(segment.thread)
            self.section = False
        stack.append(Waiting(last.procedure, location, last.end))

    def check_switch(self, left: int, entered: int) -> None:
        """Check that after one thread has run another one may."""
        assert self.shared is not None
        top = self.stacks[left][-1] if self.stacks[left] else None
        if left == entered:
            raise InternalError(f"thread {left} goes on in a segment of its own")
        if self.section:
            raise InternalError(f"thread {left} is inside a section when thread {entered} runs")
        if self.program.atomic is not None and self.shared[self.program.atomic]:
            raise InternalError(f"'{self.program.atomic}' is 1 when thread {entered} runs")
        if top is not None and top.location in self.procedures[top.procedure].failures:
            raise InternalError(f"thread {entered} runs after an assertion has failed")

    def check_start(self, thread: int, path: Path) -> None:
        """Check that a thread begins with this path."""
        if not 1 <= thread <= len(self.program.threads) + len(self.started):
            raise InternalError(f"there is no thread {thread}")
        if thread > len(self.program.threads):
            self.check_started(self.started[thread - len(self.program.threads) - 1], path)
            return
        entry = self.program.threads[thread - 1]
        if path.procedure != entry or path.begin is not None:
            raise InternalError(f"the trace starts in '{path.procedure}', not in '{entry}'")
        procedure = self.start_of(path)
        if self.shared is None:
            starts = is_initial(self.program, procedure, path.start)
        else:
            starts = self.agrees(path.start) and can_hold(procedure.enforce, path.start)
        if not starts:
            raise InternalError(f"the trace starts in no initial state: {_show(path.start)}")

    def check_started(self, started: Started, path: Path) -> None:
        """Check that a thread that another one has started begins with this path."""
        assert self.shared is not None
        procedure = self.start_of(path)
        if (path.procedure, path.begin) != (started.procedure, started.location):
            raise InternalError(f"a thread is started in '{started.procedure}', it begins in '{path.procedure}'")
        before = {**started.starter, **self.shared}
        if started.call is None:
            begins = dict(path.start) == before
        else:
            passed = {name: path.start[name] for name in procedure.parameters}
            bare = Procedure(procedure.name, procedure.parameters, (), (), procedure.entry, procedure.exit, ())
            begins = self.agrees(path.start) and can_hold(procedure.enforce, path.start)
            globals_then = {name: started.starter[name] for name in self.program.globals}
            begins = begins and allows_entry(
                self.program, bare, started.call, started.starter, {**globals_then, **passed}
            )
        if not begins:
            raise InternalError(f"a started thread cannot begin in {_show(path.start)}")

    def agrees(self, state: State) -> bool:
        """Tell whether the shared variables are as the last segment left them."""
        assert self.shared is not None
        return all(state[name] == value for name, value in self.shared.items())

    def check_resumed(self, waiting: Waiting, path: Path) -> None:
        """Check that a path goes on where an activation waits."""
        assert self.shared is not None
        self.start_of(path)
        if (path.procedure, path.begin) != (waiting.procedure, waiting.location):
            where = f"location {waiting.location} of '{waiting.procedure}'"
            raise InternalError(
                f"a thread waits at {where}, the trace resumes it at {path.begin} of '{path.procedure}'"
            )
        if dict(path.start) != {**waiting.state, **self.shared}:
            raise InternalError(f"a thread is resumed in {_show(path.start)}, which is not how it was left")

    def check_suspended(self, path: Path, following: Path) -> Waiting:
        """Check a path that ends with the call that enters `following`; return its activation, which waits."""
        before = path.steps[-2].after if len(path.steps) > 1 else path.start
        location = self.check_steps(path, path.steps[:-1])
        step = path.steps[-1]
        where = _where(path.procedure, len(path.steps) - 1)
        self.check_edge(path.procedure, location, step, where)
        call = step.edge.action
        assert isinstance(call, Call)
        if dict(step.after) != dict(before):
            raise InternalError(f"{where}: the call that is entered changes its caller's state")
        if following.begin is not None:
            raise InternalError(f"{where}: the callee does not begin at its entry")
        self.check_entry(call, before, following, step, where)
        return Waiting(path.procedure, location, before, step.edge)

    def check_return(self, path: Path, stack: list[Waiting], following: Path) -> None:
        """Check that a path ends at its exit, and that `following` is its caller after the return."""
        callee = self.procedures.get(path.procedure)
        location = self.check_steps(path, path.steps)
        if callee is None or location != callee.exit:
            raise InternalError(f"the path in '{path.procedure}' ends without a call or a return, but another follows")
        if not stack or stack[-1].edge is None:
            raise InternalError(f"'{path.procedure}' returns, but nobody has called it")
        waiting = stack.pop()
        assert waiting.edge is not None
        call = waiting.edge.action
        assert isinstance(call, Call)
        caller = self.start_of(following)
        after = state_after_return(self.program, caller, callee, call, waiting.state, path.end)
        if (following.procedure, following.begin) != (waiting.procedure, waiting.edge.target):
            raise InternalError(f"'{path.procedure}' returns to '{waiting.procedure}', not to '{following.procedure}'")
        if after is None or dict(after) != dict(following.start):
            shown = "no state" if after is None else _show(after)
            raise InternalError(f"'{path.procedure}' returns into {shown}, the trace says {_show(following.start)}")

    def check_steps(self, path: Path, steps: tuple[Step, ...], folded: bool = False) -> Location:
        """Check these first steps of `path`, every call among them returning; return the location they lead to.

        What a path does to sections and to other threads happens here unless it is folded into a call.
        """
        procedure = self.start_of(path)
        location, before = procedure.entry if path.begin is None else path.begin, path.start
        for index, step in enumerate(steps):
            where = _where(path.procedure, index)
            if not folded and self.running in self.ended:
                raise InternalError(f"{where}: thread {self.running} has ended")
            self.check_edge(path.procedure, location, step, where)
            if isinstance(step.edge.action, Call):
                self.check_call(procedure, step.edge.action, before, step, where)
                if not folded and step.inside is not None:
                    self.section = self.section_after(step.inside, self.section)
            elif isinstance(step.edge.action, Concurrent):
                self.check_concurrent(procedure, step, before, where, folded)
            elif step.inside is not None:
                raise InternalError(f"{where}: a step that is no call has a path inside")
            elif not allows(procedure, step.edge, before, step.after, step.inputs):
                raise InternalError(f"{where}: {_show(before)} does not lead to {_show(step.after)}")
            location, before = step.edge.target, step.after
        return location

    def check_concurrent(self, procedure: Procedure, step: Step, before: State, where: str, folded: bool) -> None:
        """Check a thread statement, and do what it does to sections and threads."""
        action = step.edge.action
        assert isinstance(action, Concurrent)
        if step.inside is not None or dict(step.after) != dict(before):
            raise InternalError(f"{where}: a thread statement changes the state of its activation")
        operation = action.operation
        if operation is not ThreadOperation.END and not can_hold(procedure.enforce, before):
            raise InternalError(f"{where}: {_show(before)} violates what '{procedure.name}' enforces")
        if operation in (ThreadOperation.ATOMIC_BEGIN, ThreadOperation.ATOMIC_END):
            if not folded:
                self.section = operation is ThreadOperation.ATOMIC_BEGIN
        elif folded:
            raise InternalError(f"{where}: '{operation.value}' inside a call that is one step")
        elif operation is ThreadOperation.END:
            self.ended.add(self.running)
        elif operation is ThreadOperation.START and action.procedure is not None:
            call = Call(action.procedure, action.arguments)
            self.started.append(Started(before, call, action.procedure, None))
        elif operation is ThreadOperation.START:
            self.started.append(Started(before, None, procedure.name, action.location))
        else:
            raise InternalError(f"{where}: nothing is known of '{operation.value}'")

    def section_after(self, path: Path, before: bool) -> bool:
        """Return whether a section is open after a folded path, by the last statement in it that opens or ends one."""
        todo: list[tuple[Path, bool]] = [(path, False)]
        while todo:
            here, ready = todo.pop()
            if id(here) in self.folded:
                continue
            inner = [step.inside for step in here.steps if step.inside is not None]
            if not ready:
                todo.append((here, True))
                todo += [(other, False) for other in inner if id(other) not in self.folded]
                continue
            last: bool | None = None
            for step in here.steps:
                action, effect = step.edge.action, None
                if step.inside is not None:
                    effect = self.folded[id(step.inside)]
                elif isinstance(action, Concurrent):
                    effect = action.operation is ThreadOperation.ATOMIC_BEGIN
                last = last if effect is None else effect
            self.folded[id(here)] = last
        after = self.folded[id(path)]
        return before if after is None else after

    def check_edge(self, name: str, location: Location, step: Step, where: str) -> None:
        """Check that the step takes an edge that leaves `location` and ends in a state of the right scope."""
        edge = step.edge
        if edge.source != location:
            raise InternalError(f"{where}: the edge starts at location {edge.source}, control stands at {location}")
        leaving = self.procedures[name].leaving.get(location, ())
        if not any(own is edge for own in leaving) and edge not in leaving:
            raise InternalError(f"{where}: no such edge leaves location {location}")
        self.check_scope(name, step.after, where)

    def check_call(self, caller: Procedure, call: Call, before: State, step: Step, where: str) -> None:
        """Check a call that returns, except for the steps inside, which are checked once for all their callers."""
        inside = step.inside
        if inside is None:
            raise InternalError(f"{where}: the call of '{call.procedure}' has no path inside")
        if inside.begin is not None:
            raise InternalError(f"{where}: the path inside does not begin at the entry of '{inside.procedure}'")
        self.check_entry(call, before, inside, step, where)
        if id(inside) not in self.seen:
            self.seen.add(id(inside))
            self.todo.append(inside)
        callee = self.procedures[call.procedure]
        self.check_scope(callee.name, inside.end, where)
        after = state_after_return(self.program, caller, callee, call, before, inside.end)
        if after is None or dict(after) != dict(step.after):
            shown = "no state" if after is None else _show(after)
            raise InternalError(f"{where}: '{call.procedure}' returns into {shown}, the trace says {_show(step.after)}")

    def check_entry(self, call: Call, before: State, inside: Path, step: Step, where: str) -> None:
        """Check that the call, made in the state `before`, can begin `inside`."""
        if inside.procedure != call.procedure:
            raise InternalError(f"{where}: '{call.procedure}' is called, '{inside.procedure}' is entered")
        callee = self.start_of(inside)
        if not allows_entry(self.program, callee, call, before, inside.start, step.inputs):
            raise InternalError(f"{where}: {_show(before)} does not call '{callee.name}' in {_show(inside.start)}")

    def start_of(self, path: Path) -> Procedure:
        """Return the procedure of `path`, which exists and whose scope the start covers."""
        procedure = self.procedures.get(path.procedure)
        if procedure is None:
            raise InternalError(f"there is no procedure '{path.procedure}'")
        self.check_scope(path.procedure, path.start, f"start of '{path.procedure}'")
        return procedure

    def check_scope(self, name: str, state: State, where: str) -> None:
        """Check that `state` gives a value to exactly the variables in scope."""
        scope = self.scopes.get(name)
        if scope is None:
            scope = self.scopes[name] = frozenset(self.program.scope(self.procedures[name]))
        if state.keys() != scope:
            wrong = ", ".join(sorted(state.keys() ^ scope))
            raise InternalError(f"{where}: the state misses or invents {wrong}")
        if name not in self.types:
            self.types[name] = self.program.types_in(self.procedures[name])
        types = self.types[name]
        for variable, value in state.items():
            if not belongs(value, types[variable]):
                raise InternalError(f"{where}: {variable}={value!r} is no value of its type")


def check_finite(trace: Trace) -> None:
    """Raise `InternalError` where a path of the trace is inside itself: such a run never ends."""
    finished = {path: place for place, path in enumerate(postorder(trace.paths, _inside))}
    for path, place in finished.items():
        if any(finished[inner] >= place for inner in _inside(path)):
            raise InternalError(f"a run of '{path.procedure}' is inside itself")


def _inside(path: Path) -> list[Path]:
    return [step.inside for step in path.steps if step.inside is not None]


def _where(procedure: str, index: int) -> str:
    return f"step {index + 1} in '{procedure}'"


def _show(state: State) -> str:
    shown = (f"{name}={int(value) if isinstance(value, bool) else value}" for name, value in state.items())
    return " ".join(shown) or "the empty state"
