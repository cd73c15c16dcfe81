"""Programs with references as a graph for questions about infinite runs: statements one by one, up to names of cells.

A *node* is a memory in which anybody may move, or one inside an atomic region, whose thread goes on.  A step that
fails is taken, and then the run is over; it is over too where all threads have ended, or wait where they may end.  A
run that comes to a false `assume` is none, so whoever can only come to one inside its next region cannot move.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from knaster_check.evaluate import State
from knaster_check.heap.form import form_of
from knaster_check.heap.machine import Machine
from knaster_check.heap.memory import Fails, Memory, Vanishes
from knaster_check.program import Program
from knaster_check.temporal.graph import goes_on
from knaster_check.temporal.letters import Place
from knaster_check.work import Tick


class Node:
    """A memory, the thread (1, 2, ...) whose region it is inside or 0, and whether the last step failed."""

    def __init__(self, memory: Memory, inside: int, failed: bool) -> None:
        self.memory, self.inside, self.failed = memory, inside, failed
        self.key: Hashable = form_of(memory), inside, failed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class Move(NamedTuple):
    """A step of a thread (0, 1, ...) that takes an alternative; each takes a letter."""

    thread: int
    alternative: int
    after: Node
    silent: bool = False


class HeapGraph:
    """The nodes and moves of one program."""

    def __init__(self, program: Program, tick: Tick) -> None:
        self.program, self.machine = program, Machine(program, tick)
        self._able: dict[tuple[Node, int], bool] = {}

    def starts(self) -> Iterator[Node]:
        """Yield the node in which runs begin."""
        yield Node(self.machine.start(), 0, False)

    def count(self, here: Node) -> int:
        """Return how many threads there are so far."""
        return len(here.memory.threads)

    def shared(self, here: Node) -> State:
        """Return the values of the statics."""
        return here.memory.statics

    def is_inside(self, here: Node) -> bool:
        """Tell whether only the thread that runs may go on."""
        return here.inside > 0

    def rests(self, here: Node) -> bool:
        """Tell whether a run that comes here stays for ever: it has failed, or everybody waits or has ended."""
        return here.failed or not self._runnable(here)

    def is_over(self, here: Node) -> bool:
        """Tell whether a step failed, or all threads have ended or wait where they may end."""
        standing = (frames[-1] for frames in here.memory.threads if frames)
        return here.failed or (self.rests(here) and all(map(self.machine.may_wait, standing)))

    def _runnable(self, here: Node) -> list[int]:
        if here.inside:
            return [here.inside]
        return [each for each in range(1, self.count(here) + 1) if self.machine.can_run(here.memory, each)]

    def moves(self, here: Node) -> Iterator[Move]:
        """Yield the steps of all threads that may run."""
        for thread in [] if here.failed else self._runnable(here):
            yield from self._moves_of(here, thread)

    def _moves_of(self, here: Node, thread: int) -> Iterator[Move]:
        try:
            count = len(self.machine.alternatives(here.memory, thread))
        except Fails:
            count = 1  # the step fails likewise
        for alternative in range(count):
            memory = here.memory.copy()
            try:
                keeps = self.machine.step(memory, thread, alternative)
            except Vanishes:
                continue
            except Fails:
                yield Move(thread - 1, alternative, Node(here.memory, 0, True))
                continue
            failed = self.machine.has_failed(memory, thread)
            yield Move(thread - 1, alternative, Node(memory, thread if keeps and not failed else 0, failed))

    def can_move(self, here: Node, thread: int) -> bool:
        """Tell whether some way of a thread through its next step or region is one of a run; asked outside regions."""
        key = here, thread
        if key not in self._able:
            self._able[key] = any(move.thread == thread and goes_on(self, move.after) for move in self.moves(here))
        return self._able[key]

    def standing(self, here: Node) -> Iterator[tuple[int, Place]]:
        """Yield each thread that stands before a statement, with its place; none where the run is over."""
        for thread, frames in enumerate([] if self.is_over(here) else here.memory.threads, start=1):
            if frames:
                yield thread, (frames[-1].procedure.name, frames[-1].location)
