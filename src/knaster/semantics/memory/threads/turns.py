"""What one thread does from one visible step to the next: its *turn*; on every choice that it makes.

A turn begins with a step of whatever kind and goes on while nobody can notice.  It stops before the next visible step,
before one that would end the run, and after many steps, so that a thread that runs for ever keeps nobody waiting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knaster.base.named_tuples import NamedTuple
from knaster.program.model import Place
from knaster.semantics.memory.failure import RACE, Fault, Stopped, Unclear
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.leaks import leak_of
from knaster.semantics.memory.machine import Strict
from knaster.semantics.memory.threads.machine import ThreadedMachine, Waiting
from knaster.semantics.memory.threads.races import find_race
from knaster.semantics.memory.threads.visible import Looks
from knaster.semantics.memory.unknown import Interval, LateInputs

LONGEST = 2_000  # steps of a turn
MOVED, WAITS, ENDS, FAILS, UNCLEAR = "moved", "waits", "ends", "fails", "unclear"
_NONE: frozenset[int] = frozenset()
Digits = tuple[int, ...]


class Turn(NamedTuple):
    """What a thread did: how its turn ended, after how many steps, and what it came to on the way."""

    kind: str
    steps: int
    passed: tuple[tuple[Place | str, int], ...] = ()  # with the number of steps up to there
    fault: Fault | None = None
    message: str = ""


class Branching(LateInputs):
    """The inputs of many machines: each has its own ranges, and of each choice the number is given or 0."""

    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self.numbers = numbers
        self.first: Digits = ()
        self.taken: list[int] = []
        self.counts: list[int] = []

    def begin(self, first: Digits, ranges: list[Interval]) -> None:
        """Go on with the ranges of a machine, and with these numbers first."""
        self.first, self.ranges, self.order = first, list(ranges), []
        self.taken, self.counts = [], []

    def pick(self, count: int) -> int:
        """Return the number of the way to go on."""
        at = len(self.taken)
        number = self.first[at] if at < len(self.first) else 0
        self.taken.append(number)
        self.counts.append(count)
        return number

    def candidates(self, low: int, high: int) -> list[int]:
        """Return numbers of an interval that are worth trying, the simplest first."""
        return self.numbers.within(low, high)

    def others(self) -> list[Digits]:
        """Return the ways beside the one that was just gone, beyond the numbers that were given."""
        return [
            (*self.taken[:at], number)
            for at in range(len(self.first), len(self.taken))
            for number in range(1, self.counts[at])
        ]


class Turns:
    """The turns of threads of one program; `watched` has the locations of each procedure that are looked for."""

    def __init__(self, inputs: Branching, watched: Mapping[str, frozenset[int]], races: bool) -> None:
        self.inputs = inputs
        self.stops_at_loops = False  # a turn ends where a place comes back, so that whoever goes around is seen soon
        self.watched = watched
        self.races = races  # they are looked for
        self.looks = Looks()

    def of_thread(self, machine: ThreadedMachine, thread: int) -> Iterator[tuple[Turn, ThreadedMachine, Digits]]:
        """Yield every turn of a thread, the machine after it, and the numbers of its choices."""
        todo: list[Digits] = [()]
        while todo:
            first = todo.pop()
            twin = machine.copy()
            self.inputs.begin(first, machine.ranges)
            turn = self.take(twin, thread)
            twin.ranges = self.inputs.ranges
            yield turn, twin, tuple(self.inputs.taken)
            todo += self.inputs.others()

    def take(self, machine: ThreadedMachine, thread: int) -> Turn:
        """Let a thread take its turn."""
        machine.switch(thread)
        steps = 0
        frames, watched = machine.frames, self.watched
        place = frames[-1].code.procedure.name, frames[-1].location
        passed: list[tuple[Place | str, int]] = []
        if place[1] in watched.get(place[0], _NONE) and place[1] == frames[-1].code.procedure.entry:
            passed.append((place, 0))  # nobody has come there by a step where a thread begins
        visited = {(len(frames), place)}
        while steps < LONGEST and (not steps or self._goes_on(machine)):
            try:
                machine.step()
            except Waiting:
                return Turn(MOVED if steps else WAITS, steps, tuple(passed))
            except Stopped:
                return Turn(MOVED if steps else ENDS, steps, tuple(passed))
            except Fault as fault:
                return Turn(MOVED if steps else FAILS, steps, tuple(passed), fault)
            except Unclear as unclear:
                return Turn(UNCLEAR, steps, tuple(passed), None, str(unclear))
            steps += 1
            if not frames:
                break
            place = frames[-1].code.procedure.name, frames[-1].location
            if self.stops_at_loops:
                if (len(frames), place) in visited:
                    break
                visited.add((len(frames), place))
            if place[1] in watched.get(place[0], _NONE):
                passed.append((place, steps))
            try:
                if self.races and machine.section and find_race(machine, self.looks) is not None:
                    passed.append((RACE, steps))
            except Unclear as unclear:
                return Turn(UNCLEAR, steps, tuple(passed), None, str(unclear))
        leak = None if machine.running else leak_of(machine)
        return Turn(MOVED, steps, tuple(passed), leak)

    def _goes_on(self, machine: ThreadedMachine) -> bool:
        """Tell whether nobody notices when the next step is taken."""
        if machine.section or machine.is_alone:
            return True
        try:
            return self.looks.next_access(machine) is None
        except (Fault, Unclear):
            return True  # the step says so itself


def start_machines(codes: Any, inputs: Branching, strict: Strict) -> Iterator[tuple[ThreadedMachine, Digits]]:
    """Yield every machine at its start, with the numbers of the choices that were made."""
    todo: list[Digits] = [()]
    while todo:
        inputs.begin(todo.pop(), [])
        machine = ThreadedMachine(codes, inputs, strict)
        machine.ranges = inputs.ranges
        yield machine, tuple(inputs.taken)
        todo += inputs.others()
