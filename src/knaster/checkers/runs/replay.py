"""The replay of a trace: every step is checked on the concrete semantics before anybody sees it.

The steps of each activation are checked by `replay_steps`, and here how threads take turns.

Every thread has a stack of activations that waits while others run; a segment goes on where the last one of its thread
stopped, with the shared variables as the others left them.  A segment may end, for another one to follow, only where a
switch is allowed: outside a section, and not where an assertion has failed.  `start_thread` adds a thread with the next
number, so a call inside which a thread is started or ended is never folded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from knaster.base.errors import InternalError
from knaster.base.lazy import load_named
from knaster.checkers.runs.replay_steps import Paths, SharedSteps, StackEntry, StartedThread, check_finite, spell
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Path, Segment, Trace
from knaster.program.model import Call, Procedure, Program
from knaster.program.state import State
from knaster.semantics.sequential import allows_entry, can_hold, is_initial, state_after_return
from knaster.semantics.table import semantics_of

if TYPE_CHECKING:
    from knaster.semantics.heap.failure import Failure


def replay(program: Program, trace: Trace, target: Target, shared: SharedSteps | None = None) -> Failure | None:
    """Return where `trace` is a run of `program` from its start to `target`; else raise `InternalError`.

    Of a program with references, and of a deadlock, it returns how the run fails, if it does.
    """
    way = load_named(semantics_of(program).replay)
    more = (shared,) if way is replay_states else ()
    failure: Failure | None = way(program, trace, target, *more)
    return failure


def replay_states(program: Program, trace: Trace, target: Target, shared: SharedSteps | None = None) -> Failure | None:
    """Replay a run whose states are values of variables; of a deadlock return how the run fails."""
    if not target.has_place:
        from knaster.checkers.runs.replay_deadlock import check_stuck

        return check_stuck(program, trace, target)
    Replay(program, None if program.is_threaded else shared).run(trace, target)
    return None


class Replay:
    """A trace of one program under replay: where each thread stands, and the shared variables."""

    def __init__(self, program: Program, shared: SharedSteps | None = None) -> None:
        self.program = program
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.paths = Paths(program, shared)
        self.schedule = self.paths.schedule
        self.stacks: dict[int, list[StackEntry]] = {}
        self.shared: State | None = None  # the globals as the last segment left them

    def run(self, trace: Trace, target: Target) -> None:
        """Check that a trace leads from the start to a target."""
        self.walk(trace)
        segment = trace.segments[-1]
        if not self.stacks[segment.thread]:
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
            self.schedule.running = segment.thread
            self.check_segment(segment)
        self.paths.check_insides()

    def check_segment(self, segment: Segment) -> None:
        """Check what one thread does in one go."""
        stack = self.stacks.get(segment.thread)
        if segment.thread in self.schedule.ended:
            raise InternalError(f"thread {segment.thread} runs although it has ended")
        if stack is None:
            stack = self.stacks[segment.thread] = []
            self.check_start(segment.thread, segment.paths[0])
        else:
            self.check_resumed(stack.pop(), segment.paths[0])
        for path, following in zip(segment.paths, segment.paths[1:], strict=False):
            if path.steps and isinstance(path.steps[-1].edge.action, Call) and path.steps[-1].inside is None:
                stack.append(self.paths.check_suspended(path, following))
            else:
                self.check_return(path, stack, following)
            if segment.thread in self.schedule.ended:
                raise InternalError(f"thread {segment.thread} goes on although it has ended")
        last = segment.paths[-1]
        location = self.paths.check_steps(last, last.steps)
        self.shared = {name: last.end[name] for name in self.program.globals}
        if segment.thread in self.schedule.ended:
            stack.clear()
            self.schedule.section = False
            return
        if location == self.procedures[last.procedure].exit and not stack:
            self.schedule.ended.add(segment.thread)
            self.schedule.section = False
        stack.append(StackEntry(last.procedure, location, last.end))

    def check_switch(self, left: int, entered: int) -> None:
        """Check that after one thread has run another one may."""
        assert self.shared is not None
        top = self.stacks[left][-1] if self.stacks[left] else None
        if left == entered:
            raise InternalError(f"thread {left} goes on in a segment of its own")
        if self.schedule.section:
            raise InternalError(f"thread {left} is inside a section when thread {entered} runs")
        if self.program.atomic is not None and self.shared[self.program.atomic]:
            raise InternalError(f"'{self.program.atomic}' is 1 when thread {entered} runs")
        if top is not None and top.location in self.procedures[top.procedure].failures:
            raise InternalError(f"thread {entered} runs after an assertion has failed")

    def check_start(self, thread: int, path: Path) -> None:
        """Check that a thread begins with this path."""
        if not 1 <= thread <= len(self.program.threads) + len(self.schedule.started):
            raise InternalError(f"there is no thread {thread}")
        if thread > len(self.program.threads):
            self.check_started(self.schedule.started[thread - len(self.program.threads) - 1], path)
            return
        entry = self.program.threads[thread - 1]
        if path.procedure != entry or path.begin is not None:
            raise InternalError(f"the trace starts in '{path.procedure}', not in '{entry}'")
        procedure = self.paths.start_of(path)
        if self.shared is None:
            starts = is_initial(self.program, procedure, path.start)
        else:
            starts = self.agrees(path.start) and can_hold(procedure.enforce, path.start)
        if not starts:
            raise InternalError(f"the trace starts in no initial state: {spell(path.start)}")

    def check_started(self, started: StartedThread, path: Path) -> None:
        """Check that a thread that another one has started begins with this path."""
        assert self.shared is not None
        procedure = self.paths.start_of(path)
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
            raise InternalError(f"a started thread cannot begin in {spell(path.start)}")

    def agrees(self, state: State) -> bool:
        """Tell whether the shared variables are as the last segment left them."""
        assert self.shared is not None
        return all(state[name] == value for name, value in self.shared.items())

    def check_resumed(self, waiting: StackEntry, path: Path) -> None:
        """Check that a path goes on where an activation waits."""
        assert self.shared is not None
        self.paths.start_of(path)
        if (path.procedure, path.begin) != (waiting.procedure, waiting.location):
            where = f"location {waiting.location} of '{waiting.procedure}'"
            raise InternalError(
                f"a thread waits at {where}, the trace resumes it at {path.begin} of '{path.procedure}'"
            )
        if dict(path.start) != {**waiting.state, **self.shared}:
            raise InternalError(f"a thread is resumed in {spell(path.start)}, which is not how it was left")

    def check_return(self, path: Path, stack: list[StackEntry], following: Path) -> None:
        """Check that a path ends at its exit, and that `following` is its caller after the return."""
        callee = self.procedures.get(path.procedure)
        location = self.paths.check_steps(path, path.steps)
        if callee is None or location != callee.exit:
            raise InternalError(f"the path in '{path.procedure}' ends without a call or a return, but another follows")
        if not stack or stack[-1].edge is None:
            raise InternalError(f"'{path.procedure}' returns, but nobody has called it")
        waiting = stack.pop()
        assert waiting.edge is not None
        call = waiting.edge.action
        assert isinstance(call, Call)
        caller = self.paths.start_of(following)
        after = state_after_return(self.program, caller, callee, call, waiting.state, path.end)
        if (following.procedure, following.begin) != (waiting.procedure, waiting.edge.target):
            raise InternalError(f"'{path.procedure}' returns to '{waiting.procedure}', not to '{following.procedure}'")
        if after is None or dict(after) != dict(following.start):
            led = "no state" if after is None else spell(after)
            raise InternalError(f"'{path.procedure}' returns into {led}, the trace says {spell(following.start)}")
