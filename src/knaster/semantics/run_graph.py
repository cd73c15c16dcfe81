"""The graph of runs: what a search for cycles asks of a program, whatever its kind.

`thread_graph` has it for Boolean programs with threads, `heap.run_graph` for programs with references,
`memory.threads.run_graph` for threads of C.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from knaster.program.model import Kind, Place, Program
from knaster.program.state import State

Node = Any  # a configuration that can be compared and hashed


class RunMove(Protocol):
    """A move of a thread (0, 1, ...), and where it leads."""

    @property
    def thread(self) -> int:
        """Who moves."""

    @property
    def after(self) -> Any:
        """Where it leads; `node` makes a node of it."""

    @property
    def is_silent(self) -> bool:
        """Whether it takes no letter."""


class ThreadNodes(Protocol):
    """What fairness asks of the nodes of a program."""

    def is_inside(self, here: Node) -> bool:
        """Tell whether only the thread that runs may go on."""

    def count(self, here: Node) -> int:
        """Return how many threads there are so far."""

    def can_move(self, here: Node, thread: int) -> bool:
        """Tell whether some way of a thread through its next step or section does not block; asked outside sections."""


class RunGraph(ThreadNodes, Protocol):
    """The nodes and moves of one program."""

    program: Program

    def starts(self) -> Sequence[Node]:
        """Return the nodes in which runs begin."""

    def node(self, here: Any) -> Node:
        """Return the node of a configuration."""

    def moves(self, here: Node) -> Iterable[RunMove]:
        """Yield the moves of all threads, those of the first one first."""

    def size(self, here: Node) -> int:
        """Return how many values a node holds."""

    def is_over(self, here: Node) -> bool:
        """Tell whether the run has come to its end."""

    def rests(self, here: Node) -> bool:
        """Tell whether a run that comes here stays for ever."""

    def places(self, here: Node) -> Iterable[tuple[int, Place]]:
        """Yield each thread that stands before a statement, with its place; none where the run is over."""

    def shared(self, here: Node) -> State:
        """Return the values of the globals."""


def run_graph(program: Program) -> RunGraph:
    """Return the graph of the runs of a program with threads or with references."""
    if program.kind is Kind.REFERENCES:
        from knaster.semantics.heap.run_graph import HeapGraph

        return HeapGraph(program)
    if program.kind is Kind.MEMORY:
        from knaster.semantics.memory.threads.run_graph import MemoryGraph

        return MemoryGraph(program)
    from knaster.semantics.thread_graph import ThreadGraph

    return ThreadGraph(program)
