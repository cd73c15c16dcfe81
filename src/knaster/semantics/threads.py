"""Threads that share the globals: what one step of one of them can do, and when another one may run.

The rules are those of docs/language.md.  Counting context switches is the idea of S. Qadeer and J. Rehof,
Context-Bounded Model Checking of Concurrent Software (TACAS 2005); counting rounds that of A. Lal and T. Reps, Reducing
Concurrent Analysis Under a Context Bound to Sequential Analysis (CAV 2008).

A *configuration* has the values of the globals, a stack of activations for each thread, the thread that runs, and
whether that one is inside an atomic section.  A thread begins when it runs for the first time: its locals take any
values then, and the `enforce` of its procedure must hold then.  An empty stack is a thread that has ended.

A bounded run needs only those started threads that it switches to: with `keep` set, at most so many are kept, and each
`start_thread` may also forget its thread.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.errors import UnsupportedError
from knaster.base.named_tuples import NamedTuple
from knaster.program.model import Call, Concurrent, Edge, Location, Place, Procedure, Program, ThreadOperation
from knaster.program.state import State
from knaster.semantics.sequential import can_hold, entry_states, state_after_return, successors, valuations

Valuation = tuple[bool, ...]
UNBEGUN: Location = -1  # where a thread stands that has not run yet


class Activation(NamedTuple):
    """One call of a procedure: where it stands, its own variables, and the number of the edge of the call it is in.

    Before it has begun, the parameters are all of its own variables.
    """

    procedure: str
    location: Location
    frame: Valuation
    calling: int | None = None

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.procedure, self.location


Stack = tuple[Activation, ...]


class Configuration(NamedTuple):
    """The globals, the stack of each thread (numbered from 0 here), who runs, and whether in an atomic section."""

    shared: Valuation
    stacks: tuple[Stack, ...]
    running: int
    section: bool = False

    @property
    def place(self) -> Place | None:
        """Where the running thread stands; None where it has ended by `end_thread`."""
        stack = self.stacks[self.running]
        return stack[-1].place if stack else None


class Threads:
    """The steps and switches of one program."""

    def __init__(self, program: Program, keep: int | None = None) -> None:
        self.program = program
        self.keep = keep
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.leaving: dict[Place, list[int]] = {}
        for procedure in program.procedures:
            for number, edge in enumerate(procedure.edges):
                self.leaving.setdefault((procedure.name, edge.source), []).append(number)
        self._lock = program.globals.index(program.atomic) if program.atomic is not None else None

    def starts(self) -> Iterator[Configuration]:
        """Yield every configuration in which the program can start: any of its threads may run first."""
        stacks = tuple((Activation(name, UNBEGUN, ()),) for name in self.program.threads)
        for state in valuations(self.program.globals):
            if can_hold(self.program.init, state):
                for thread in range(len(stacks)):
                    yield from self.begin(Configuration(tuple(state.values()), stacks, thread))

    def switches(self, here: Configuration) -> Iterator[Configuration]:
        """Yield every configuration after a switch to another thread that has not ended."""
        if self.may_switch(here):
            for thread, stack in enumerate(here.stacks):
                if thread != here.running and not self.has_ended(stack):
                    yield from self.begin(here._replace(running=thread))

    def may_switch(self, here: Configuration) -> bool:
        """Tell whether another thread may run now: not in a section, nor where an assertion has failed."""
        if here.section or (self._lock is not None and here.shared[self._lock]):
            return False
        place = here.place
        return place is None or place[1] not in self.procedures[place[0]].failures

    def has_ended(self, stack: Stack) -> bool:
        """Tell whether a thread has ended: at `end_thread`, or its first procedure has returned."""
        return not stack or (len(stack) == 1 and self.is_at_exit(stack[0]))

    def steps(self, here: Configuration) -> Iterator[tuple[Edge | None, Configuration]]:
        """Yield each step of the running thread with its edge; None is coming back from a callee's exit."""
        stack = here.stacks[here.running]
        if self.has_ended(stack):
            return
        top = stack[-1]
        if self.is_at_exit(top):
            yield from ((None, after) for after in self._back(here, stack))
            return
        procedure = self.procedures[top.procedure]
        for number in self.leaving.get(top.place, ()):
            edge = procedure.edges[number]
            match edge.action:
                case Call():
                    outcomes = self._enter(here, number, edge.action)
                case Concurrent():
                    outcomes = self._concurrent(here, edge)
                case _:
                    outcomes = self._internal(here, procedure, edge)
            yield from ((edge, self._ending_section(after)) for after in outcomes)

    def state(self, here: Configuration) -> State:
        """Return the state of the activation that runs."""
        return self._state(here.shared, here.stacks[here.running][-1])

    def is_stuck(self, here: Configuration) -> bool:
        """Tell whether no thread can ever step again although one has not ended, with nobody inside a section.

        A thread before `atomic_begin` can step only where there is a way through the section.
        """
        if not self.may_switch(here) or all(map(self.has_ended, here.stacks)):
            return False
        return not any(self.can_step(here._replace(running=thread)) for thread in range(len(here.stacks)))

    def can_step(self, here: Configuration) -> bool:
        """Tell whether the thread that runs can step; before `atomic_begin`, through the section."""
        from knaster.semantics.sections import leaves_section  # only deadlocks need it

        if self.has_ended(here.stacks[here.running]):
            return False
        for begun in self.begin(here):
            for _, after in self.steps(begun):
                if not after.section or leaves_section(self, after):
                    return True
        return False

    def begin(self, here: Configuration) -> Iterator[Configuration]:
        """Yield the configuration with its running thread begun: with any values of its locals."""
        stack = here.stacks[here.running]
        if not stack or stack[-1].location != UNBEGUN:
            yield here
            return
        procedure = self.procedures[stack[0].procedure]
        shared = dict(zip(self.program.globals, here.shared, strict=True))
        shared |= dict(zip(procedure.parameters, stack[0].frame, strict=True))
        for arbitrary in valuations(procedure.locals + procedure.results):
            if can_hold(procedure.enforce, {**shared, **arbitrary}):
                frame = stack[0].frame + tuple(arbitrary.values())
                yield _with_stack(here, (Activation(procedure.name, procedure.entry, frame),))

    def _internal(self, here: Configuration, procedure: Procedure, edge: Edge) -> Iterator[Configuration]:
        for state in successors(procedure, edge, self.state(here)):
            yield self._move(here, procedure, edge.target, state)

    def _enter(self, here: Configuration, number: int, call: Call) -> Iterator[Configuration]:
        stack, callee = here.stacks[here.running], self.procedures[call.procedure]
        for state in entry_states(self.program, callee, call, self.state(here)):
            entered = Activation(callee.name, callee.entry, _values(state, callee.frame))
            yield _with_stack(here, (*stack[:-1], stack[-1]._replace(calling=number), entered))

    def _back(self, here: Configuration, stack: Stack) -> Iterator[Configuration]:
        caller, callee = self.procedures[stack[-2].procedure], self.procedures[stack[-1].procedure]
        assert stack[-2].calling is not None
        edge = caller.edges[stack[-2].calling]
        assert isinstance(edge.action, Call)
        before, end = self._state(here.shared, stack[-2]), self._state(here.shared, stack[-1])
        after = state_after_return(self.program, caller, callee, edge.action, before, end)
        if after is not None:
            below = _with_stack(here, stack[:-1])
            yield self._ending_section(self._move(below, caller, edge.target, after))

    def _concurrent(self, here: Configuration, edge: Edge) -> Iterator[Configuration]:
        action, state = edge.action, self.state(here)
        assert isinstance(action, Concurrent)
        procedure = self.procedures[here.stacks[here.running][-1].procedure]
        if action.operation is ThreadOperation.END:
            yield _with_stack(here, ())
            return
        if not can_hold(procedure.enforce, state):
            return
        after = self._move(here, procedure, edge.target, state)
        match action.operation:
            case ThreadOperation.ATOMIC_BEGIN:
                yield after._replace(section=True)
            case ThreadOperation.ATOMIC_END:
                yield after._replace(section=False)
            case ThreadOperation.START:
                started = len(here.stacks) - len(self.program.threads)
                if self.keep is None or started < self.keep:
                    for stack in self._start(action, here, state):
                        yield after._replace(stacks=(*after.stacks, stack))
                if self.keep is not None:
                    yield after
            case operation:
                raise UnsupportedError(f"'{operation.value}': what it means is not settled", edge.span)

    def _start(self, action: Concurrent, here: Configuration, state: State) -> Iterator[Stack]:
        """Yield the stack of the thread that is started, for all outcomes of its arguments."""
        if action.procedure is None:
            assert action.location is not None
            yield (here.stacks[here.running][-1]._replace(location=action.location, calling=None),)
            return
        callee = self.procedures[action.procedure]
        bare = Procedure(callee.name, callee.parameters, (), (), callee.entry, callee.exit, ())
        for start in entry_states(self.program, bare, Call(callee.name, action.arguments), state):
            yield (Activation(callee.name, UNBEGUN, _values(start, callee.parameters)),)

    def _move(self, here: Configuration, procedure: Procedure, location: Location, state: State) -> Configuration:
        shared = _values(state, self.program.globals)
        top = Activation(procedure.name, location, _values(state, procedure.frame))
        return _with_stack(here._replace(shared=shared), (*here.stacks[here.running][:-1], top))

    def _ending_section(self, here: Configuration) -> Configuration:
        """Return the configuration; the end of its thread ends a section."""
        return here._replace(section=False) if here.section and self.has_ended(here.stacks[here.running]) else here

    def is_at_exit(self, activation: Activation) -> bool:
        """Tell whether an activation is about to return."""
        return activation.location == self.procedures[activation.procedure].exit

    def _state(self, shared: Valuation, activation: Activation) -> State:
        scope = self.program.scope(self.procedures[activation.procedure])
        return dict(zip(scope, shared + activation.frame, strict=True))


def _with_stack(here: Configuration, stack: Stack) -> Configuration:
    stacks = here.stacks
    return here._replace(stacks=(*stacks[: here.running], stack, *stacks[here.running + 1 :]))


def _values(state: State, names: tuple[str, ...]) -> Valuation:
    return tuple(bool(state[name]) for name in names)
