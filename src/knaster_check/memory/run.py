"""The check of a run with memory: the kernel takes its steps itself, on the inputs of the file, and reaches the target.

The file has `inputs`, in the order in which they are read, and `turns`: what each thread does in one go, as lines, each
with how often it is taken in a row; 0 is the end of an activation.  The last return of a thread belongs to the step
that leads there.  Where the lines end, the run stands at the target; or what the last thread does next is undefined as
the target says, or the run is over and something is left; or no thread can move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from knaster_check.memory.codes import Codes
from knaster_check.memory.faults import Asked, Over, Place, Undefined, read_asked
from knaster_check.memory.given import GivenInputs
from knaster_check.memory.inputs import Inputs
from knaster_check.memory.leaks import leaks_of
from knaster_check.memory.runs import UNITS, no_judgement_where_it_stumbles
from knaster_check.memory.threads import ThreadedMachine, Waits
from knaster_check.program import Program, Target
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, object_with
from knaster_check.table import Verdict
from knaster_check.work import Tick


class _Met(Exception):
    """The run comes to the undefined step that is asked for."""


def check(program: Program, document: Mapping[str, Any], target: Target, tick: Tick) -> Verdict:
    """Return that a run reaches the target."""
    data = object_with(document["run"], ("inputs", "turns"), "'run'")
    expect(len(program.threads) == 1, "the program has threads from the start")
    run = Run(program, list_of(data["inputs"], "inputs"), target, tick)
    with no_judgement_where_it_stumbles():
        run.follow(list_of(data["turns"], "turns"))
        expect(run.is_at_target(), "the run does not reach it", target.name)
    return Verdict("reachable", (target,), None, {"replayed": run.steps})


class Run:
    """One run, step by step, to a target."""

    def __init__(self, program: Program, inputs: list[Any], target: Target, tick: Tick) -> None:
        self.target, self.tick, self.steps = target, tick, 0
        self.asked: Asked | None = None if target.procedure else read_asked(program, target.name)
        self.ends = False  # the lines of the file are over
        self.machine = ThreadedMachine(Codes(program), GivenInputs(inputs), self.note)

    def note(self, kind: str, place: Place, at_once: bool = False) -> None:
        """Stop at an undefined step that is asked for, where the file says that the run ends."""
        if self.ends and self.asked is not None and self.asked.means(kind, place, at_once):
            raise _Met

    def follow(self, turns: list[Any]) -> None:
        """Take the steps of all turns."""
        expect(bool(turns), "nobody runs")
        for row in turns:
            number, lines = list_of(row, "a turn", 2)
            expect(number_of(number, "a thread") in self.machine.may_run, f"thread {number} cannot run")
            self.machine.switch(number)
            for pair in list_of(lines, "lines"):
                line, times = list_of(pair, "a line", 2)
                for _ in range(number_of(times, "how often a line is taken")):
                    self._take(number_of(line, "a line"))

    def _take(self, line: int) -> None:
        expect(bool(self.machine.frames), "the run goes on where a thread has ended")
        try:
            taken = self._step()
        except (Over, Undefined, Waits):
            raise Refused("the run cannot go on", f"line {line}") from None
        expect(taken == line, f"the run takes line {taken}, and the file says {line}")

    def _step(self) -> int:
        """Take a step of the thread that runs; return its line, 0 where an activation ends."""
        self.steps += 1
        self.tick(UNITS)
        machine = self.machine
        ends = machine.is_at_end
        machine.step()
        return 0 if ends else machine.place[0]

    def is_at_target(self) -> bool:
        """Tell whether the run stands at the target, or comes to it next."""
        machine = self.machine
        if self.asked is None:
            frames = machine.frames
            return bool(frames) and (frames[-1].code.procedure.name, frames[-1].location) == self.target[1:]
        if self.asked.kinds == ("deadlock",):
            return bool(machine.may_run) and not machine.depth and not any(map(self._can_move, machine.may_run))
        if "race" in self.asked.kinds:
            raise Unsupported("the kernel does not look for races")
        return self._comes_to(self.asked)

    def _can_move(self, number: int) -> bool:
        """Tell whether a thread can take a step; what it would read is not taken from the file."""
        twin = self.machine.copy()
        twin.inputs = Inputs()
        twin.switch(number)
        try:
            twin.step()
        except Waits:
            return False
        except (Over, Undefined):
            return True
        return True

    def _comes_to(self, asked: Asked) -> bool:
        """Tell whether the next step is undefined so, or the run is over and leaves something behind that is."""
        if not self.machine.frames:
            over = not self.machine.may_run
            return over and any(asked.means(kind, (0, 0)) for kind in leaks_of(self.machine))
        self.ends = True
        try:
            self._step()
        except _Met:
            return True
        except Undefined as step:
            return asked.means(step.kind, step.place)
        except (Over, Waits):
            return False
        return False
