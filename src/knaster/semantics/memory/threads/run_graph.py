"""Threads with memory as a graph for questions about infinite runs: turns one by one, up to the names of objects.

A *node* is a state in which any thread may move, or one inside a section, whose thread goes on.  A move is a turn of a
thread (`turns`), which has at least one step: so whoever goes around in the graph never ends, and a run that never ends
goes on through it for ever.  A turn that ends the run leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.named_tuples import NamedTuple
from knaster.program.model import Place, Program
from knaster.program.state import State
from knaster.semantics.memory.actions import Codes
from knaster.semantics.memory.inputs import Numbers
from knaster.semantics.memory.threads.machine import ThreadedMachine
from knaster.semantics.memory.threads.states import Key, Liveness, key_of
from knaster.semantics.memory.threads.turns import MOVED, UNCLEAR, WAITS, Branching, Digits, Turns, start_machines


class MemoryNode:
    """A state of threads; the machine is there until its moves are known."""

    __slots__ = ("able", "count", "digits", "inside", "key", "machine", "places", "size")

    def __init__(self, machine: ThreadedMachine, key: Key, digits: Digits) -> None:
        self.machine: ThreadedMachine | None = machine
        self.key = key
        self.digits = digits  # the numbers of the choices that were made before a run begins here
        self.able: frozenset[int] = frozenset()  # threads (0, 1, ...) that can move
        self.inside = bool(machine.section)
        self.count = len(machine.threads)
        self.size = sum(len(found.cells) + 1 for found in machine.objects.values())
        self.places = tuple(
            (thread.number - 1, (thread.frames[-1].code.procedure.name, thread.frames[-1].location))
            for thread in machine.threads
            if thread.frames
        )


class MemoryMove(NamedTuple):
    """A turn of a thread (0, 1, ...): how many steps, the numbers of its choices, where it leads."""

    thread: int
    steps: int
    digits: Digits
    after: MemoryNode

    @property
    def is_silent(self) -> bool:
        """Whether it takes no letter: none does."""
        return False


class MemoryGraph:
    """The nodes and moves of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.why = ""  # these are not all runs
        self._codes = Codes(program)
        self._inputs = Branching(Numbers(program))
        self._turns = Turns(self._inputs, {}, False)
        self._turns.stops_at_loops = True
        self._liveness = Liveness()
        self._nodes: dict[Key, MemoryNode] = {}

    def starts(self) -> list[MemoryNode]:
        """Return the nodes in which runs begin."""
        return [self._node(*start) for start in start_machines(self._codes, self._inputs, frozenset())]

    def _node(self, machine: ThreadedMachine, digits: Digits = ()) -> MemoryNode:
        key = key_of(machine, self._liveness)
        if key not in self._nodes:
            self._nodes[key] = MemoryNode(machine, key, digits)
        return self._nodes[key]

    def node(self, here: MemoryNode) -> MemoryNode:
        """Return the node itself."""
        return here

    def moves(self, here: MemoryNode) -> list[MemoryMove]:
        """Return the turns of all threads; asked once of each node."""
        machine, here.machine = here.machine, None
        assert machine is not None
        return [move for thread in machine.may_run for move in self._moves_of(here, machine, thread)]

    def _moves_of(self, here: MemoryNode, machine: ThreadedMachine, thread: int) -> Iterator[MemoryMove]:
        for turn, twin, digits in self._turns.of_thread(machine, thread):
            if turn.kind == UNCLEAR:
                self.why = self.why or turn.message
            if not self._inputs.complete:
                self.why = self.why or "no run was found on the inputs that were tried"
            if turn.kind != WAITS:
                here.able |= {thread - 1}
            if turn.kind == MOVED and twin.running:
                yield MemoryMove(thread - 1, turn.steps, digits, self._node(twin))

    def size(self, here: MemoryNode) -> int:
        """Return how many values a node holds."""
        return here.size

    def is_inside(self, here: MemoryNode) -> bool:
        """Tell whether only the thread that runs may go on."""
        return here.inside

    def is_over(self, here: MemoryNode) -> bool:
        """Tell whether the run has come to its end: no node is kept of such a run."""
        return False

    def rests(self, here: MemoryNode) -> bool:
        """Tell whether a run that comes here stays for ever: nobody can move."""
        return not here.able

    def count(self, here: MemoryNode) -> int:
        """Return how many threads there are so far."""
        return here.count

    def can_move(self, here: MemoryNode, thread: int) -> bool:
        """Tell whether a thread can take a step."""
        return thread in here.able

    def places(self, here: MemoryNode) -> Iterator[tuple[int, Place]]:
        """Yield each thread that has not ended, with its place."""
        return iter(here.places)

    def shared(self, here: MemoryNode) -> State:
        """Return nothing: formulas about memory are not decided."""
        return {}
