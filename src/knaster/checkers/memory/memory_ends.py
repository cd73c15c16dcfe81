"""How a run of a program with memory ends, for checkers: in an undefined step, or well; at a target it is no proof."""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.errors import InternalError
from knaster.base.limits import Budget, OutOfBudget
from knaster.program.model import Place
from knaster.semantics.memory.failure import Fault, Stopped, Unclear
from knaster.semantics.memory.leaks import leak_of
from knaster.semantics.memory.machine import Machine

STEPS = 40_000_000  # of all runs together


class Ends:
    """Runs machines to their ends, and counts their steps together."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.steps = 0

    def fault_of(self, machine: Machine, is_target: Callable[[Place], bool]) -> Fault | None:
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
