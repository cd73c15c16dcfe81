"""The replay of paths: each step of an activation is one that the concrete semantics allows.

A shared path is checked once, whatever the number of calls that use it: its own steps depend on its start only, and
each call checks how it enters the path and what it gets back.  So a trace of 2^800 steps takes the time of its DAG.
That it is one is checked first: a path inside itself would be a call that returns because it returns.
"""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from knaster.base.errors import InternalError
from knaster.base.graphs import postorder
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field
from knaster.evidence.traces.trace import Path, Step, Trace
from knaster.program.model import Call, Concurrent, Edge, Location, Procedure, Program, ThreadOperation
from knaster.program.state import State
from knaster.program.types import BOOL, Type, belongs
from knaster.semantics.sequential import allows, allows_entry, can_hold, state_after_return

if TYPE_CHECKING:
    from knaster.checkers.runs.replay_bits import BitReplay

_ONLY_BOOLS = frozenset((bool,))


class StackEntry(NamedTuple):
    """An activation that waits: where it stands, its state, and the edge of the call that it is in."""

    procedure: str
    location: Location
    state: State
    edge: Edge | None = None


class StartedThread(NamedTuple):
    """A thread that has been started and has not run: in a procedure by a call, or in the middle of one."""

    starter: State
    call: Call | None
    procedure: str
    location: Location | None


@dataclass(slots=True)
class Schedule:
    """Which thread runs and whether inside a section, which threads have ended, and which were started."""

    running: int = 0
    section: bool = False
    ended: set[int] = field(default_factory=set)
    started: list[StartedThread] = field(default_factory=list)  # their numbers follow those that run from the start


