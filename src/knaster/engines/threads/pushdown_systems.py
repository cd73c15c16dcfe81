"""A Boolean program with threads as pushdown systems that share their control states, all values explicit.

A control state is a valuation of the globals, with what else the running thread must not be interrupted in: a
section, an assertion that failed, or coming back from a callee, of which it holds the results.  A stack symbol is an
activation: a place and the values of its own variables.

    <g, u> -> <g', v>                   an internal edge
    <g, u> -> <g, entry u'>             a call; u' is u with the call that it waits for
    <g, exit> -> <g with results, ε>    and <g with results, u'> -> <g', v>: coming back is one step in two rules
    <g, unbegun> -> <g, entry>          a thread begins when it runs for the first time

Rules are made for every control state with which a symbol can meet, whoever brought it about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from knaster.base.limits import OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.program.model import Call, Concurrent, Edge, Location, Place, Procedure, Program, ThreadOperation
from knaster.program.state import State
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.system import PushdownSystem, Rule
from knaster.pushdown.transducers.contexts import Joint
from knaster.semantics.sequential import allows, can_hold, entry_states, state_after_return, successors, valuations

Valuation = tuple[bool, ...]
UNBEGUN: Location = -1
ENDED: Location = -2


class Shared(NamedTuple):
    """A control state: the globals, and what the running thread is in the middle of."""

    values: Valuation
    section: bool = False
    failed: bool = False
    results: tuple[str, Valuation] | None = None  # of a callee that is coming back

    def __str__(self) -> str:
        return "".join("FT"[value] for value in self.values) + " section" * self.section + " failed" * self.failed


class Frame(NamedTuple):
    """A stack symbol: an activation of a thread; `first` is the one with which the thread began."""

    thread: int
    first: bool
    procedure: str
    location: Location
    values: Valuation = ()
    calling: int | None = None

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.procedure, self.location


@dataclass(frozen=True, slots=True)
class Systems:
    """The threads as pushdown systems, and where they start."""

    systems: tuple[PushdownSystem[bool], ...]
    starts: tuple[Joint, ...]
    is_open: Callable[[object], bool]


def systems_of(program: Program, most: int, tick: Callable[[], None]) -> Systems:
    """Return the systems of a program that starts no threads; raise `OutOfBudget` beyond `most` rules."""
    encoding = _Encoding(program, most, tick)
    stacks = tuple((Frame(number, True, name, UNBEGUN),) for number, name in enumerate(program.threads))
    starts = [
        Joint(Shared(tuple(map(bool, state.values()))), stacks)
        for state in valuations(program.globals)
        if can_hold(program.init, state)
    ]
    for joint in starts:
        encoding.meet(joint.state)
    for stack in stacks:
        encoding.add(stack[0])
    rules = encoding.rules()
    systems = tuple(PushdownSystem.of(Boolean(), rules[number]) for number in range(len(program.threads)))
    lock = program.globals.index(program.atomic) if program.atomic is not None else None

    def is_open(state: object) -> bool:
        assert isinstance(state, Shared)
        return not (state.section or state.failed or state.results) and not (lock is not None and state.values[lock])

    return Systems(systems, tuple(starts), is_open)


class _Encoding:
    """Rules for all pairs of a control state and a symbol, as both are found."""

    def __init__(self, program: Program, most: int, tick: Callable[[], None]) -> None:
        self.program, self.most, self.tick = program, most, tick
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.leaving: dict[Place, list[int]] = {}
        for procedure in program.procedures:
            for number, edge in enumerate(procedure.edges):
                self.leaving.setdefault((procedure.name, edge.source), []).append(number)
        self.states: dict[Shared, None] = {}
        self.frames: dict[Frame, None] = {}
        self.todo: list[tuple[Shared, Frame]] = []
        self.made: list[list[Rule[bool]]] = [[] for _ in program.threads]

    def rules(self) -> list[list[Rule[bool]]]:
        count = 0
        while self.todo:
            self.tick()
            state, frame = self.todo.pop()
            for target, push in self._steps(state, frame):
                self.meet(target)
                for symbol in push:
                    self.add(symbol)
                self.made[frame.thread].append(Rule(state, frame, target, push, True))
                count += 1
                if count > self.most:
                    raise OutOfBudget(f"more than {self.most} rules")
        return self.made

    def meet(self, state: object) -> None:
        """Let a control state meet every symbol."""
        assert isinstance(state, Shared)
        if state not in self.states:
            self.states[state] = None
            self.todo += [(state, frame) for frame in self.frames]

    def add(self, frame: Frame) -> None:
        """Let a symbol meet every control state."""
        if frame not in self.frames:
            self.frames[frame] = None
            self.todo += [(state, frame) for state in self.states]

    def _steps(self, shared: Shared, frame: Frame) -> Iterator[tuple[Shared, tuple[Frame, ...]]]:
        """Yield the rules of a control state and a symbol, as a control state and what is pushed."""
        if shared.failed or frame.location == ENDED:
            return
        if shared.results is not None:
            yield from self._back(shared, frame)
            return
        if frame.calling is not None:
            return
        if frame.location == UNBEGUN:
            yield from self._begin(shared, frame)
            return
        procedure = self.procedures[frame.procedure]
        state = self._state(shared, frame)
        if frame.location == procedure.exit:
            if not frame.first:
                results = procedure.name, tuple(bool(state[name]) for name in procedure.results)
                yield shared._replace(results=results), ()
            return
        for number in self.leaving.get(frame.place, ()):
            yield from self._edge(shared, frame, procedure, number, state)

    def _edge(
        self, shared: Shared, frame: Frame, procedure: Procedure, number: int, state: State
    ) -> Iterator[tuple[Shared, tuple[Frame, ...]]]:
        edge = procedure.edges[number]
        match edge.action:
            case Call() as call:
                callee = self.procedures[call.procedure]
                waiting = frame._replace(calling=number)
                for entered in entry_states(self.program, callee, call, state):
                    first = Frame(frame.thread, False, callee.name, callee.entry, _values(entered, callee.frame))
                    yield shared, (first, waiting)
            case Concurrent(operation):
                if operation is ThreadOperation.END:
                    yield shared._replace(section=False), (Frame(frame.thread, True, frame.procedure, ENDED),)
                elif can_hold(procedure.enforce, state):
                    inside = shared._replace(section=operation is ThreadOperation.ATOMIC_BEGIN)
                    yield self._step_behind(inside, frame, procedure, edge, state)
            case _:
                for after in successors(procedure, edge, state):
                    yield self._step_behind(shared, frame, procedure, edge, after)

    def _begin(self, shared: Shared, frame: Frame) -> Iterator[tuple[Shared, tuple[Frame, ...]]]:
        procedure = self.procedures[frame.procedure]
        if shared.section:
            return
        values = dict(zip(self.program.globals, shared.values, strict=True))
        for arbitrary in valuations(procedure.frame):
            if can_hold(procedure.enforce, {**values, **arbitrary}):
                yield shared, (frame._replace(location=procedure.entry, values=_values(arbitrary, procedure.frame)),)

    def _back(self, shared: Shared, frame: Frame) -> Iterator[tuple[Shared, tuple[Frame, ...]]]:
        assert shared.results is not None
        if frame.calling is None:
            return
        caller = self.procedures[frame.procedure]
        edge = caller.edges[frame.calling]
        name, results = shared.results
        assert isinstance(edge.action, Call)
        if edge.action.procedure != name:
            return
        callee = self.procedures[name]
        end = dict(zip(self.program.globals, shared.values, strict=True))
        end |= dict(zip(callee.results, results, strict=True))
        after = state_after_return(self.program, caller, callee, edge.action, self._state(shared, frame), end)
        if after is not None:
            yield self._step_behind(shared._replace(results=None), frame, caller, edge, after)

    def _step_behind(
        self, shared: Shared, frame: Frame, procedure: Procedure, edge: Edge, after: State
    ) -> tuple[Shared, tuple[Frame, ...]]:
        """Return the control state and the symbol behind an edge; the end of a thread ends its section."""
        ended = frame.first and edge.target == procedure.exit
        control = Shared(
            _values(after, self.program.globals), shared.section and not ended, edge.target in procedure.failures
        )
        moved = frame._replace(location=edge.target, values=_values(after, procedure.frame), calling=None)
        return control, (moved,)

    def _state(self, shared: Shared, frame: Frame) -> State:
        return state_of(self.program, shared, frame)


def state_of(program: Program, shared: Shared, frame: Frame) -> State:
    """Return the state of an activation."""
    scope = program.scope(program.procedure(frame.procedure))
    return dict(zip(scope, shared.values + frame.values, strict=True))


def is_step(
    program: Program, procedure: Procedure, edge: Edge, before: tuple[Shared, Frame], after: tuple[Shared, Frame]
) -> bool:
    """Tell whether an edge that is no call leads from one control state and topmost activation to another."""
    (shared, frame), (control, top) = before, after
    if isinstance(edge.action, Concurrent):
        if edge.action.operation is ThreadOperation.END:
            return top.location == ENDED
        opens = edge.action.operation is ThreadOperation.ATOMIC_BEGIN
        ends = frame.first and edge.target == procedure.exit
        return top.location == edge.target and control.section is (opens and not ends)
    return (
        top.location == edge.target
        and control.section in (shared.section, False)
        and allows(procedure, edge, state_of(program, shared, frame), state_of(program, control, top))
    )


def _values(state: State, names: tuple[str, ...]) -> Valuation:
    return tuple(bool(state[name]) for name in names)
