"""Composes weighted transducers, and weighs what their compositions relate.

Lal (PhD thesis, University of Wisconsin, 2009), section 6.5.3, Theorem 6.5.5.  The weights of n transducers cannot be
multiplied along the path of their composition, which would put them in a wrong order, so they are kept side by side in
a tensor product and multiplied at the end.  Transducer i, from 0 on, has the positions 2i for its forward and 2i + 1
for its backward part, whose weights are transposed, so that one order of multiplication serves both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from knaster.pushdown.automaton import EMPTY
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import State, Symbol
from knaster.pushdown.tick import Tick, with_ticks
from knaster.pushdown.transducers.tensors import TensorPower, at_position, tensor_power
from knaster.pushdown.transducers.transducer import Move, Transducer

W = TypeVar("W")

Pair = tuple[State, State]


def compose(first: Transducer[W], second: Transducer[W], tick: Tick | None = None) -> Transducer[W]:
    """Return the transducer that relates a to c where `first` relates a to some b and `second` b to c.

    Both have forward states only, and weights that commute with those of the other.
    """
    return _Composer(first, second).compose(tick).trim()


class Composition(Generic[W]):
    """Transducers one after the other; `weight_of(read, write)` is what their composition gives a pair of words."""

    def __init__(self, *parts: Transducer[W], tick: Tick | None = None) -> None:
        base = parts[0].domain
        self._power: TensorPower[W, Any] = tensor_power(base, 2 * len(parts))
        self._tick = tick
        lifted = [_forward(part, base, self._power, number) for number, part in enumerate(parts)]
        self.transducer = lifted[0]
        for each in lifted[1:]:
            self.transducer = compose(self.transducer, each, tick)

    def weight_of(self, read: Sequence[Symbol], write: Sequence[Symbol]) -> W:
        """Return the combined weight with which the words are related."""
        return self._power.detensor_transposed(self.transducer.weight_of(read, write, self._tick))


def weight_between(
    words: Transducer[Any], parts: Sequence[Transducer[W]], asked: Transducer[Any], tick: Tick | None = None
) -> W:
    """Return the combined weight with which the composition of `parts` relates words of one set to words of another.

    The sets are transducers over any domain whose weights are 1: the first one writes its words, the other reads them.
    Only what the given words lead to is built, part by part (section 6.6), and states that lead nowhere are left out
    after each part: one product of all parts, built lazily, visits them and took four times as long on random systems.
    """
    base = parts[0].domain
    power: TensorPower[W, Any] = tensor_power(base, 2 * len(parts))
    one = power.domain.one
    found = words.map_weights(power.domain, lambda _: one, lambda _: one)
    for number, part in enumerate(parts):
        found = compose(found, _forward(part, base, power, number), tick)
    return power.detensor_transposed(
        compose(found, asked.map_weights(power.domain, lambda _: one, lambda _: one), tick).total(tick)
    )


def _forward(part: Transducer[W], base: Semiring[W], power: TensorPower[W, Any], number: int) -> Transducer[Any]:
    """Return a transducer with forward states only, its weights at its own positions of the product."""
    lifted: dict[tuple[int, W], Any] = {}  # few weights are shared by many moves

    def at(position: int, weight: W) -> Any:
        if (position, weight) not in lifted:
            lifted[position, weight] = at_position(power, base, position, weight)
        return lifted[position, weight]

    return part.map_weights(power.domain, lambda w: at(2 * number, w), lambda w: at(2 * number + 1, power.transpose(w)))


class _Composer(Generic[W]):
    """The pairs of states of two transducers that can be reached."""

    def __init__(self, first: Transducer[W], second: Transducer[W]) -> None:
        self.first, self.second = first, second
        self.reading: dict[tuple[State, Symbol], list[Move[W]]] = {}
        for move in second.moves:
            self.reading.setdefault((move.source, move.read), []).append(move)

    def compose(self, tick: Tick | None) -> Transducer[W]:
        start = self.first.start, self.second.start
        nodes: list[Pair] = [start]
        seen: dict[Pair, int] = {start: 0}
        moves: list[Move[W]] = []
        for source in with_ticks(nodes, tick):  # which grow
            for read, write, target, weight in self._steps(source):
                if target not in seen:
                    seen[target] = len(nodes)
                    nodes.append(target)
                moves.append(Move(seen[source], read, write, seen[target], weight))
        final = frozenset(
            number for pair, number in seen.items() if pair[0] in self.first.final and pair[1] in self.second.final
        )
        return Transducer(self.first.domain, tuple(moves), 0, final)

    def _steps(self, pair: Pair) -> Iterator[tuple[Symbol, Symbol, Pair, W]]:
        """Yield the moves of both on a common symbol, and those of one alone; the second one moves alone first."""
        extend = self.first.domain.extend
        for other in self.reading.get((pair[1], EMPTY), ()):
            yield EMPTY, other.write, (pair[0], other.target), other.weight
        for move in self.first.moves_from.get(pair[0], ()):
            if move.write == EMPTY:
                yield move.read, EMPTY, (move.target, pair[1]), move.weight
            else:
                for other in self.reading.get((pair[1], move.write), ()):
                    yield move.read, other.write, (move.target, other.target), extend(move.weight, other.weight)


def words(domain: Semiring[W], *given: Iterable[Symbol]) -> Transducer[W]:
    """Return the transducer that writes each of the given words, with the weight 1."""
    return _chains(domain, given, False)


def only(domain: Semiring[W], *given: Iterable[Symbol]) -> Transducer[W]:
    """Return the transducer that reads each of the given words, with the weight 1."""
    return _chains(domain, given, True)


def _chains(domain: Semiring[W], given: Iterable[Iterable[Symbol]], reads: bool) -> Transducer[W]:
    moves: list[Move[W]] = []
    final: set[State] = set()
    for number, word in enumerate(given):
        source: State = "start"
        for depth, symbol in enumerate(word):
            target = (number, depth)
            moves.append(Move(source, symbol if reads else EMPTY, EMPTY if reads else symbol, target, domain.one))
            source = target
        final.add(source)
    return Transducer(domain, tuple(moves), "start", frozenset(final))
