"""All states that the threads of a program with memory can come to, those after few switches first.

Within a bound a state is known with the thread that ran last and the least cost of a run to it (`schedule_costs`).

After K. Sen and others' and Zing's practice: a thread runs on while nobody can notice (`turns`), states are compared up
to the names of objects (`states`).  What is found is known by its turns, each with the numbers of its choices.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from heapq import heappop, heappush

from knaster.base.errors import Span
from knaster.base.limits import OutOfBudget
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.program.model import Place, Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import DEADLOCK, LEAK, LOST, RACE, Unclear
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.machine import Strict
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.persistent import PersistentThreads
from knaster.semantics.memory.threads.races import find_race
from knaster.semantics.memory.threads.states import Key, Liveness, key_of
from knaster.semantics.memory.threads.turns import (
    FAILS,
    MOVED,
    UNCLEAR,
    WAITS,
    Branching,
    Digits,
    Turn,
    Turns,
    start_machines,
)
from knaster.semantics.schedule_costs import cost_of_turn

ALONE = 100  # turns of threads that move alone, after each other
STEPS = 100  # of turns, for each state that may be looked at
Way = tuple[Turn, ThreadedMachine, Digits]  # what a thread does, where it leads, and the numbers of its choices
LEVEL = 64  # turns that count as much as a switch


class Found(NamedTuple):
    """A run that comes to something: a place, or a kind of failure and where; its turns with their choices."""

    what: Place | str
    turns: tuple[tuple[int, int, Digits], ...]  # thread, steps, numbers of choices; the first has the choices at start
    span: Span | None = None  # of a step that is undefined


@dataclass(slots=True, eq=False)
class _State:
    """A state that waits to be looked at: how it was reached, and the machine."""

    parent: int
    thread: int
    steps: int
    digits: Digits
    cost: int  # of the schedule: switches, or what is bounded
    turns: int = 0  # from the start
    alone: int = 0  # turns before it in which nobody else could have moved

    @property
    def level(self) -> int:
        """When it is looked at: cheap ones come first, and long runs of one thread do not come before all others."""
        return self.cost + self.turns // LEVEL


class ThreadExploration:
    """The states of a program; `complete` tells afterwards whether these were all of them."""

    def __init__(
        self,
        program: Program,
        places: Collection[Place],
        strict: Strict,
        bound: tuple[str, int] | None,
        most: int,
        vague: bool = False,
    ) -> None:
        """Prepare; the bound is what is counted (`schedule_costs`) and the largest number of it."""
        self.codes = Codes(program)
        self.inputs = Branching(Numbers(program))
        self.inputs.vague = vague
        self.strict = strict
        self.bound = bound
        self.counted = bound[0] if bound is not None else "switches"
        self.most = most
        watched: dict[str, frozenset[int]] = {}
        for name, location in places:
            watched[name] = watched.get(name, frozenset()) | {location}
        self.turns = Turns(self.inputs, watched, RACE in strict)
        self.liveness = Liveness()
        reduces = bound is None and not strict & {LEAK, LOST}
        self.persistent = PersistentThreads(program, self.turns.looks) if reduces else None
        self.seen: dict[Key, int] = {}  # with the cost of the schedule where that is bounded, else 0
        self.states: list[_State] = []
        self.undefined_steps: dict[tuple[str, Span], None] = {}  # that runs came to
        self.why = ""  # these are not all runs
        self.hasty = False  # stop where it is known that these are not all runs
        self.cut = False  # the bound has left runs out
        self.steps = 0
        self._queue: list[tuple[int, int, ThreadedMachine]] = []

    @property
    def complete(self) -> bool:
        """Whether no run was left out, but for the bound."""
        return not self.why

    @property
    def exhausted(self) -> bool:
        """Whether it has looked at as much as it may."""
        return len(self.states) >= self.most or self.steps > self.most * STEPS

    def found(self, check: Callable[[], None]) -> Iterator[Found]:
        """Yield what runs come to, until all states are known."""
        for machine, digits in start_machines(self.codes, self.inputs, self.strict):
            self._add(machine, _State(-1, 1, 0, digits, int(self.counted == "rounds")))
        while self._queue:
            _, number, machine = heappop(self._queue)
            check()
            yield from self._expand(number, machine)
            if self.hasty and self.why:
                return

    def _expand(self, number: int, machine: ThreadedMachine) -> Iterator[Found]:
        """Let every thread take its turn from a state."""
        state = self.states[number]
        yield from self._race(number, machine)
        if self.persistent is not None:
            alone = self._expand_alone(number, machine, state)
            if alone is not None:
                yield from alone
                return
        turns = {thread: list(self.turns.of_thread(machine, thread)) for thread in machine.may_run}
        runnable = [thread for thread, ways in turns.items() if any(turn.kind != WAITS for turn, _, _ in ways)]
        for thread, ways in turns.items():
            if thread not in runnable and not any(turn.passed for turn, _, _ in ways):
                continue  # it waits; where it begins at a place, it stands there nevertheless
            cost = state.cost + cost_of_turn(self.counted, state.thread, thread, sorted({*runnable, thread}))
            if self.bound is not None and cost > self.bound[1]:
                self.cut = True
                continue
            yield from self._move(number, thread, ways, cost)
        if not runnable and not machine.section:
            yield self._found(DEADLOCK, number, state.thread, 0, ())

    def _move(self, number: int, thread: int, turns: list[Way], cost: int, alone: int = 0) -> Iterator[Found]:
        """Keep where the turns of a thread lead to from a state."""
        for turn, twin, digits in turns:
            self.steps += turn.steps
            yield from self._passed(turn, number, thread, digits)
            self._note(turn, twin)
            if turn.kind == MOVED:
                after = self.states[number].turns + 1
                self._add(twin, _State(number, thread, turn.steps, digits, cost, after, alone))

    def _expand_alone(self, number: int, machine: ThreadedMachine, state: _State) -> list[Found] | None:
        """Let one thread alone take its turn, where that concerns nobody else and leads to a new state; else None."""
        assert self.persistent is not None
        if state.alone >= ALONE:
            return None  # where states are without end, nobody is to be put off for ever
        for thread in self.persistent.threads(machine, state.thread):
            turns = list(self.turns.of_thread(machine, thread))
            if any(turn.kind != MOVED for turn, _, _ in turns):
                continue  # mutant(continue): only how many states: after a turn that has moved, all can move
            before, cost = len(self.states), state.cost + (thread != state.thread)
            found = list(self._move(number, thread, turns, cost, state.alone + 1))
            if len(self.states) > before:
                return found
        return None

    def _race(self, number: int, machine: ThreadedMachine) -> Iterator[Found]:
        if RACE in self.strict:
            self.inputs.begin((), machine.ranges)
            try:
                race = find_race(machine, self.turns.looks)
            except Unclear as unclear:
                self._give_up(str(unclear))
                return
            if race is not None:
                yield self._found(RACE, number, race.second, 0, ())

    def _passed(self, turn: Turn, number: int, thread: int, digits: Digits) -> Iterator[Found]:
        for place, steps in turn.passed:
            yield self._found(place, number, thread, steps, digits)
        if turn.fault is not None and turn.kind == FAILS:
            yield self._found(turn.fault.kind, number, thread, 0, digits, turn.fault.span)
        elif turn.fault is not None and turn.fault.kind in (LEAK, LOST):
            yield self._found(turn.fault.kind, number, thread, turn.steps, digits, turn.fault.span)

    def _note(self, turn: Turn, machine: ThreadedMachine) -> None:
        """Note why this is not the whole truth, and which undefined steps runs came to."""
        if turn.kind == UNCLEAR:
            self._give_up(turn.message)
        if not self.inputs.complete:
            self._give_up("no run was found on the inputs that were tried")
        self.undefined_steps.update(machine.lapses)
        if turn.kind == FAILS and turn.fault is not None:
            self.undefined_steps[turn.fault.kind, turn.fault.span] = None

    def _give_up(self, why: str) -> None:
        self.why = self.why or why

    def _add(self, machine: ThreadedMachine, state: _State) -> None:
        """Keep a state that is new."""
        if not machine.running:
            return
        key = key_of(machine, self.liveness)
        cost = 0
        if self.bound is not None:
            key, cost = (*key, state.thread), state.cost
        if self.seen.get(key, cost + 1) <= cost:
            return
        if len(self.states) >= self.most:
            raise OutOfBudget(f"the limit of {self.most:,} states was reached")
        if self.steps > self.most * STEPS:
            raise OutOfBudget(f"the limit of {self.most * STEPS:,} steps was reached")
        self.seen[key] = cost
        heappush(self._queue, (state.level, len(self.states), machine))
        self.states.append(state)

    def _found(
        self, what: Place | str, number: int, thread: int, steps: int, digits: Digits, span: Span | None = None
    ) -> Found:
        turns = [(thread, steps, digits)]
        while number >= 0:
            state = self.states[number]
            turns.append((state.thread, state.steps, state.digits))
            number = state.parent
        return Found(what, tuple(reversed(turns)), span)


__all__ = ["Found", "ThreadExploration"]
