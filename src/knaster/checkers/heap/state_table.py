"""The check of a table of states: it contains all that can happen, by the interpreter, one step at a time.

No code of the engines is used.  The start is in the table; every step of every thread, and every alternative of a
choice, leads to a state of the table, or in a reduced table to one from which steps of the same thread that nobody
else can notice (`private_steps`) lead there; and no step fails in a way, and nobody ever stands at a place, that is
excluded.  Within a bound a state counts with the thread that ran last, and must be there with no more switches (delays,
preemptions) than led to it; `_price` says what a step of a thread adds, and those beyond the bound are not taken.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.heap.exclusions import Exclusions
from knaster.checkers.heap.form import Form, referring_statics, referring_variables
from knaster.checkers.heap.private_steps import PrivateSteps
from knaster.checkers.heap.rows import check_state, configuration_of
from knaster.evidence.proofs.heap.state_table import StateRow, StateTable
from knaster.evidence.questions.question import Target
from knaster.program.model import Program
from knaster.program.objects import Join
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.cycle_watch import CycleWatch
from knaster.semantics.heap.failure import ASSERTION, DEADLOCK, ENDLESS, LONGEST_REGION, Fails
from knaster.semantics.heap.interpreter import FailedAssume, Machine


def check_state_table(table: StateTable, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Raise `InternalError` where a table does not prove that no target is reachable."""
    StateChecker(table, program, targets, budget).run()


