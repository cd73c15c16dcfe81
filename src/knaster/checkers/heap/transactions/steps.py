"""Steps inside a transaction, by the interpreter: from a point of a procedure to where it stops, and why.

A transaction ends before a step that would let others see something between: once it has committed, before a step that
does not commute to the left, and before one that may not be taken or never end (an assume, a select, a region, a call
that may recurse, a failure; behind a jump backwards).  A select may wait, so it is first in its transaction, but for
steps that commute both ways.  Lipton (CACM 18(12), 1975); Qadeer, Rajamani and Rehof (POPL 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from knaster.base.errors import InternalError
from knaster.base.records import dataclass
from knaster.checkers.heap.exclusions import Exclusions
from knaster.checkers.heap.transactions.calls import Point, Running
from knaster.checkers.heap.transactions.channel_use import Act
from knaster.checkers.heap.transactions.frozen import Activation
from knaster.checkers.heap.transactions.lock_use import Place, Use, cell_of
from knaster.checkers.heap.transactions.protection import Commutes, Locks, Phase, Protection, reach
from knaster.checkers.heap.transactions.touches import Touch, Touched
from knaster.program.expression import TRUE
from knaster.program.model import Assume, Call, Concurrent, Edge, Return
from knaster.program.objects import Choose, Join, Raise
from knaster.program.types import Reference
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.evaluate import Evaluator
from knaster.semantics.heap.failure import ASSERTION, Fails
from knaster.semantics.heap.handlers import handler
from knaster.semantics.heap.interpreter import FailedAssume, Machine

NOWHERE: Place = ("", 0)


@dataclass(slots=True)
class Way:
    """A way of the interpreter from a point of a procedure."""

    running: Running
    configuration: Configuration
    notes: list[Touch]
    started: list[Activation]
    inside: bool
    phase: Phase
    mine: Locks
    kept: bool = True  # nobody else could run since the point
    source: tuple[int, int | None] | None = None  # the point, and the effect there, where nothing was chosen

    @property
    def frame(self) -> Frame:
        """The frame of the procedure."""
        return self.configuration.threads[self.running.entry.thread - 1][0]

    @property
    def is_seen(self) -> bool:
        """Tell whether others may run here and see what the transaction did."""
        return self.phase is Phase.COMMITTED and not self.inside


class Steps:
    """The steps of one program inside transactions."""

    def __init__(
        self, machine: Machine, excluded: Exclusions, protection: Protection, uses: Mapping[Place, tuple[str, Use]]
    ) -> None:
        self.machine, self.excluded, self.protection, self.uses = machine, excluded, protection, uses

    def way(self, running: Running, point: Point) -> Way:
        """Return a way that begins at a point."""
        frame = self.frame(
            Activation(running.entry.frame.procedure, point.location, running.entry.frame.base, point.values)
        )
        notes: list[Touch] = []
        configuration = self.configuration(point.memory, running.entry.thread, [frame], notes)
        started = list(point.memory.started)
        return Way(running, configuration, notes, started, point.inside, point.phase, point.mine)

    def frame(self, activation: Activation) -> Frame:
        """Return a frame as the interpreter knows it."""
        procedure = self.machine.procedures[activation.procedure]
        values = dict(zip(procedure.parameters + procedure.locals, activation.values, strict=True))
        return Frame(activation.procedure, activation.location, activation.base, values)

    def configuration(self, memory: Any, thread: int, frames: list[Frame], notes: list[Touch]) -> Configuration:
        """Return a configuration in which one thread runs, whose touches are noted."""
        statics = Touched(zip(self.machine.program.globals, memory.statics, strict=True), notes)
        heap = Touched(memory.cells, notes)
        largest = max((cell.number for cell, _ in memory.cells), default=0)
        threads: list[list[Frame]] = [[] for _ in range(thread - 1)]
        return Configuration(statics, heap, [*threads, frames], dict.fromkeys(self.machine.cells, largest))

    def edges(self, way: Way) -> Sequence[Edge]:
        """Return the edges that leave where a way stands."""
        return self.machine.edges_from(way.frame)

    def shared(self, way: Way) -> set[Reference] | None:
        """Return the cells that other threads can reach; None where there are no others."""
        others = way.running.entry.others
        if others is None and not way.started:
            return None
        statics = dict.values(way.configuration.statics)
        given = [frame.values for frame in way.started]
        return reach(dict(dict.items(way.configuration.heap)), [*statics, *given, *(others or ())])

    def commutes(self, way: Way, shared: set[Reference] | None, act: Act = Act.LOOK) -> bool:
        """Tell whether the step that was just tried commutes both ways; `shared` was within reach of others before."""
        return self.sides(way, shared, act) is Commutes.BOTH

    def tried(self, way: Way, shared: set[Reference] | None) -> None:
        """Note what was touched by a step that cannot be taken where a way stands."""
        place = way.frame.procedure, way.frame.location
        self.sides(way, shared, self.protection.channels.act_at(place, way.inside), place)

    def sides(self, way: Way, shared: set[Reference] | None, act: Act, place: Place = NOWHERE) -> Commutes:
        """Tell to which sides the step that was just tried, perhaps one with a lock at a place, commutes."""
        entry, statics, notes = way.running.entry, way.configuration.statics, way.notes
        lock, _ = self.uses.get(place, ("", None))
        static = cell_of(self.machine.program, lock) if lock else None
        if static is not None:  # of the cell of a lock such a step touches the lock alone
            cell = dict.__getitem__(statics, static)
            notes = [note for note in notes if note[0] != cell]
        return self.protection.commutes(notes, way.mine, shared, entry.old, statics, act, entry.thread)

    def ends_before(self, way: Way, edges: Sequence[Edge]) -> bool:
        """Tell whether a transaction ends before the next step, whatever that does."""
        match edges[0].action:
            case Join():
                return not way.inside and way.phase is not Phase.CLEAN
            case Raise() | Concurrent():
                return way.is_seen
            case Assume(condition) if len(edges) == 1 and condition != TRUE:
                return way.is_seen
        return way.is_seen and edges[0].keeps

    def go(self, way: Way, stop: Callable[[Way], None], end: Callable[[Way], None], leave: Callable[..., None]) -> None:
        """Follow a way to the next point (`stop`), to the end of the transaction (`end`), or out of the procedure."""
        while True:
            frame = way.frame
            self.excluded.stand(frame.procedure, frame.location)
            edges = self.edges(way)
            if self.machine.failure_of(way.configuration, way.running.entry.thread) is not None:
                self.excluded.fail(ASSERTION)
                return
            if isinstance(edges[0].action, Join | Choose | Call):
                stop(way)
                return
            if self.ends_before(way, edges):
                end(way)
                return
            match edges[0].action:
                case Return(values):
                    self.finish(way, values, end, leave)
                    return
                case Raise(exception) if handler(self.procedure(way), frame.location, exception) is None:
                    leave(way, (), exception)
                    return
            if not self.step(way, 0, stop, end):
                return

    def procedure(self, way: Way) -> Any:
        """Return the procedure that runs."""
        return self.machine.procedures[way.running.entry.frame.procedure]

    def finish(self, way: Way, values: Sequence[Any], end: Callable[[Way], None], leave: Callable[..., None]) -> None:
        """Return from the procedure."""
        shared = self.shared(way)
        way.notes.clear()
        evaluator = Evaluator(self.machine, way.configuration, way.frame, way.running.entry.thread)
        try:
            results = tuple([evaluator.value(value) for value in values])
        except Fails as fails:
            self.fail(way, fails, shared, way.is_seen, end)
            return
        commutes = self.commutes(way, shared)
        if way.is_seen and (way.running.entry.public or not commutes):
            end(way)
            return
        way.phase = way.phase if commutes else Phase.COMMITTED
        leave(way, results, None)

    def fail(self, way: Way, fails: Fails, shared: Any, seen: bool, end: Callable[[Way], None]) -> None:
        """A step fails; where others may run before it, they do."""
        self.tried(way, shared)
        self.excluded.fail(fails.kind)
        if seen:
            end(way)

    def step(self, way: Way, alternative: int, stop: Callable[[Way], None], end: Callable[[Way], None]) -> bool:
        """Take one step; tell whether the way goes on from there."""
        shared, before, thread = self.shared(way), self.copy(way), way.running.entry.thread
        edges, place = self.edges(way), (way.frame.procedure, way.frame.location)
        seen, act = way.is_seen, self.protection.channels.act_at(place, way.inside)
        way.notes.clear()
        try:
            keeps = self.machine.step(way.configuration, thread, alternative).keeps
        except FailedAssume:
            self.commutes(way, shared)
            return False
        except Fails as fails:
            before.notes = way.notes
            self.fail(before, fails, shared, seen, end)
            return False
        way.started += [self.activation(frames[0]) for frames in way.configuration.threads[thread:]]
        del way.configuration.threads[thread:]
        way.phase = self.next_phase(way, edges, place, shared, act)
        failing = self.machine.failure_of(way.configuration, thread) is not None
        if seen and (failing or self.moved_right or not (self.moved_left or self.commuted)):
            end(before)
            return False
        way.mine = self.locks_after(way.mine, place)
        return self.arrive(way, place[1], keeps, stop, end)

    moved_right = False  # the last step commutes to the right only
    moved_left = False  # the last step commutes to the left only
    commuted = True  # the last step commutes to some side

    def next_phase(self, way: Way, edges: Sequence[Edge], place: Place, shared: Any, act: Act) -> Phase:
        """Return the phase behind a step."""
        side = self.sides(way, shared, act, place)
        self.commuted = side is not Commutes.NEITHER
        lock, use = self.uses.get(place, ("", None))
        self.moved_right = use in (Use.TEST, Use.TAKE) or side is Commutes.RIGHT
        self.moved_left = use is Use.RELEASE or side is Commutes.LEFT
        action = edges[0].action
        never = isinstance(action, Concurrent) or (
            isinstance(action, Assume) and len(edges) == 1 and action.condition != TRUE
        )
        self.commuted = self.commuted and not never
        if not self.commuted:
            return Phase.COMMITTED
        if use is Use.RELEASE and lock not in way.mine:
            raise InternalError(f"the table of transactions does not hold: '{lock}' is released by another thread")
        if self.moved_left:
            return Phase.COMMITTED
        return max(way.phase, Phase.OPEN) if self.moved_right else way.phase

    def locks_after(self, mine: Locks, place: Place) -> Locks:
        """Return the locks that a thread holds behind a step."""
        lock, use = self.uses.get(place, ("", None))
        if use is Use.TAKE:
            return mine | {lock}
        return mine - {lock} if use is Use.RELEASE else mine

    def arrive(self, way: Way, left: int, keeps: bool, stop: Callable[[Way], None], end: Callable[[Way], None]) -> bool:
        """Let a way stand somewhere after it has left a location; tell whether it goes on from there."""
        way.inside = keeps
        way.kept = way.kept and keeps
        if way.frame.location > left:
            return True
        self.excluded.stand(way.frame.procedure, way.frame.location)
        (end if way.is_seen else stop)(way)
        return False

    def copy(self, way: Way) -> Way:
        """Return a way that stays where it is."""
        given, notes = way.configuration, way.notes
        statics, heap = Touched(given.statics, notes), Touched(given.heap, notes)
        threads = [[frame.copy() for frame in frames] for frames in given.threads]
        configuration = Configuration(statics, heap, threads, dict(given.made))
        state = way.inside, way.phase, way.mine, way.kept, way.source
        return Way(way.running, configuration, notes, list(way.started), *state)

    def activation(self, frame: Frame) -> Activation:
        """Return a frame as a value."""
        return Activation(frame.procedure, frame.location, frame.base, tuple(frame.values.values()))
