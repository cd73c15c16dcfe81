"""The check of all states of threads with memory: the threads run again, in every order and on every input.

The walk is its own, last in first out, with a turn for each thread that may run; choices are counted as an odometer
counts.  It shares with the search what a step is, who can notice it, and when two states are the same (`semantics`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from knaster.base.errors import InternalError, Span
from knaster.base.limits import Budget, OutOfBudget
from knaster.checkers.memory.enumerated_inputs import EnumeratedInputs
from knaster.evidence.proofs.memory.memory_states import MemoryStates
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import is_asked, kinds_in, kinds_of, site_kinds, strict_kinds
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import DEADLOCK, OVERFLOW, RACE, Fault, Stopped, Unclear
from knaster.semantics.memory.leaks import leak_of
from knaster.semantics.memory.machine import Strict
from knaster.semantics.memory.sites import Sites
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting
from knaster.semantics.memory.threads.races import find_race
from knaster.semantics.memory.threads.states import Key, Liveness, key_of
from knaster.semantics.memory.threads.visible import Looks

STEPS = 40_000_000  # of all turns together
LONGEST = 1_500  # steps of a turn


def check_memory_states(proof: MemoryStates, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Return where no run of the threads of a program reaches a target; else raise `InternalError`."""
    wanted = tuple(targets)
    strict = strict_kinds(wanted)
    if not {kind for kind in strict if isinstance(kind, str)} <= set(proof.strict):
        raise InternalError("the states of the proof pass over undefined steps that are asked for")
    if proof.vague and OVERFLOW in kinds_in(strict):
        raise InternalError("nobody sees an overflow where values are vague")
    StateWalk(program, wanted, strict | frozenset(proof.strict), budget, proof.vague).walk()


class StateWalk:
    """A walk through all states."""

    def __init__(
        self,
        program: Program,
        wanted: Sequence[Target],
        strict: Strict,
        budget: Budget,
        vague: bool,
    ) -> None:
        self.codes = Codes(program)
        self.strict, self.budget = strict, budget
        self.places = frozenset(target.place for target in wanted if target.has_place)
        self.asked = [target for target in wanted if not target.has_place]  # what no run may come to
        self.kinds = frozenset(kind for target in self.asked for kind in kinds_of(target))
        self.sites, self.listed = Sites(program), site_kinds(self.asked)
        self.inputs = EnumeratedInputs()
        self.inputs.vague = vague
        self.looks = Looks()
        self.liveness = Liveness()
        self.seen: set[Key] = set()
        self.todo: list[ThreadedMachine] = []
        self.steps = 0
        self.moved = False  # the turn that is looked at has a step
        self.longest = LONGEST

    def walk(self) -> None:
        """Walk until no state is left."""
        for machine in self._starts():
            self._keep(machine)
        while self.todo:
            machine = self.todo.pop()
            self.budget.check()
            self._look_around(machine)

    def _starts(self) -> Iterator[ThreadedMachine]:
        while True:
            self.inputs.begin([])
            machine = ThreadedMachine(self.codes, self.inputs, self.strict)
            machine.ranges = self.inputs.ranges
            yield machine
            if not self.inputs.advance():
                return

    def _keep(self, machine: ThreadedMachine) -> None:
        key = key_of(machine, self.liveness)
        if key not in self.seen:
            self.seen.add(key)
            self.todo.append(machine)

    def _look_around(self, machine: ThreadedMachine) -> None:
        """Let every thread go on from a state; somebody can, or that is a deadlock."""
        moves = [self._turns(machine, thread) for thread in reversed(machine.may_run)]
        if moves and not any(moves) and not machine.section and DEADLOCK in self.kinds:
            raise InternalError("no thread can move, and some thread waits")
        if RACE in self.kinds:
            self.inputs.begin(machine.ranges)
            self._ensure_no_race(machine)

    def _ensure_no_race(self, machine: ThreadedMachine) -> None:
        try:
            race = find_race(machine, self.looks)
        except Unclear as unclear:
            raise InternalError(f"it is not clear what a step uses: {unclear}") from None
        if race is not None:
            raise InternalError("two threads use the same memory at once")

    def _turns(self, machine: ThreadedMachine, thread: int) -> bool:
        """Let a thread take its turn on every input; tell whether it can move."""
        moves = False
        while True:
            self.inputs.begin(machine.ranges)
            twin = machine.copy()
            twin.switch(thread)
            self._look(twin)  # it may begin at a target
            self.moved = False
            moves = self._turn(twin) or moves
            self._ensure_listed(twin.lapses)
            twin.ranges = self.inputs.ranges
            if twin.running and self.moved:
                self._keep(twin)
            if not self.inputs.advance():
                return moves

    def _turn(self, machine: ThreadedMachine) -> bool:
        """Take steps of the thread that runs while nobody notices; tell whether it could move."""
        for count in range(self.longest):
            try:
                if count and not (machine.section or machine.is_alone) and self.looks.next_access(machine) is not None:
                    return True
                machine.step()
                self.moved = True
            except Waiting:
                return count > 0
            except Stopped:
                return True
            except Fault as fault:
                self._ensure_other(fault)
                return True
            except Unclear as unclear:
                raise InternalError(f"it is not clear how a run goes on: {unclear}") from None
            self._tick()
            if not machine.frames:
                break
            self._look(machine)
            if RACE in self.kinds and machine.section:
                self._ensure_no_race(machine)
        if not machine.running and (leak := leak_of(machine)) is not None:
            self._ensure_other(leak)
        return True

    def _look(self, machine: ThreadedMachine) -> None:
        frame = machine.frame
        if (frame.code.procedure.name, frame.location) in self.places:
            raise InternalError(f"a run reaches a target in '{frame.code.procedure.name}'")

    def _ensure_other(self, fault: Fault) -> None:
        if any(is_asked(target, fault.kind, fault.span) for target in self.asked):
            raise InternalError(f"a run comes to an undefined step at line {fault.span.line}: {fault.message}")
        self._ensure_listed(((fault.kind, fault.span),))

    def _ensure_listed(self, steps: Iterable[tuple[str, Span]]) -> None:
        if why := self.sites.why_unlisted(self.listed, steps):
            raise InternalError(why)

    def _tick(self) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise OutOfBudget(f"the turns have more than {STEPS:,} steps")
        if not self.steps % 1024:
            self.budget.check()