class SharedSteps:
    """Steps inside procedures that a replay has found right, for the replay of other runs of the same program.

    Runs to several targets have their beginnings in common, as the same objects.  A step is right in a procedure and
    from a state; calls, and what threads do, are looked at in each run.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._right: dict[tuple[str, int, int], tuple[State, Step]] = {}  # they stay, so that identities stay theirs

    def has(self, procedure: str, before: State, step: Step) -> bool:
        """Tell whether a step was right."""
        return (procedure, id(before), id(step)) in self._right

    def add(self, procedure: str, before: State, step: Step) -> None:
        """Remember that a step is right."""
        self._right[procedure, id(before), id(step)] = before, step


class Paths:
    """The paths of one program, prepared for looking up edges; those inside calls are still to be checked."""

    def __init__(self, program: Program, shared: SharedSteps | None = None) -> None:
        self.program = program
        self.shared = shared if shared is not None and shared.program is program else None
        self.procedures = {procedure.name: procedure for procedure in program.procedures}
        self.schedule = Schedule()
        self.scopes: dict[str, frozenset[str]] = {}
        self.types: dict[str, dict[str, Type]] = {}
        self.boolean: set[str] = set()  # procedures all of whose variables are truth values
        self.fitting: dict[int, str] = {}  # states of the trace, by identity, and whose scope they cover
        self.todo: list[Path] = []
        self.seen: set[int] = set()
        self.folded: dict[int, bool | None] = {}

    @cached_property
    def bits(self) -> BitReplay:
        """The replay of runs whose states are bits; most runs have none."""
        from knaster.checkers.runs.replay_bits import BitReplay

        return BitReplay(self.program)

    @cached_property
    def has_threads(self) -> bool:
        """Whether some statement of the program speaks of threads."""
        return any(isinstance(e.action, Concurrent) for procedure in self.program.procedures for e in procedure.edges)

    def check_steps(self, path: Path, steps: tuple[Step, ...], folded: bool = False) -> Location:
        """Check these first steps of `path`, every call among them returning; return the location they lead to.

        What a path does to sections and to other threads happens here unless it is folded into a call.
        """
        procedure = self.start_of(path)
        location, before = procedure.entry if path.begin is None else path.begin, path.start
        for index, step in enumerate(steps):
            if (
                self.shared is not None
                and step.edge.source == location
                and self.shared.has(procedure.name, before, step)
            ):
                location, before = step.edge.target, step.after
                continue
            where = step_name(path.procedure, index)
            if not folded and self.schedule.running in self.schedule.ended:
                raise InternalError(f"{where}: thread {self.schedule.running} has ended")
            self.check_edge(path.procedure, location, step, where)
            if isinstance(step.edge.action, Call):
                self.check_call(procedure, step.edge.action, before, step, where)
                if not folded and self.has_threads:
                    assert step.inside is not None
                    self.schedule.section = self.section_after(step.inside, self.schedule.section)
            elif isinstance(step.edge.action, Concurrent):
                self.check_concurrent(procedure, step, before, where, folded)
            elif step.inside is not None:
                raise InternalError(f"{where}: a step that is no call has a path inside")
            elif not allows(procedure, step.edge, before, step.after, step.inputs):
                raise InternalError(f"{where}: {spell(before)} does not lead to {spell(step.after)}")
            elif self.shared is not None:
                self.shared.add(procedure.name, before, step)
            location, before = step.edge.target, step.after
        return location

    def check_suspended(self, path: Path, following: Path) -> StackEntry:
        """Check a path that ends with the call that enters `following`; return its activation, which waits."""
        before = path.steps[-2].after if len(path.steps) > 1 else path.start
        location = self.check_steps(path, path.steps[:-1])
        step = path.steps[-1]
        where = step_name(path.procedure, len(path.steps) - 1)
        self.check_edge(path.procedure, location, step, where)
        call = step.edge.action
        assert isinstance(call, Call)
        if dict(step.after) != dict(before):
            raise InternalError(f"{where}: the call that is entered changes its caller's state")
        if following.begin is not None:
            raise InternalError(f"{where}: the callee does not begin at its entry")
        self.check_entry(call, before, following, step, where)
        return StackEntry(path.procedure, location, before, step.edge)

    def check_insides(self) -> None:
        """Check the runs of callees that calls have used, each once."""
        while self.todo:
            path = self.todo.pop()
            # mutant(is not): only speed; of a dictionary nothing is said on bits
            if type(path.start) is not dict and self.bits.is_right(path, self.seen, self.todo):
                continue  # mutant: only speed; what is right on bits is right step by step
            location = self.check_steps(path, path.steps, folded=True)
            if location != self.procedures[path.procedure].exit:
                raise InternalError(f"a call of '{path.procedure}' returns from location {location}, not from its exit")

    def check_concurrent(self, procedure: Procedure, step: Step, before: State, where: str, folded: bool) -> None:
        """Check a thread statement, and do what it does to sections and threads."""
        action = step.edge.action
        assert isinstance(action, Concurrent)
        if step.inside is not None or dict(step.after) != dict(before):
            raise InternalError(f"{where}: a thread statement changes the state of its activation")
        operation = action.operation
        if operation is not ThreadOperation.END and not can_hold(procedure.enforce, before):
            raise InternalError(f"{where}: {spell(before)} violates what '{procedure.name}' enforces")
        if operation in (ThreadOperation.ATOMIC_BEGIN, ThreadOperation.ATOMIC_END):
            if not folded:
                self.schedule.section = operation is ThreadOperation.ATOMIC_BEGIN
        elif folded:
            raise InternalError(f"{where}: '{operation.value}' inside a call that is one step")
        elif operation is ThreadOperation.END:
            self.schedule.ended.add(self.schedule.running)
        elif operation is ThreadOperation.START and action.procedure is not None:
            call = Call(action.procedure, action.arguments)
            self.schedule.started.append(StartedThread(before, call, action.procedure, None))
        elif operation is ThreadOperation.START:
            self.schedule.started.append(StartedThread(before, None, procedure.name, action.location))
        else:
            raise InternalError(f"{where}: nothing is known of '{operation.value}'")

    def section_after(self, path: Path, before: bool) -> bool:
        """Return whether a section is open after a folded path, by the last statement in it that opens or ends one."""
        todo: list[tuple[Path, bool]] = [(path, False)]
        while todo:
            here, ready = todo.pop()
            if id(here) in self.folded:
                continue  # mutant: it would be computed again, to the same
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
        for own in leaving:
            if own is edge:
                break
        else:
            if edge not in leaving:
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
            led = "no state" if after is None else spell(after)
            raise InternalError(f"{where}: '{call.procedure}' returns into {led}, the trace says {spell(step.after)}")

    def check_entry(self, call: Call, before: State, inside: Path, step: Step, where: str) -> None:
        """Check that the call, made in the state `before`, can begin `inside`."""
        if inside.procedure != call.procedure:
            raise InternalError(f"{where}: '{call.procedure}' is called, '{inside.procedure}' is entered")
        callee = self.start_of(inside)
        if not allows_entry(self.program, callee, call, before, inside.start, step.inputs):
            raise InternalError(f"{where}: {spell(before)} does not call '{callee.name}' in {spell(inside.start)}")

    def start_of(self, path: Path) -> Procedure:
        """Return the procedure of `path`, which exists and whose scope the start covers."""
        procedure = self.procedures.get(path.procedure)
        if procedure is None:
            raise InternalError(f"there is no procedure '{path.procedure}'")
        self.check_scope(path.procedure, path.start, f"start of '{path.procedure}'")
        return procedure

    def check_scope(self, name: str, state: State, where: str) -> None:
        """Check that `state` gives a value to exactly the variables in scope; each state of the trace once."""
        if self.fitting.get(id(state)) == name:
            return
        scope = self.scopes.get(name)
        if scope is None:
            scope = self.scopes[name] = frozenset(self.program.scope(self.procedures[name]))
        if state.keys() != scope:
            raise InternalError(f"{where}: the state misses or invents {', '.join(sorted(state.keys() ^ scope))}")
        types = self.types.get(name)
        if types is None:
            types = self.types[name] = self.program.types_in(self.procedures[name])
            if all(kind == BOOL for kind in types.values()):
                self.boolean.add(name)
        if name not in self.boolean or not _ONLY_BOOLS.issuperset(map(type, state.values())):
            for variable, value in state.items():
                if not belongs(value, types[variable]):
                    raise InternalError(f"{where}: {variable}={value!r} is no value of its type")
        self.fitting[id(state)] = name


def check_finite(trace: Trace) -> None:
    """Raise `InternalError` where a path of the trace is inside itself: such a run never ends."""
    finished = {path: place for place, path in enumerate(postorder(trace.paths, attrgetter("insides")))}
    for path, place in finished.items():
        if any(finished[inner] >= place for inner in path.insides):
            raise InternalError(f"a run of '{path.procedure}' is inside itself")


def step_name(procedure: str, index: int) -> str:
    """Return which step of a path is meant."""
    return f"step {index + 1} in '{procedure}'"


def spell(state: State) -> str:
    """Return a state in one line."""
    parts = (f"{name}={int(value) if isinstance(value, bool) else value}" for name, value in state.items())
    return " ".join(parts) or "the empty state"
