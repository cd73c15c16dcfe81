"""Models with references as a graph for questions about infinite runs: statements one by one, up to names of cells.

A *node* is a configuration in which anybody may move, or one inside an atomic region, whose thread goes on.  A move is
one statement of one thread; the way back into a caller belongs to the return.  A step that fails, by an assertion or
otherwise, is taken, and then the run is over; it is over too where all threads have ended, or wait where they may end.
A run that comes to a false `assume` is none, so whoever can only come to one inside its next region cannot move.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.program.model import Edge, Place, Program
from knaster.program.state import State
from knaster.program.types import Value
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.configuration import Configuration, Frame
from knaster.semantics.heap.failure import Fails
from knaster.semantics.heap.interpreter import FailedAssume, Machine
from knaster.semantics.open_ways import open_ways


class HeapNode:
    """A configuration, the thread (1, 2, ...) whose region it is inside or 0, and whether the last step failed."""

    __slots__ = ("configuration", "failed", "inside", "key")

    def __init__(self, configuration: Configuration, inside: int, failed: bool) -> None:
        self.configuration, self.inside, self.failed = configuration, inside, failed
        self.key: Hashable = canonical(configuration, inside), failed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HeapNode) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class HeapMove(NamedTuple):
    """A step of a thread (0, 1, ...): the alternative that it takes, its edge and inputs, where it leads."""

    thread: int
    alternative: int
    edge: Edge
    inputs: tuple[Value, ...]
    after: HeapNode

    @property
    def is_silent(self) -> bool:
        """Whether it takes no letter: none does."""
        return False


class HeapGraph:
    """The nodes and moves of one model."""

    def __init__(self, program: Program) -> None:
        self.program, self.machine = program, Machine(program)
        self._moves: dict[HeapNode, list[HeapMove]] = {}
        self._open: dict[HeapNode, bool] = {}

    def starts(self) -> list[HeapNode]:
        """Return the node in which runs begin."""
        return [HeapNode(self.machine.start(), 0, False)]

    def node(self, here: HeapNode) -> HeapNode:
        """Return the node itself."""
        return here

    def count(self, here: HeapNode) -> int:
        """Return how many threads there are so far."""
        return len(here.configuration.threads)

    def size(self, here: HeapNode) -> int:
        """Return how many values a node holds: of statics, cells and frames."""
        configuration = here.configuration
        cells = sum(len(values) + 1 for values in configuration.heap.values())
        return len(configuration.statics) + cells + sum(_count(frames) for frames in configuration.threads)

    def is_inside(self, here: HeapNode) -> bool:
        """Tell whether only the thread that runs may go on."""
        return here.inside > 0

    def is_over(self, here: HeapNode) -> bool:
        """Tell whether a step failed, or all threads have ended or wait where they may end."""
        if here.failed:
            return True
        return not here.inside and not self._runnable(here) and self.machine.stuck(here.configuration) is None

    def rests(self, here: HeapNode) -> bool:
        """Tell whether a run that comes here stays for ever: it is over, or everybody waits."""
        return here.failed or (not here.inside and not self._runnable(here))

    def _runnable(self, here: HeapNode) -> list[int]:
        """Return the threads (1, 2, ...) that can take a step, be it into a failure."""
        threads = (here.inside,) if here.inside else range(1, self.count(here) + 1)
        return [thread for thread in threads if self._can_step(here, thread)]

    def _can_step(self, here: HeapNode, thread: int) -> bool:
        return bool(here.inside) or self.machine.runnable(here.configuration, thread)

    def moves(self, here: HeapNode) -> list[HeapMove]:
        """Return the moves of all threads, those of the first one first."""
        if here not in self._moves:
            threads = () if here.failed else self._runnable(here)
            self._moves[here] = [move for thread in threads for move in self._moves_of(here, thread)]
        return self._moves[here]

    def _moves_of(self, here: HeapNode, thread: int) -> Iterator[HeapMove]:
        """Yield the steps of a thread (1, 2, ...); one that fails leads to the end of the run."""
        machine = self.machine
        try:
            count = len(machine.alternatives(here.configuration, thread))
        except Fails:
            yield self._failing(here, thread, 0)
            return
        for alternative in range(count):
            after = here.configuration.copy()
            try:
                event = machine.step(after, thread, alternative)
            except FailedAssume:
                continue
            except Fails:
                yield self._failing(here, thread, alternative)
                continue
            failed = machine.failure_of(after, thread) is not None
            inside = thread if event.keeps and not failed else 0
            yield HeapMove(thread - 1, alternative, event.edge, event.inputs, HeapNode(after, inside, failed))

    def _failing(self, here: HeapNode, thread: int, alternative: int) -> HeapMove:
        edge = self.machine.edges_from(here.configuration.threads[thread - 1][-1])[0]
        return HeapMove(thread - 1, alternative, edge, (), HeapNode(here.configuration, 0, True))

    def can_move(self, here: HeapNode, thread: int) -> bool:
        """Tell whether some way of a thread through its next step or region is one of a run; asked outside regions."""
        return any(move.thread == thread and self._goes_on(move.after) for move in self.moves(here))

    def _goes_on(self, here: HeapNode) -> bool:
        if not here.inside:
            return True
        if here not in self._open:

            def after(node: HeapNode) -> Iterator[HeapNode]:
                return (move.after for move in self.moves(node))

            self._open |= open_ways(
                here, after, self.is_inside, lambda node: len(node.configuration.threads[here.inside - 1])
            )
        return self._open[here]

    def places(self, here: HeapNode) -> Iterator[tuple[int, Place]]:
        """Yield each thread that stands before a statement, with its place; none where the run is over."""
        if self.is_over(here):
            return
        for thread, frames in enumerate(here.configuration.threads):
            if frames:
                yield thread, (frames[-1].procedure, frames[-1].location)

    def shared(self, here: HeapNode) -> State:
        """Return the values of the statics."""
        return here.configuration.statics


def _count(frames: Sequence[Frame]) -> int:
    return sum(len(frame.values) + 1 for frame in frames)