class StateChecker:
    """Checks one table."""

    def __init__(self, table: StateTable, program: Program, targets: Iterable[Target], budget: Budget) -> None:
        self.table, self.program, self.budget = table, program, budget
        self.machine = Machine(program)
        self.private_steps = PrivateSteps(self.machine)
        self.excluded = Exclusions(targets)
        self.referring = {procedure.name: referring_variables(program, procedure) for procedure in program.procedures}
        self.statics = referring_statics(program)
        self.known: dict[Hashable, int] = {}  # states, each with who ran last and the least number of switches
        self.last, self.switches = 0, 0  # of the step that is checked

    def run(self) -> None:
        """Check the table."""
        rows, ran = self.table.rows, self.table.ran
        if self.table.bound is None:
            ran = ((0, 0),) * len(rows)
        elif self.table.bound.kind not in _COUNTED or len(ran) != len(rows):
            raise InternalError("the table of states does not hold: it counts something else than switches")
        for row, (last, switches) in zip(rows, ran, strict=True):
            self.budget.check()
            check_state(self.machine, row)
            key = self.key(configuration_of(self.machine, row), row.choosing), last
            self.known[key] = min(switches, self.known.get(key, switches))
        start = self.machine.start()
        for frames in start.threads:
            self.stands(frames)
        if self.known.get((self.key(start, 0), 0)) != 0:
            raise InternalError("the table of states does not hold: the start is not in it")
        for number, (row, (last, switches)) in enumerate(zip(rows, ran, strict=True)):
            self.budget.check()
            self.expand(number, row, last, switches)

    def key(self, configuration: Configuration, choosing: int) -> Hashable:
        """Return the same for configurations that differ in names and garbage only."""
        form, referring = Form(configuration.heap, {}), self.referring
        statics = form.spell_all(tuple(configuration.statics.values()), self.statics)
        threads = tuple(
            [
                tuple(
                    [
                        (
                            f.procedure,
                            f.location,
                            f.base,
                            form.spell_all(tuple(f.values.values()), referring[f.procedure]),
                        )
                        for f in frames
                    ]
                )
                for frames in configuration.threads
            ]
        )
        return choosing, statics, threads, form.cells()

    def runs(self, thread: int, last: int, switches: int, runnable: Sequence[int] = ()) -> bool:
        """Note who takes the next step; tell whether it is within the bound."""
        bound = self.table.bound
        if bound is None:
            return True
        self.last, self.switches = thread, switches + _price(bound.kind, last, thread, runnable)
        return self.switches <= bound.number

    def expand(self, number: int, row: StateRow, last: int, switches: int) -> None:
        """Check every step from a row, which has a number."""
        machine, configuration = self.machine, configuration_of(self.machine, row)
        if row.choosing:
            self.runs(row.choosing, row.choosing, switches)
            try:
                many = len(machine.alternatives(configuration, row.choosing))
            except Fails as fails:  # of a row that nobody needs
                self.excluded.fail(fails.kind)
                return
            for alternative in range(many):
                self.go(copy_for(configuration, row.choosing), row.choosing, alternative)
            return
        runnable = [t for t in range(1, len(row.threads) + 1) if machine.runnable(configuration, t)]
        if not runnable and any(frames and not self.may_end(frames[-1]) for frames in configuration.threads):
            self.excluded.fail(DEADLOCK)
        for thread in runnable:
            if self.runs(thread, last, switches, runnable):
                self.go(copy_for(configuration, thread), thread, None)

    def may_end(self, frame: Frame) -> bool:
        """Tell whether a thread that waits for ever there does nothing wrong."""
        action = self.machine.edges_from(frame)[0].action
        return isinstance(action, Join) and action.may_end

    def go(self, configuration: Configuration, thread: int, chosen: int | None) -> None:
        """Run a thread to its next scheduling point or choice, and see that the table has it."""
        machine, frames = self.machine, configuration.threads[thread - 1]
        watch, before = CycleWatch(thread), len(configuration.threads)
        for count in range(LONGEST_REGION):
            if count % 1024 == 1023:  # mutant: only how often the budget is looked at
                self.budget.check()
            if watch.is_back(count, configuration):
                break
            try:
                if chosen is None and len(machine.alternatives(configuration, thread)) > 1:
                    self.member(configuration, thread)
                    return
                keeps = machine.step(configuration, thread, chosen or 0).keeps
            except FailedAssume:
                return
            except Fails as fails:
                self.excluded.fail(fails.kind)
                return
            chosen = None
            self.stands(frames)
            if machine.failure_of(configuration, thread):
                self.excluded.fail(ASSERTION)
                return
            if not keeps:
                self.arrive(configuration, thread, range(before + 1, len(configuration.threads) + 1))
                return
        self.excluded.fail(ENDLESS)

    def arrive(self, configuration: Configuration, thread: int, started: Iterable[int]) -> None:
        """See that a state is in the table, or in a reduced one: that what nobody notices leads there.

        That is what the thread itself does next, and first steps of threads that it has just started: nobody else could
        run since then.  Where switches are counted the latter wait, as a turn of another thread is a switch.
        """
        if self.table.reduced:
            self.run_on(configuration, thread, False)
            for each in started if self.table.bound is None else ():
                self.run_on(configuration, each, True)
        self.member(configuration, 0)

    def run_on(self, configuration: Configuration, thread: int, is_new: bool) -> None:
        """Let a thread take the steps that nobody notices, from no place twice; a new one none that asks its number."""
        frames, passed = configuration.threads[thread - 1], set()
        while frames and self.private_steps.has_next(frames):
            place = frames[-1].procedure, frames[-1].location
            if place in passed or (is_new and self.private_steps.asks_its_number(frames[-1])):
                break
            passed.add(place)
            try:
                self.machine.step(configuration, thread)
            except Fails:
                break  # it has changed nothing yet
            self.stands(frames)

    def stands(self, frames: Sequence[Frame]) -> None:
        """Note where a thread stands."""
        if frames:
            self.excluded.stand(frames[-1].procedure, frames[-1].location)

    def member(self, configuration: Configuration, choosing: int) -> None:
        """See that the table has a state."""
        known = self.known.get((self.key(configuration, choosing), self.last))
        if known is None or known > self.switches:
            raise InternalError("the table of states does not hold: a step leads out of it")
        for frames in configuration.threads:
            self.stands(frames)


_COUNTED = ("switches", "delays", "preemptions")


def _price(kind: str, last: int, thread: int, runnable: Sequence[int]) -> int:
    """Return what the next step of a thread adds to what is counted; `last` ran before (0: nobody).

    A switch from a thread that cannot run is no preemption.  A turn goes round from the last thread; whoever can run
    and is passed over on the way was delayed.
    """
    if kind == "switches":
        return int(last not in (0, thread))
    if kind == "preemptions":
        return int(last != thread and last in runnable)
    if thread >= last:
        return sum(last <= each < thread for each in runnable)
    return sum(each >= last or each < thread for each in runnable)


def copy_for(configuration: Configuration, thread: int) -> Configuration:
    """Return a configuration in which one thread can move; the frames of the others are shared."""
    threads = list(configuration.threads)
    threads[thread - 1] = [frame.copy() for frame in threads[thread - 1]]
    return Configuration(dict(configuration.statics), dict(configuration.heap), threads, dict(configuration.made))
