"""The reachable pairs of a node of a graph of runs and a state of an automaton, one by one, and a fair cycle in them.

A component of the graph of pairs has an infinite run that counts where some step of it accepts and, weakly fair, each
thread moves in it or cannot move somewhere in it; strongly fair, each thread moves in it or can move nowhere in it: the
pairs where a thread can move that never does are left out, and what remains is looked at again (Streett's condition; E.
A. Emerson and C.-L. Lei, Modalities for model checking, 1987).  A cycle inside one atomic section asks nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from knaster.automata.automaton import Automaton
from knaster.base.graphs import components, shortest_way
from knaster.base.limits import OutOfBudget
from knaster.base.memory_count import Room
from knaster.base.named_tuples import NamedTuple
from knaster.evidence.questions.letters import Meanings
from knaster.semantics.run_graph import Node, RunGraph, RunMove

Pair = tuple[Node, int]
ROOM = 5_000_000  # values in all nodes: lists and stacks may grow from each state to the next


class Arc(NamedTuple):
    """A step between pairs: by a move of a thread, or none where the run rests; and whether the automaton accepts."""

    target: int
    move: Any  # a `RunMove`, or None
    accepts: bool


class ThreadProduct:
    """The pairs that are reached, by number, in the order in which they were found."""

    def __init__(self, graph: RunGraph, automaton: Automaton, meanings: Meanings, rests: bool) -> None:
        self.graph = graph
        self.automaton, self.meanings, self._rests = automaton, meanings, rests
        self._leaving = automaton.leaving()
        self.numbers: dict[Pair, int] = {}
        self.pairs: list[Pair] = []
        self.arcs: list[list[Arc]] = []
        self.origins: list[tuple[int, Arc] | None] = []
        self._room = Room(ROOM)

    def explore(self, limit: int, check: Callable[[], None]) -> None:
        """Reach every pair; raise `OutOfBudget` beyond the limit."""
        for node in self.graph.starts():
            for state in self.automaton.initial:
                self._reach((node, state), None)
        for number, pair in enumerate(self.pairs):  # grows
            check()
            if len(self.pairs) > limit:
                raise OutOfBudget(f"the limit of {limit} states was reached")
            self.arcs.append([])
            for other, move, accepts in self._steps(pair):
                target = self._reach(other, None)
                arc = Arc(target, move, accepts)
                self.arcs[number].append(arc)
                if self.origins[target] is None and target > number:
                    self.origins[target] = number, arc

    def _reach(self, pair: Pair, origin: tuple[int, Arc] | None) -> int:
        if pair not in self.numbers:
            self._room.take(self.graph.size(pair[0]))
            self.numbers[pair] = len(self.pairs)
            self.pairs.append(pair)
            self.origins.append(origin)
        return self.numbers[pair]

    def _steps(self, pair: Pair) -> Iterator[tuple[Pair, RunMove | None, bool]]:
        node, state = pair
        graph, letter = self.graph, None
        for move in graph.moves(node):
            after = graph.node(move.after)
            if move.is_silent:
                yield (after, state), move, False
                continue
            letter = self._letter(node) if letter is None else letter
            for step in self._leaving[state]:
                if step.takes(letter):
                    yield (after, step.target), move, self.automaton.accepting(step)
        if self._rests and graph.rests(node):
            for step in self._leaving[state]:
                if step.takes(self._letter(node)):
                    yield (node, step.target), None, self.automaton.accepting(step)

    def _letter(self, node: Node) -> frozenset[str]:
        places, shared, over = list(self.graph.places(node)), self.graph.shared(node), self.graph.is_over(node)
        return frozenset(atom for atom, meaning in self.meanings.items() if meaning.holds_of(places, shared, over))

    def fair_component(self, fair: str, start: int | None = None) -> Collection[int] | None:
        """Return pairs between which an accepted run that counts can go around for ever; None where there are none.

        With a `start`, only pairs that it reaches are looked at.
        """
        every = range(len(self.pairs)) if start is None else self._ahead(start)
        inside = [number for number in every if self.graph.is_inside(self.pairs[number][0])]
        for numbers, how in ((every, fair), (inside, "none")):
            todo = [set(numbers)]
            while todo:
                among = todo.pop()
                for component in self._components(among):
                    if not any(arc.accepts for arc in self.arcs_within(component)):
                        continue
                    unfair = self._unfair(component, how)
                    if not unfair:
                        return component
                    if how == "strong" and (rest := component - unfair):
                        todo.append(rest)
        return None

    def bad_prefix(self) -> int | None:
        """Return the first pair after which the automaton accepts whatever follows, where it accepts nothing else."""
        sinks = self.automaton.sinks() if self.automaton.is_terminal() else frozenset[int]()
        return next((number for number, (_, state) in enumerate(self.pairs) if state in sinks), None)

    def _ahead(self, start: int) -> list[int]:
        todo, seen = [start], {start}
        for number in todo:  # grows
            for arc in self.arcs[number]:
                if arc.target not in seen:
                    seen.add(arc.target)
                    todo.append(arc.target)
        return todo

    def letters(self) -> frozenset[frozenset[str]]:
        """Return the letters of all pairs that are reached."""
        return frozenset(self._letter(node) for node, _ in self.pairs)

    def _components(self, among: set[int]) -> Iterator[set[int]]:
        def after(number: int) -> list[int]:
            return [arc.target for arc in self.arcs[number] if arc.target in among]

        for part in components(sorted(among), after):
            yield set(part)

    def arcs_within(self, component: Collection[int]) -> Iterator[Arc]:
        """Yield the steps between pairs of a component."""
        return (arc for number in component for arc in self.arcs[number] if arc.target in component)

    def _unfair(self, component: set[int], fair: str) -> set[int]:
        """Return why the runs that pass all of a component are not fair: where a thread can move that never does."""
        if fair == "none":
            return set()
        arcs = list(self.arcs_within(component))
        moved = {arc.move.thread for arc in arcs if arc.move is not None}
        outside = [number for number in component if not self.graph.is_inside(self.pairs[number][0])]
        threads = {thread for number in outside for thread in range(self.graph.count(self.pairs[number][0]))}
        for thread in sorted(threads - moved):
            able = {number for number in outside if self.can_move(number, thread)}
            if able and (fair == "strong" or len(able) == len(outside)):
                return able
        return set()

    def can_move(self, number: int, thread: int) -> bool:
        """Tell whether a thread can move at a pair outside sections."""
        node = self.pairs[number][0]
        return thread < self.graph.count(node) and self.graph.can_move(node, thread)

    def way_to(self, number: int) -> list[tuple[int, Arc]]:
        """Return a shortest way from a start to a pair."""
        way = []
        while (origin := self.origins[number]) is not None:
            way.append(origin)
            number = origin[0]
        return way[::-1]

    def way_within(
        self, start: int, component: Collection[int], is_wanted: Callable[[int, Arc], bool]
    ) -> list[tuple[int, Arc]]:
        """Return a shortest way inside a component whose last step is wanted."""

        def leave(here: int) -> Iterator[tuple[int, Arc]]:
            return ((arc.target, arc) for arc in self.arcs[here] if arc.target in component)

        return shortest_way(start, leave, is_wanted)
