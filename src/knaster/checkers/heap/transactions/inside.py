"""Inside transactions: what procedures do there, each with what it begins with kept once, by the interpreter.

A procedure that begins inside a transaction either leaves it by returning or raising, or is where the transaction
ends.  Either happens to all callers that began it so.  Qadeer, Rajamani and Rehof (POPL 2004), section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knaster.base.graphs import components
from knaster.base.limits import Budget
from knaster.checkers.heap.endless_regions import EFFECT, ROW, Outcome, Regions
from knaster.checkers.heap.transactions.calls import Entry, Halt, Left, Point, Running, Site, Thread
from knaster.checkers.heap.transactions.frozen import Activation, Memory, freeze, merge, rename, rename_frame
from knaster.checkers.heap.transactions.protection import Phase
from knaster.checkers.heap.transactions.steps import Steps, Way
from knaster.program.expression import Var
from knaster.program.model import Call, Program
from knaster.program.objects import Choose, Join
from knaster.semantics.heap.failure import BLOCKED, Fails
from knaster.semantics.heap.handlers import handler
from knaster.semantics.heap.interpreter import Machine


class Inside:
    """All procedures that run inside transactions; whoever waits for a thread hears of its ends and its waiting."""

    def __init__(
        self,
        steps: Steps,
        ended: Callable[[Thread, Left | Halt], None],
        waits: Callable[[Thread, bool], None],
    ) -> None:
        self.steps, self.machine, self.excluded = steps, steps.machine, steps.excluded
        self.ended, self.waits = ended, waits
        self.recursive = _recursive(self.machine.program)
        self.runnings: dict[Entry, Running] = {}
        self.todo: list[tuple[Any, ...]] = []
        self.regions = Regions()

    def run(self, budget: Budget) -> None:
        """Work until nothing is new."""
        while self.todo:
            budget.check()
            work, *given = self.todo.pop()
            work(*given)

    def begin(self, entry: Entry) -> Running:
        """Return what is known of a procedure that runs; begin it where it is new."""
        running = self.runnings.get(entry)
        if running is None:
            running = self.runnings[entry] = Running(len(self.runnings), entry)
            self.regions.first(running.number, 0)
            frame = entry.frame
            self.excluded.stand(frame.procedure, frame.location)
            self.add(running, Point(frame.location, entry.inside, frame.values, entry.memory, entry.phase, entry.mine))
        return running

    def wait(self, running: Running, caller: Site | Thread) -> None:
        """Let somebody wait for the ends of a procedure."""
        running.callers.append(caller)
        self.todo += [(self.use, caller, end, number) for end, number in running.ends.items()]
        for may_end in running.waits:
            self.todo.append((self.pass_wait, caller, may_end))

    # Points

    def add(self, running: Running, point: Point) -> int:
        """Add a point, if it is new; return its number."""
        if point not in running.points:
            running.points[point] = len(running.points)
            self.todo.append((self.expand, running, point))
        return running.points[point]

    def expand(self, running: Running, point: Point) -> None:
        """Take every step from a point."""
        way = self.steps.way(running, point)
        edges = self.steps.edges(way)
        if isinstance(edges[0].action, Call):
            self.call(running, point)
            return
        try:
            if self.steps.ends_before(way, edges):
                self.end(way)
                return
            shared = self.steps.shared(way)
            number = len(self.machine.alternatives(way.configuration, running.entry.thread))
        except Fails as fails:
            if isinstance(edges[0].action, Join) and fails.kind == BLOCKED and not point.inside:
                self.steps.tried(way, shared)
                self.wait_here(running, edges[0].action.may_end)
                return
            self.steps.fail(way, fails, shared, way.is_seen, self.end)
            return
        for alternative in range(number):
            again = self.steps.way(running, point)
            again.source = (running.points[point], None) if number == 1 else None
            chooses = isinstance(edges[0].action, Join | Choose)
            if not chooses or self.steps.step(again, alternative, self.stop, self.end):
                self.steps.go(again, self.stop, self.end, self.leave)

    def stop(self, way: Way) -> None:
        """Add the point where a way stands."""
        self.follow(way, ROW, self.add(way.running, self.point(way)))

    def follow(self, way: Way, what: str, number: int) -> None:
        """Note what follows a point without alternatives."""
        if way.source is None:
            return
        (point, effect), outcome = way.source, Outcome(what, number, way.kept)
        if effect is None:
            self.regions.step((way.running.number, point), outcome)
        else:
            self.regions.back((way.running.number, point), effect, outcome)

    def point(self, way: Way) -> Point:
        """Return where a way stands, as a point."""
        frame = self.steps.activation(way.frame)
        memory, names = self.freeze(way, frame.values)
        return Point(frame.location, way.inside, rename(frame.values, names), memory, way.phase, way.mine)

    def freeze(self, way: Way, values: Any) -> tuple[Memory, Any]:
        """Return the memory of a way; `values` are held, too."""
        heap = dict(dict.items(way.configuration.heap))
        statics = list(dict.values(way.configuration.statics))
        return freeze(statics, heap, way.started, way.running.kept, values)

    def end(self, way: Way) -> None:
        """End the transaction where a way stands."""
        self.halt(way, (self.steps.activation(way.frame),))

    def halt(self, way: Way, frames: tuple[Activation, ...]) -> None:
        """End the transaction in some frames."""
        memory, names = self.freeze(way, tuple(frame.values for frame in frames))
        self.note(way.running, Halt(tuple(rename_frame(frame, names) for frame in frames), memory, way.mine))

    def leave(self, way: Way, results: tuple[Any, ...], exception: str | None) -> None:
        """Leave the procedure."""
        memory, names = self.freeze(way, results)
        number = self.note(way.running, Left(rename(results, names), exception, memory, way.phase, way.mine))
        self.follow(way, EFFECT, number)

    def note(self, running: Running, end: Left | Halt) -> int:
        """Add an end of a procedure, if it is new; return its number."""
        if end not in running.ends:
            running.ends[end] = len(running.ends)
            self.todo += [(self.use, caller, end, running.ends[end]) for caller in running.callers]
        return running.ends[end]

    # Calls

    def call(self, running: Running, point: Point) -> None:
        """Begin the call of a point, or end the transaction before it."""
        way = self.steps.way(running, point)
        entry, shared, thread = running.entry, self.steps.shared(way), running.entry.thread
        edge = self.steps.edges(way)[0]
        before = self.steps.copy(way)
        way.notes.clear()
        try:
            keeps = self.machine.step(way.configuration, thread).keeps
        except Fails as fails:
            before.notes = way.notes
            self.steps.fail(before, fails, shared, way.is_seen, self.end)
            return
        callee = self.steps.activation(way.configuration.threads[thread - 1][1])
        commutes = self.steps.commutes(way, shared)
        if way.is_seen and (edge.keeps or callee.procedure in self.recursive or not commutes):
            self.end(before)
            return
        heap = dict(dict.items(way.configuration.heap))
        memory, names = freeze(
            list(dict.values(way.configuration.statics)), heap, way.started, entry.old, callee.values
        )
        assert isinstance(edge.action, Call)
        public = is_public(self.machine, entry.frame.procedure, edge.action)
        phase = way.phase if commutes else Phase.COMMITTED
        begun = entry._replace(
            frame=rename_frame(callee, names), inside=keeps, public=public, phase=phase, mine=way.mine, memory=memory
        )
        found = self.begin(begun)
        if keeps:
            self.regions.call((running.number, running.points[point]), found.number)
        self.wait(found, Site(running, point, {new: old for old, new in names.items()}))

    def use(self, caller: Site | Thread, end: Left | Halt, number: int) -> None:
        """Let an end of a procedure happen where it is waited for."""
        if isinstance(caller, Site):
            self.use_in_call(caller, end, number)
        else:
            self.ended(caller, end)

    def use_in_call(self, site: Site, end: Left | Halt, number: int) -> None:
        """Go on behind a call, or end the transaction inside it."""
        running, point = site.running, site.point
        thread, caller = running.entry.thread, self.steps.way(running, point)
        self.machine.step(caller.configuration, thread)
        now = Memory(
            tuple(dict.values(caller.configuration.statics)), tuple(sorted(dict.items(caller.configuration.heap))), ()
        )
        memory, names = merge(end.memory, now, site.back, running.entry.old)
        waiting = caller.configuration.threads[thread - 1][:1]
        activation = self.steps.activation(waiting[0])
        caller.configuration = self.steps.configuration(memory, thread, waiting, caller.notes)
        caller.started, caller.mine = list(memory.started), end.mine
        if isinstance(end, Halt):
            self.halt(caller, (activation, *(rename_frame(frame, names) for frame in end.frames)))
            return
        caller.phase, caller.source = end.phase, (running.points[point], number)
        self.come_back(caller, point, rename(end.results, names), end.exception)

    def come_back(self, way: Way, point: Point, results: Any, exception: str | None) -> None:
        """Go on in a caller after its call has returned or raised."""
        frames, thread = way.configuration.threads[way.running.entry.thread - 1], way.running.entry.thread
        if exception is not None:
            if handler(self.steps.procedure(way), point.location, exception) is None:
                self.leave(way, (), exception)
                return
            keeps = self.machine.throw(frames, exception)[1]
        else:
            shared = self.steps.shared(way)
            way.notes.clear()
            frames.append(frames[0])  # `leave` takes the frame of the callee away
            try:
                keeps = self.machine.leave(way.configuration, thread, results)
            except Fails as fails:
                self.steps.commutes(way, shared)
                self.excluded.fail(fails.kind)
                return
            if not self.steps.commutes(way, shared):
                way.phase = Phase.COMMITTED
        way.inside = way.kept = keeps
        if self.steps.arrive(way, point.location, keeps, self.stop, self.end):
            self.steps.go(way, self.stop, self.end, self.leave)

    # Waiting

    def wait_here(self, running: Running, may_end: bool) -> None:
        """Note that a thread may wait in a procedure."""
        if may_end not in running.waits:
            running.waits.add(may_end)
            self.todo += [(self.pass_wait, caller, may_end) for caller in running.callers]

    def pass_wait(self, caller: Site | Thread, may_end: bool) -> None:
        """Note that a thread may wait in a call, or in a row."""
        if isinstance(caller, Site):
            self.wait_here(caller.running, may_end)
        else:
            self.waits(caller, may_end)


def is_public(machine: Machine, procedure: str, call: Call) -> bool:
    """Tell whether a result of a call goes to something else than a local variable."""
    own = machine.procedures[procedure]
    for place in call.places:
        while place is not None and hasattr(place, "struct"):
            place = place.struct
        if place is not None and not (isinstance(place, Var) and place.name in own.parameters + own.locals):
            return True
    return False


def _recursive(program: Program) -> frozenset[str]:
    """Return the procedures that may call themselves."""
    callees: dict[str, set[str]] = {procedure.name: set() for procedure in program.procedures}
    for procedure in program.procedures:
        for edge in procedure.edges:
            if isinstance(edge.action, Call):
                callees[procedure.name].update([name for _, name in edge.action.dispatch] or [edge.action.procedure])
    found: set[str] = set()
    for group in components(list(callees), lambda name: callees[name]):
        if len(group) > 1 or group[0] in callees[group[0]]:
            found.update(group)
    return frozenset(found)
