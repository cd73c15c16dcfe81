"""What the kernel's paths come to and what its runs on all inputs come to: the same, or one of them is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.program.model import Program
from knaster_check import read_program
from knaster_check.memory.codes import Codes
from knaster_check.memory.faults import KINDS, Over, Undefined
from knaster_check.memory.given import GivenInputs
from knaster_check.memory.leaks import leaks_of
from knaster_check.memory.machine import Machine
from knaster_check.memory.paths import Paths
from knaster_check.work import nothing

Event = tuple[Any, ...]  # a place that is reached, or an undefined step


class PathEvents(Paths):
    """All paths of a program; what they come to is collected."""

    def __init__(self, program: Program) -> None:
        super().__init__(read_program(program_to_kernel(program)), (), nothing)
        self.kinds = set(KINDS)
        self.events: set[Event] = set()

    def note(self, kind: str, place: tuple[int, int], at_once: bool = False) -> None:
        self.events.add((kind, place, at_once))

    def look(self, machine: Machine) -> None:
        super().look(machine)
        self.events.add((machine.frames[-1].code.procedure.name, machine.frames[-1].location))


def events_of_paths(program: Program) -> set[Event]:
    """Return what all paths come to."""
    paths = PathEvents(program)
    paths.walk()
    return paths.events


def events_of_runs(program: Program, ranges: Iterable[Sequence[int]]) -> set[Event]:
    """Return what runs on all values of the inputs come to."""
    codes = Codes(read_program(program_to_kernel(program)))
    found: set[Event] = set()

    def note(kind: str, place: tuple[int, int], at_once: bool = False) -> None:
        found.add((kind, place, at_once))

    for values in product(*ranges):
        machine = Machine(codes, GivenInputs(values), note)
        try:
            while machine.frames:
                found.add((machine.frames[-1].code.procedure.name, machine.frames[-1].location))
                machine.step()
            found |= {(kind, (0, 0), False) for kind in leaks_of(machine)}
        except Over:
            pass
        except Undefined as step:
            found.add((step.kind, step.place, False))
    return found
