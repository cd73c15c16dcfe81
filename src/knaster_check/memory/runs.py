"""The check of all runs of a program with memory: the kernel runs the program itself, on every input.

The file says how many runs there are and which undefined steps ended them, for people; the kernel believes neither.
It takes every step of every run (`inputs.Cover`): none stands at a target or comes to an undefined step that is asked
for, and all of them end.  After signed overflow, or a pointer that leaves its object, runs go on, whoever asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from knaster_check.memory.codes import Codes
from knaster_check.memory.faults import Asked, Over, Place, Undefined, read_asked
from knaster_check.memory.inputs import Cover, Inputs
from knaster_check.memory.leaks import leaks_of
from knaster_check.memory.machine import Machine
from knaster_check.program import Program, Target
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, object_with, text_of
from knaster_check.table import STUMBLES, Verdict
from knaster_check.work import Tick

UNITS = 8  # of a step, in microseconds


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that no run reaches a target, or without targets that every run ends."""
    data = object_with(document["runs_of_memory"], ("runs", "strict"), "'runs_of_memory'")
    number_of(data["runs"], "the number of runs")
    for kind in list_of(data["strict"], "undefined steps"):
        text_of(kind, "a kind of undefined step")
    expect(program.kind == "memory" and len(program.threads) == 1, "the program has no memory, or threads")
    runs = Runs(program, targets, tick)
    with no_judgement_where_it_stumbles():
        runs.walk()
    claim = "unreachable" if targets else "ends"
    return Verdict(claim, targets, None, {"runs": runs.count, "steps": runs.steps})


@contextmanager
def no_judgement_where_it_stumbles() -> Iterator[None]:
    """Say nothing of a proof where the kernel's own code cannot go on."""
    try:
        yield
    except STUMBLES as wrong:
        raise Unsupported(f"the kernel stumbles ({type(wrong).__name__}: {str(wrong)[:60]})") from wrong


class Watch:
    """Refuses runs that reach a target: a place, or an undefined step that is asked for."""

    def __init__(self, program: Program, targets: tuple[Target, ...]) -> None:
        self.places = {target[1:]: target.name for target in targets if target.procedure}
        self.asked: list[Asked] = [read_asked(program, target.name) for target in targets if not target.procedure]

    def look(self, machine: Machine) -> None:
        """Refuse where a run stands at a target."""
        frame = machine.frames[-1]
        place = frame.code.procedure.name, frame.location
        if place in self.places:
            raise Refused("a run reaches it", self.places[place])

    def note(self, kind: str, place: Place, at_once: bool = False) -> None:
        """Refuse where an undefined step is asked for."""
        for asked in self.asked:
            if asked.means(kind, place, at_once):
                raise Refused(f"a run comes to it at line {place[0]}", asked.name)


class Runs(Watch):
    """All runs of a program, one after the other."""

    def __init__(self, program: Program, targets: tuple[Target, ...], tick: Tick) -> None:
        super().__init__(program, targets)
        self.codes, self.tick = Codes(program), tick
        self.count = self.steps = 0

    def walk(self) -> None:
        """Run the program on all inputs."""
        for inputs in Cover():
            self.count += 1
            self.run(inputs)

    def run(self, inputs: Inputs) -> None:
        """Run it once, to the end."""
        machine = Machine(self.codes, inputs, self.note)
        try:
            while machine.frames:
                self.look(machine)
                machine.step()
        except Over:
            return
        except Undefined as step:
            self.note(step.kind, step.place)
            return
        for kind in leaks_of(machine):
            self.note(kind, (0, 0))

    def look(self, machine: Machine) -> None:
        """Refuse where a run stands at a target; count its steps."""
        super().look(machine)
        self.steps += 1
        if not self.steps % 16:  # mutant: how much work it is said to be
            self.tick(16 * UNITS)  # mutant: how much work it is said to be
