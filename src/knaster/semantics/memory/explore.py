"""Runs of a program with memory on chosen inputs, the simplest first; all of its runs where it has few.

A run is known by the numbers of its candidates.  After a run, each of its later choices is changed in turn; those with
the smallest sum of numbers come first.  Nothing is random, and all is counted in steps.

Where a site is `strict` (`sites`), a run ends when it first comes to that undefined step; it is then run again and goes
on, so that what is said of other steps does not depend on who asks for this one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import heappop, heappush
from typing import Any

from knaster.base.errors import Span
from knaster.base.named_tuples import NamedTuple
from knaster.program.model import Place, Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.inputs import Candidates, Numbers
from knaster.semantics.memory.leaks import leak_of
from knaster.semantics.memory.machine import END, FAILURE, STOPPED, Frame, Machine
from knaster.semantics.memory.sites import Site, site_at

FAULT, UNCLEAR, LIMIT = "fault", "unclear", "limit"
ALONE = 30_000_000  # steps of the first run: where it reads no input it is the only one
BEGINNING = 100  # steps that the beginning of a run is worth
_TICK = 4096  # steps between two looks at the clock
_NOWHERE: frozenset[int] = frozenset()
_WAITING = 200_000  # runs that wait for their turn


_Start = tuple[int, int, int, list[int], int, int]  # cost, length, order; a run, and where another number is taken


def _numbers_of(start: _Start) -> tuple[int, ...]:
    """Return the numbers of the candidates with which a run begins; runs share what they have in common."""
    _, _, _, taken, at, number = start
    return (*taken[:at], number) if number >= 0 else ()  # mutant(>=): it is -1, or above 0


class Outcome(NamedTuple):
    """How a run ended: in which way, where, what it passed, and on which inputs."""

    kind: str
    place: Place
    span: Span
    fault: str = ""  # the kind of the undefined step
    message: str = ""
    passed: tuple[Place, ...] = ()  # watched places, in order
    lapses: tuple[tuple[str, Span], ...] = ()
    inputs: tuple[Any, ...] = ()
    steps: int = 0

    @property
    def undefined_steps(self) -> tuple[tuple[str, Span], ...]:
        """The undefined steps that it came to, the one that ended it last."""
        return (*self.lapses, (self.fault, self.span)) if self.kind == FAULT else self.lapses


def run_machine(machine: Machine, watched: dict[str, frozenset[int]], limit: int, check: Callable[[], None]) -> Outcome:
    """Run a machine to its end, or for so many steps."""
    passed: list[Place] = []
    count, kind, fault, message = 0, LIMIT, "", ""
    frame = machine.frames[-1]
    span = machine.span
    try:
        while count < limit:
            frame = machine.frames[-1]
            name = frame.code.procedure.name
            ticks = min(_TICK, limit - count)
            count += machine.run(ticks, watched.get(name, _NOWHERE), name, passed)
            if not machine.frames:
                kind = END
                break
            check()
    except Stopped:
        count += machine.cut_short
        frame = machine.frames[-1]
        kind = FAILURE if frame.location in frame.code.procedure.failures else STOPPED
        span = machine.span
    except Fault as found:
        count += machine.cut_short
        frame = machine.frames[-1]
        kind, fault, message, span = FAULT, found.kind, found.message, found.span
    except Unclear as found:
        count += machine.cut_short
        frame = machine.frames[-1]
        kind, message, span = UNCLEAR, str(found), machine.span
    if kind == END and (leak := leak_of(machine)) is not None:
        kind, fault, message, span = FAULT, leak.kind, leak.message, leak.span
    place = frame.code.procedure.name, frame.location
    return Outcome(kind, place, span, fault, message, tuple(passed), tuple(machine.lapses), (), count)


def watch(places: Iterable[Place]) -> dict[str, frozenset[int]]:
    """Return the locations of each procedure that are watched."""
    found: dict[str, frozenset[int]] = {}
    for name, location in places:
        found[name] = found.get(name, frozenset()) | {location}
    return found


class Exploration:
    """The runs of a program, one after the other; `complete` tells afterwards whether these were all of them."""

    def __init__(self, program: Program, places: Collection[Place], strict: frozenset[str | Site]) -> None:
        self.codes = Codes(program)
        self.numbers = Numbers(program)
        self.strict = strict
        self.watched = watch(places)
        self.complete = True
        self.closed = True  # no run has read an input
        self.why = ""  # it is not complete
        self.steps = 0
        self.most = 0  # steps of all runs together; whoever looks on may lower it
        self.runs = 0

    def outcomes(self, steps: int, longest: int, check: Callable[[], None]) -> Iterator[Outcome]:
        """Yield runs, at most so many steps in all, to begin a run counting as many steps; at most `longest` in one
        that reads inputs."""
        waiting: list[_Start] = [(0, 0, 0, [], 0, -1)]
        order = 0  # of two that cost the same, the one that was there first
        self.most = steps
        while waiting:
            steps = self.most
            if self.steps >= steps:
                self._give_up(f"no run was found within {steps:,} steps")
                return
            check()
            start = heappop(waiting)
            cost, first = start[0], _numbers_of(start)
            inputs = Candidates(self.numbers, first)
            machine = Machine(self.codes, inputs, self.strict)
            limit = min(longest, steps - self.steps) if first else ALONE
            outcome = run_machine(machine, self.watched, limit, check)
            self.steps += outcome.steps + BEGINNING
            if outcome.kind == FAULT and (site := site_at(outcome.fault, outcome.span)) in self.strict:
                self.strict -= {site}
                heappush(waiting, start)
                yield outcome._replace(inputs=inputs.values)
                continue
            self.runs += 1
            self.closed = self.closed and not inputs.order
            if not inputs.complete:
                self._give_up("no run was found on the inputs that were tried")
            if outcome.kind == UNCLEAR:
                self._give_up(outcome.message)
            if outcome.kind == LIMIT:
                self._give_up(f"a run has more than {outcome.steps:,} steps")
            yield outcome._replace(inputs=inputs.values)
            for at in range(len(first), len(inputs.taken)):
                for number in range(1, inputs.counts[at]):
                    if len(waiting) < _WAITING:
                        order += 1
                        heappush(waiting, (cost + number + at // 8, at, order, inputs.taken, at, number))
                    else:
                        self._give_up("there are too many inputs to try")

    def _give_up(self, why: str) -> None:
        self.complete = False
        self.why = self.why or why


def place_of(frame: Frame) -> Place:
    """Return where an activation stands."""
    return frame.code.procedure.name, frame.location
