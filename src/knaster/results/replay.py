"""Replay: every step of a trace is checked on the concrete semantics before anybody sees it.

A shared path is checked once, whatever the number of calls that use it: its own steps depend on its start only, and
each call checks how it enters the path and what it gets back.  So a trace of 2^800 steps takes the time of its DAG.
That it is one is checked first: a path inside itself would be a call that returns because it returns.

Every thread has a stack of activations that waits while others run; a segment goes on where the last one of its thread
stopped, with the shared variables as the others left them.
"""

from __future__ import annotations

from dataclasses import dataclass

from knaster.errors import InternalError
from knaster.graphs import postorder
from knaster.heap.failure import Failure
from knaster.program.evaluate import State
from knaster.program.interpreter import allows, allows_entry, can_hold, is_initial, state_after_return
from knaster.program.model import Call, Edge, Location, Procedure, Program
from knaster.program.types import Type, belongs
from knaster.results.question import Target
from knaster.results.trace import Path, Segment, Step, Trace


def replay(program: Program, trace: Trace, target: Target) -> Failure | None:
    """Return where `trace` is a run of `program` from its start to `target`; else raise `InternalError`.

    Of a program with references it returns how the run fails, if it does.
    """
    if program.objects is not None:
        from knaster.results.heap_replay import replay_heap

        return replay_heap(program, trace, target)
    _Replay(program).run(trace, target)
    return None


@dataclass(frozen=True, slots=True)
class _Activation:
    """An activation that waits: where it stands, its state, and the edge of the call that it is in."""

    procedure: str
    location: Location
    state: State
    edge: Edge | None = None


class _Replay:
    """One program, prepared for looking up edges, and the paths that are still to be checked."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.edges: dict[str, dict[Location, list[Edge]]] = {}
        self.scopes: dict[str, frozenset[str]] = {}
        self.types: dict[str, dict[str, Type]] = {}
        self.todo: list[Path] = []
        self.seen: set[int] = set()
        self.stacks: dict[int, list[_Activation]] = {}
        self.shared: State | None = None  # the globals as the last segment left them

    def run(self, trace: Trace, target: Target) -> None:
        if not isinstance(trace, Trace) or not trace.segments or not all(segment.paths for segment in trace.segments):
            raise InternalError("the trace has no path")
        check_finite(trace)
        for segment in trace.segments:
            self.check_segment(segment)
        last = self.stacks[trace.segments[-1].thread][-1]
        if (last.procedure, last.location) != target.place or last.location != trace.location:
            raise InternalError(
                f"the trace ends at location {last.location} of '{last.procedure}' and says {trace.location}; "
                f"the target '{target.name}' is location {target.location} of '{target.procedure}'"
            )
        while self.todo:
            path = self.todo.pop()
            location = self.check_steps(path, path.steps)
            if location != self.procedures[path.procedure].exit:
                raise InternalError(f"a call of '{path.procedure}' returns from location {location}, not from its exit")

    def check_segment(self, segment: Segment) -> None:
        """Check what one thread does in one go."""
        stack = self.stacks.get(segment.thread)
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
        last = segment.paths[-1]
        stack.append(_Activation(last.procedure, self.check_steps(last, last.steps), last.end))
        self.shared = {name: last.end[name] for name in self.program.globals}

    def check_start(self, thread: int, path: Path) -> None:
        """Check that a thread begins with this path."""
        if not 1 <= thread <= len(self.program.threads):
            raise InternalError(f"there is no thread {thread}")
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

    def agrees(self, state: State) -> bool:
        """Tell whether the shared variables are as the last segment left them."""
        assert self.shared is not None
        return all(state[name] == value for name, value in self.shared.items())

    def check_resumed(self, waiting: _Activation, path: Path) -> None:
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

    def check_suspended(self, path: Path, following: Path) -> _Activation:
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
        return _Activation(path.procedure, location, before, step.edge)

    def check_return(self, path: Path, stack: list[_Activation], following: Path) -> None:
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

    def check_steps(self, path: Path, steps: tuple[Step, ...]) -> Location:
        """Check these first steps of `path`, every call among them returning; return the location they lead to."""
        procedure = self.start_of(path)
        location, before = procedure.entry if path.begin is None else path.begin, path.start
        for index, step in enumerate(steps):
            where = _where(path.procedure, index)
            self.check_edge(path.procedure, location, step, where)
            if isinstance(step.edge.action, Call):
                self.check_call(procedure, step.edge.action, before, step, where)
            elif step.inside is not None:
                raise InternalError(f"{where}: a step that is no call has a path inside")
            elif not allows(procedure, step.edge, before, step.after, step.inputs):
                raise InternalError(f"{where}: {_show(before)} does not lead to {_show(step.after)}")
            location, before = step.edge.target, step.after
        return location

    def check_edge(self, name: str, location: Location, step: Step, where: str) -> None:
        """Check that the step takes an edge that leaves `location` and ends in a state of the right scope."""
        edge = step.edge
        if name not in self.edges:
            self.edges[name] = {}
            for own in self.procedures[name].edges:
                self.edges[name].setdefault(own.source, []).append(own)
        if edge.source != location:
            raise InternalError(f"{where}: the edge starts at location {edge.source}, control stands at {location}")
        leaving = self.edges[name].get(location, [])
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
