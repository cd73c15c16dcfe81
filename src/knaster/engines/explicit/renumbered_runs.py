"""Runs of threads that were sorted: from the order of threads in each state, the numbers that they have in a run."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.base.named_tuples import NamedTuple
from knaster.semantics.heap.decisions import Run, Turn
from knaster.views.heap.interning import Key
from knaster.views.heap.reductions.thread_order import Places, ThreadOrder


class Order(NamedTuple):
    """How the threads of a state were sorted: where each was among so many threads of the state before sorting."""

    places: Places
    total: int


class SortedThreads:
    """Sorts the threads of states, and remembers how for each state that is kept."""

    def __init__(self, order: ThreadOrder) -> None:
        self.order = order
        self.orders: list[Order] = []  # for each state that is kept, in their order
        self._known: dict[Order, Order] = {}

    def sort(self, key: Key) -> tuple[Key, Order]:
        """Return a state with its threads in order, and how they were sorted."""
        found, places = self.order.sort(key)
        order = Order(places, len(key) - 2)
        return found, self._known.setdefault(order, order)

    def renumber(self, parents: Sequence[tuple[int, Turn]], number: int, last: Turn) -> Run:
        """Return the turns that lead to a state and a last one, with the numbers that the threads have in that run."""
        way, turns = [number], [last]
        while number > 0:
            number, turn = parents[number]
            way.append(number)
            turns.append(turn)
        names: list[int] = []
        count = 0  # threads that were ever there
        found: list[Turn] = []
        for state, turn in zip(reversed(way), reversed(turns), strict=True):
            order = self.orders[state]
            started = order.total - len(names)
            names += range(count + 1, count + 1 + started)
            count += started
            names = [names[place - 1] for place in order.places]
            found.append(turn._replace(thread=names[turn.thread - 1] if turn.thread else 0))
        return tuple(found)
