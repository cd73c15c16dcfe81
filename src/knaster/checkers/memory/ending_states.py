"""The check that every run of threads with memory ends, by all of their states: no way through them leads around.

The walk of `memory_states` notes which turn leads from which state to which, each with at least one step; then no cycle
may be left (`fair_table.Cycles`), or none that is fair where only fair runs count.
"""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.fair_table import Cycles, Row, Step
from knaster.checkers.memory.memory_states import StateWalk
from knaster.evidence.proofs.memory.memory_states import MemoryStates
from knaster.program.model import Program
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.states import Key, key_of

LONGEST = 60  # steps of a turn: a thread that goes around alone comes back soon


def check_ending(proof: MemoryStates, program: Program, budget: Budget) -> None:
    """Return where every run of the threads of a program that counts ends; else raise `InternalError`."""
    if proof.program is not program:
        raise InternalError("the proof is one of another program")
    if proof.strict or proof.vague:
        raise InternalError("the states of the proof are those of runs that end early, or of more than there are")
    walk = _EndingWalk(program, budget)
    walk.walk()
    after: dict[Row, list[Step]] = {
        row: [(target, who, True) for target, who in way] for row, way in walk.after.items()
    }
    Cycles(walk, after, budget.check).refuse(proof.fair)


class _EndingWalk(StateWalk):
    """A walk through all states that notes the turns between them."""

    def __init__(self, program: Program, budget: Budget) -> None:
        super().__init__(program, (), frozenset(), budget, False)
        self.longest = LONGEST
        self.after: dict[Row, list[tuple[Row, int]]] = {}
        self.able: dict[Key, frozenset[int]] = {}  # threads (0, 1, ...) that can move
        self.inside: set[Key] = set()  # states inside sections
        self.counts: dict[Key, int] = {}  # how many threads there are
        self.here: tuple[Key, int] | None = None  # the state that is looked at, and who takes a turn

    def _keep(self, machine: ThreadedMachine) -> None:
        key = key_of(machine, self.liveness)
        if self.here is not None:
            self.after[self.here[0], 0].append(((key, 0), self.here[1]))
        if key not in self.counts:
            self.counts[key], self.after[key, 0] = len(machine.threads), []
            if machine.section:
                self.inside.add(key)
        super()._keep(machine)

    def _look_around(self, machine: ThreadedMachine) -> None:
        key = key_of(machine, self.liveness)
        able = set()
        for thread in machine.may_run:
            self.here = key, thread - 1
            if self._turns(machine, thread):
                able.add(thread - 1)
        self.able[key] = frozenset(able)

    # What is asked of a graph of runs

    def is_inside(self, here: Key) -> bool:
        """Tell whether only the thread that runs may go on."""
        return here in self.inside

    def count(self, here: Key) -> int:
        """Return how many threads there are so far."""
        return self.counts[here]

    def can_move(self, here: Key, thread: int) -> bool:
        """Tell whether a thread can take a step."""
        return thread in self.able[here]
