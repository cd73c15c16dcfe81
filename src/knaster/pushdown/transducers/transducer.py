"""Weighted transducers: automata that read one word, write another, and weigh the pair.

Lal (PhD thesis, University of Wisconsin, 2009), Definitions 6.3.1 and 6.4.3.  A transducer has two kinds of states.  A
path goes through *forward* states first, whose moves are multiplied in the order of the path, and then perhaps crosses
over to *backward* states, whose moves are multiplied in the opposite order; the weight of the path is the first product
times the second.  (A move belongs to the kind of its source.  So pre* gives the first part of what a pushdown system
does to a stack, and post* the second.)

A configuration <p, u> is the word `Control(p)` followed by u.  The symbol `EMPTY` stands for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from knaster.base.records import dataclass, replace
from knaster.pushdown.automaton import EMPTY
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import Configuration, State, Symbol
from knaster.pushdown.tick import Tick

W = TypeVar("W")
T = TypeVar("T")
N = TypeVar("N", bound=Hashable)

Node = tuple[State, int, int]  # a state, and how much has been read and written


@dataclass(frozen=True, slots=True)
class Control:
    """A control state, as a letter of a word."""

    state: State


@dataclass(frozen=True, slots=True)
class Move(Generic[W]):
    """source --read/write--> target; either may be `EMPTY`."""

    source: State
    read: Symbol
    write: Symbol
    target: State
    weight: W


@dataclass(frozen=True)
class Transducer(Generic[W]):
    """Moves, where paths start and end, and the backward states; a path that crosses never comes back."""

    domain: Semiring[W]
    moves: tuple[Move[W], ...]
    start: State
    final: frozenset[State]
    backward: frozenset[State] = frozenset()

    def __repr__(self) -> str:
        return f"<Transducer over {type(self.domain).__name__}: {len(self.moves)} moves>"

    @cached_property
    def moves_from(self) -> dict[State, list[Move[W]]]:
        """The moves by source."""
        found: dict[State, list[Move[W]]] = {}
        for move in self.moves:
            found.setdefault(move.source, []).append(move)
        return found

    def weight_of(self, read: Sequence[Symbol], write: Sequence[Symbol], tick: Tick | None = None) -> W:
        """Return the combined weight of all paths that read one word and write the other."""
        moves: list[Move[W]] = []
        start: Node = (self.start, 0, 0)
        for source in (nodes := _Found([start])):
            for move in self.moves_from.get(source[0], ()):
                i, j = source[1] + (move.read != EMPTY), source[2] + (move.write != EMPTY)
                fits = i <= len(read) and j <= len(write)
                if fits and move.read in (EMPTY, *read[i - 1 : i]) and move.write in (EMPTY, *write[j - 1 : j]):
                    nodes.add(target := (move.target, i, j))
                    moves.append(Move(source, EMPTY, EMPTY, target, move.weight))
        ends = frozenset((state, len(read), len(write)) for state in self.final)
        backward = frozenset(node for node in nodes.seen if node[0] in self.backward)
        return Transducer(self.domain, tuple(moves), start, ends, backward).total(tick)

    def total(self, tick: Tick | None = None) -> W:
        """Return the combined weight of all paths."""
        domain = self.domain
        crossing = [m for m in self.moves if m.source not in self.backward and m.target in self.backward]
        forward = LeastSolution[State, W](domain, tick=tick)
        forward.add(self.start, domain.one)
        for v in forward.changes():
            for move in self.moves_from.get(forward.name[v], ()):
                if move.source not in self.backward:
                    forward.add(move.target, domain.extend(forward.value[v], move.weight))
        rest = LeastSolution[State, W](domain, tick=tick)
        into: dict[State, list[Move[W]]] = {}
        for move in self.moves:
            if move.source in self.backward:
                into.setdefault(move.target, []).append(move)
        sums = domain.zero
        for state in sorted(self.final, key=repr):
            if state in self.backward:
                rest.add(state, domain.one)
            else:
                sums = domain.combine(sums, forward.at(state))
        for v in rest.changes():
            for move in into.get(rest.name[v], ()):
                rest.add(move.source, domain.extend(rest.value[v], move.weight))
        for move in crossing:
            before = domain.extend(forward.at(move.source), move.weight)
            sums = domain.combine(sums, domain.extend(before, rest.at(move.target)))
        return sums

    def trim(self) -> Transducer[W]:
        """Return the transducer without the moves that are on no path from the start to the end."""
        ahead = _Found([self.start])
        for state in ahead:
            for move in self.moves_from.get(state, ()):
                ahead.add(move.target)
        into: dict[State, list[State]] = {}
        for move in self.moves:
            into.setdefault(move.target, []).append(move.source)
        behind = _Found(self.final)
        for state in behind:
            for source in into.get(state, ()):
                behind.add(source)
        useful = ahead.seen & behind.seen
        moves = tuple(move for move in self.moves if move.source in useful and move.target in useful)
        return replace(self, moves=moves, final=self.final & useful, backward=self.backward & useful)

    def map_weights(self, domain: Semiring[T], forward: Callable[[W], T], backward: Callable[[W], T]) -> Transducer[T]:
        """Return the transducer with other weights, all of its states forward: each kind has its own function."""
        moves = tuple(
            Move(m.source, m.read, m.write, m.target, (backward if m.source in self.backward else forward)(m.weight))
            for m in self.moves
        )
        return Transducer(domain, moves, self.start, self.final)


class _Found(Generic[N]):
    """Things in the order in which they are found; adding to them while they are gone through is fine."""

    def __init__(self, start: Iterable[N]) -> None:
        self.order = list(start)
        self.seen = set(self.order)

    def __iter__(self) -> Iterator[N]:
        return iter(self.order)

    def add(self, item: N) -> None:
        if item not in self.seen:
            self.seen.add(item)
            self.order.append(item)


def word_of(configuration: Configuration) -> tuple[Symbol, ...]:
    """Return a configuration as a word."""
    return Control(configuration.state), *configuration.stack
