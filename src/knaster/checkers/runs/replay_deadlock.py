"""The replay of a trace to a deadlock: where it ends no thread can move, by the meaning of threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.errors import InternalError
from knaster.checkers.runs.replay import Replay
from knaster.checkers.runs.replay_steps import StartedThread
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Call, Concurrent, Edge, Procedure, Program, ThreadOperation
from knaster.program.state import State
from knaster.semantics.heap.failure import DEADLOCK, MESSAGES, Failure
from knaster.semantics.sequential import entry_states
from knaster.semantics.threads import UNBEGUN, Activation, Configuration, Stack, Threads


def check_stuck(program: Program, trace: Trace, target: Target) -> Failure:
    """Replay a trace; return where it stops.  Raises `InternalError` unless it is a run that ends in a deadlock."""
    if target.kind != DEADLOCK:
        raise InternalError(f"no run of threads ends in '{target.kind}'")
    ending = _End(program, trace)
    threads = range(1, ending.count + 1)
    if ending.is_busy() or all(ending.has_ended(thread) for thread in threads):
        raise InternalError("the trace ends where all threads have ended, or where no other thread may run")
    for thread in threads:
        if ending.can_step(thread):
            raise InternalError(f"thread {thread} can still move where the trace ends")
    first = next(thread for thread in threads if not ending.has_ended(thread))
    procedure, line = ending.where(first)
    return Failure(DEADLOCK, MESSAGES[DEADLOCK], line, procedure, first)


def reasons_to_stand(program: Program, trace: Trace) -> list[str]:
    """Return for each thread why it cannot move where a trace ends that is a deadlock."""
    ending, found = _End(program, trace), []
    for thread in range(1, ending.count + 1):
        if ending.has_ended(thread):
            found.append(f"thread {thread} has ended")
        else:
            procedure, line = ending.where(thread)
            found.append(f"thread {thread} waits in {procedure} at line {line}: {ending.why(thread)}")
    return found


class _End:
    """Where each thread stands at the end of a trace."""

    def __init__(self, program: Program, trace: Trace) -> None:
        self.program = program
        self.replayed = Replay(program)
        self.replayed.walk(trace)
        self.running = trace.segments[-1].thread
        self.count = len(program.threads) + len(self.replayed.schedule.started)
        self.threads = Threads(program)
        assert self.replayed.shared is not None
        self.shared = tuple(bool(self.replayed.shared[name]) for name in program.globals)

    def is_busy(self) -> bool:
        """Tell whether no other thread may run: inside a section, or where an assertion has failed."""
        stack = next(self._stacks(self.running), ())
        return not self.threads.may_switch(Configuration(self.shared, (stack,), 0, self.replayed.schedule.section))

    def has_ended(self, thread: int) -> bool:
        """Tell whether a thread has ended."""
        return thread in self.replayed.schedule.ended

    def can_step(self, thread: int) -> bool:
        """Tell whether a thread can step, whatever is left open of a thread that was started and has not run."""
        if self.has_ended(thread):
            return False
        ways = [self.threads.can_step(Configuration(self.shared, (stack,), 0)) for stack in self._stacks(thread)]
        return all(ways)

    def where(self, thread: int) -> tuple[str, int]:
        """Return the procedure in which a thread stands that has not ended, and the line."""
        top = next(self._stacks(thread))[-1]
        leaving = self._edges_leaving(top)
        procedure = self.program.procedure(top.procedure)
        return procedure.name, leaving[0].span.line if leaving else procedure.span.line

    def why(self, thread: int) -> str:
        """Return in a few words why a thread cannot move."""
        leaving = self._edges_leaving(next(self._stacks(thread))[-1])
        if any(_begins_section(edge) for edge in leaving):
            return "there is no way through the section"
        return "its condition does not hold" if leaving else "it cannot return"

    def _edges_leaving(self, top: Activation) -> Sequence[Edge]:
        procedure = self.program.procedure(top.procedure)
        location = procedure.entry if top.location == UNBEGUN else top.location
        return procedure.leaving.get(location, ())

    def _stacks(self, thread: int) -> Iterator[Stack]:
        """Yield what the stack of a thread can be: one, unless it was started with choices and has not run."""
        waiting = self.replayed.stacks.get(thread)
        if waiting is not None:
            yield tuple(self._activation(own.procedure, own.location, own.state, own.edge) for own in waiting)
        elif thread <= len(self.program.threads):
            yield (Activation(self.program.threads[thread - 1], UNBEGUN, ()),)
        else:
            yield from self._started_stacks(self.replayed.schedule.started[thread - len(self.program.threads) - 1])

    def _started_stacks(self, started: StartedThread) -> Iterator[Stack]:
        if started.call is None:
            assert started.location is not None
            yield (self._activation(started.procedure, started.location, started.starter, None),)
            return
        callee = self.program.procedure(started.procedure)
        bare = Procedure(callee.name, callee.parameters, (), (), callee.entry, callee.exit, ())
        for start in entry_states(self.program, bare, started.call, started.starter):
            yield (Activation(callee.name, UNBEGUN, tuple(bool(start[name]) for name in callee.parameters)),)

    def _activation(self, name: str, location: int, state: State, call: Edge | None) -> Activation:
        procedure = self.program.procedure(name)
        calling = None if call is None else procedure.edges.index(call)
        assert call is None or isinstance(call.action, Call)
        return Activation(name, location, tuple(bool(state[own]) for own in procedure.frame), calling)


def _begins_section(edge: Edge) -> bool:
    return isinstance(edge.action, Concurrent) and edge.action.operation is ThreadOperation.ATOMIC_BEGIN
