"""What the checks of infinite runs ask of a program: nodes, the moves between them, and who can move where.

`thread_graph` answers for Boolean programs with threads, `heap.graph` for programs with references.  A run that goes
around in a cycle is *weakly* fair where each thread moves there, or cannot move at some node of it; *strongly* where
each thread moves there, or can move at none.  Who can move is asked outside sections only, and a run that stays in one
section for ever is fair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Protocol

from knaster_check.evaluate import State
from knaster_check.graphs import components
from knaster_check.program import Program
from knaster_check.refused import Unsupported
from knaster_check.table import FAIRNESS as FAIRNESS
from knaster_check.temporal.letters import Meaning, Place, letter

Node = Any  # it can be compared and hashed
MOST_INSIDE = 5_000  # nodes of one section


class Move(Protocol):
    """A move of a thread (0, 1, ...) to a node; a silent one takes no letter."""

    @property
    def thread(self) -> int:
        """Who moves."""

    @property
    def silent(self) -> bool:
        """Whether it takes no letter."""

    @property
    def after(self) -> Node:
        """Where it leads."""


class Graph(Protocol):
    """The nodes and moves of one program."""

    @property
    def program(self) -> Program:
        """The program."""

    def starts(self) -> Iterable[Node]:
        """Yield the nodes in which runs begin."""

    def moves(self, here: Node) -> Iterable[Move]:
        """Yield the moves of all threads that may run."""

    def is_inside(self, here: Node) -> bool:
        """Tell whether only the thread that runs may go on."""

    def is_over(self, here: Node) -> bool:
        """Tell whether the run has come to its end."""

    def rests(self, here: Node) -> bool:
        """Tell whether a run that comes here stays for ever."""

    def count(self, here: Node) -> int:
        """Return how many threads there are so far."""

    def can_move(self, here: Node, thread: int) -> bool:
        """Tell whether a thread (0, 1, ...) can move; asked outside sections."""

    def standing(self, here: Node) -> Iterable[tuple[int, Place]]:
        """Yield each thread (1, 2, ...) that stands before a statement, with its place; none where the run is over."""

    def shared(self, here: Node) -> State:
        """Return the values of the globals."""


def letter_of(graph: Graph, here: Node, meanings: dict[str, Meaning]) -> set[str]:
    """Return the atoms that hold at a node."""
    return letter(meanings, list(graph.standing(here)), graph.shared(here), graph.is_over(here))


def goes_on(graph: Graph, here: Node) -> bool:
    """Tell whether a thread can leave the section that it is in, fail there, or go on in it for ever."""
    ways: dict[Node, list[Node]] = {}
    todo = [here]
    while todo:
        node = todo.pop()
        if not graph.is_inside(node):
            return True
        if node in ways:
            continue
        if len(ways) >= MOST_INSIDE:  # mutant(>=): one node more or less
            raise Unsupported("a section is too large")
        ways[node] = [move.after for move in graph.moves(node)]
        todo += ways[node]
    return bool(components(ways))


def is_fair(graph: Graph, fair: str, nodes: Iterable[Node], moved: Collection[int]) -> bool:
    """Tell whether a cycle through nodes in which some threads move is fair to all others."""
    outside = [node for node in nodes if fair != "none" and not graph.is_inside(node)]
    for thread in range(max(map(graph.count, outside), default=0)):
        able = [thread not in moved and graph.can_move(node, thread) for node in outside]
        if all(able) if fair == "weak" else any(able):
            return False
    return True
