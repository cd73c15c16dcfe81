"""The check of all runs of a program with memory: each is run again, on every value of each input, one after the other.

Choices are enumerated here from the first to the last, as an odometer counts; no code of the search is used.  Inputs
are split where the program makes a difference (`semantics.memory.unknown`); one that has to be chosen has few values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from knaster.base.errors import InternalError, Span
from knaster.base.limits import Budget, OutOfBudget
from knaster.evidence.proofs.memory_runs import MemoryRuns
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import is_asked, site_kinds, strict_kinds
from knaster.program.memory import Floating
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.leaks import leak_of
from knaster.semantics.memory.machine import Machine
from knaster.semantics.memory.sites import Site, Sites
from knaster.semantics.memory.unknown import ENUMERATED, LateInputs

STEPS = 40_000_000  # of all runs together


def check_memory_runs(proof: MemoryRuns, program: Program, targets: Iterable[Target], budget: Budget) -> None:
    """Return where no run of a program reaches a target, and all of them end; else raise `InternalError`."""
    wanted = tuple(targets)
    places = {target.place for target in wanted if target.has_place}
    strict = strict_kinds(wanted)
    if not {kind for kind in strict if isinstance(kind, str)} <= set(proof.strict):
        raise InternalError("the runs of the proof pass over undefined steps that are asked for")
    runs = _Runs(
        program, strict | frozenset(proof.strict), [target for target in wanted if not target.has_place], budget
    )
    runs.walk(lambda place: place in places)
    if runs.count != proof.runs:
        raise InternalError(f"the program has {runs.count} runs, not {proof.runs}")


def check_ending(proof: MemoryRuns, program: Program, budget: Budget) -> None:
    """Return where every run of a program ends; else raise `InternalError`."""
    check_memory_runs(proof, program, (), budget)


class _Odometer(LateInputs):
    """Inputs that are enumerated: the last way that has another one beside it is the next to change."""

    def __init__(self, digits: list[tuple[int, int]]) -> None:
        super().__init__()
        self.digits = digits  # of each choice the number of the way, and how many there are
        self.position = 0

    def pick(self, count: int) -> int:
        """Return the number of the way to go on."""
        if self.position == len(self.digits):
            self.digits.append((0, count))
        number, ways = self.digits[self.position]
        if ways != count:
            raise InternalError("a run goes on in another way on the same inputs")
        self.position += 1
        return number

    def choose(self, type: Any, origin: str, span: Span) -> Any:
        """Return an input; one that is a floating-point number has too many values."""
        if isinstance(type, Floating):
            raise InternalError("an input has too many values to be enumerated")
        return super().choose(type, origin, span)

    def candidates(self, low: int, high: int) -> list[int]:
        """Return no numbers before the others: all of them are to be taken."""
        if high - low >= ENUMERATED:
            raise InternalError("an input has too many values to be enumerated")
        return []


def _advance(digits: list[tuple[int, int]]) -> bool:
    """Go on to the next combination; tell whether there is one."""
    while digits:
        number, ways = digits.pop()
        if number + 1 < ways:
            digits.append((number + 1, ways))
            return True
    return False


class _Runs:
    """All runs of a program, one after the other."""

    def __init__(
        self, program: Program, strict: frozenset[str | Site], asked: Sequence[Target], budget: Budget
    ) -> None:
        self.codes = Codes(program)
        self.strict = strict
        self.asked = asked  # undefined steps that no run may come to
        self.sites, self.listed = Sites(program), site_kinds(asked)
        self.budget = budget
        self.count = 0
        self.steps = 0

    def walk(self, is_target: Callable[[tuple[str, int]], bool]) -> None:
        """Run all of them."""
        digits: list[tuple[int, int]] = []
        while True:
            self.count += 1
            self._run(_Odometer(digits), is_target)
            if not _advance(digits):
                return

    def _run(self, inputs: _Odometer, is_target: Callable[[tuple[str, int]], bool]) -> None:
        machine = Machine(self.codes, inputs, self.strict)
        fault = self._fault_of(machine, is_target)
        if fault is not None and any(is_asked(target, fault.kind, fault.span) for target in self.asked):
            raise InternalError(f"a run comes to an undefined step at line {fault.span.line}: {fault.message}")
        steps = [*machine.lapses, (fault.kind, fault.span)] if fault is not None else machine.lapses
        if why := self.sites.why_unlisted(self.listed, steps):
            raise InternalError(why)

    def _fault_of(self, machine: Machine, is_target: Callable[[tuple[str, int]], bool]) -> Fault | None:
        """Run a machine; return the undefined step in which it ends, if it ends in one."""
        try:
            while machine.frames:
                frame = machine.frame
                if is_target((frame.code.procedure.name, frame.location)):
                    raise InternalError(f"a run reaches a target in '{frame.code.procedure.name}'")
                machine.step()
                self._tick()
        except Stopped:
            return None
        except Fault as fault:
            return fault
        except Unclear as unclear:
            raise InternalError(f"it is not clear how a run goes on: {unclear}") from None
        return leak_of(machine)

    def _tick(self) -> None:
        self.steps += 1
        if self.steps > STEPS:
            raise OutOfBudget(f"the runs have more than {STEPS:,} steps")
        if not self.steps % 4096:
            self.budget.check()
