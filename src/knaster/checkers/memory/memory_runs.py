"""The check of all runs of a program with memory: each is run again, on every value of each input, one after the other.

Inputs are enumerated (`enumerated_inputs`); no code of the search is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.memory.enumerated_inputs import EnumeratedInputs
from knaster.checkers.memory.memory_ends import Ends
from knaster.evidence.proofs.memory.memory_runs import MemoryRuns
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import is_asked, site_kinds, strict_kinds
from knaster.program.model import Program
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.machine import Machine
from knaster.semantics.memory.sites import Site, Sites


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


class _Runs:
    """All runs of a program, one after the other."""

    def __init__(
        self, program: Program, strict: frozenset[str | Site], asked: Sequence[Target], budget: Budget
    ) -> None:
        self.codes = Codes(program)
        self.strict = strict
        self.asked = asked  # undefined steps that no run may come to
        self.sites, self.listed = Sites(program), site_kinds(asked)
        self.ends = Ends(budget)
        self.count = 0

    def walk(self, is_target: Callable[[tuple[str, int]], bool]) -> None:
        """Run all of them."""
        digits: list[tuple[int, int]] = []
        while True:
            self.count += 1
            inputs = EnumeratedInputs(digits)
            self._run(inputs, is_target)
            if not inputs.advance():
                return

    def _run(self, inputs: EnumeratedInputs, is_target: Callable[[tuple[str, int]], bool]) -> None:
        machine = Machine(self.codes, inputs, self.strict)
        fault = self.ends.fault_of(machine, is_target)
        if fault is not None and any(is_asked(target, fault.kind, fault.span) for target in self.asked):
            raise InternalError(f"a run comes to an undefined step at line {fault.span.line}: {fault.message}")
        steps = [*machine.lapses, (fault.kind, fault.span)] if fault is not None else machine.lapses
        if why := self.sites.why_unlisted(self.listed, steps):
            raise InternalError(why)
