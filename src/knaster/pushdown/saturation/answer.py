"""The answer of a saturation: a weighted automaton that can be asked about configurations.

Lal (PhD thesis, University of Wisconsin, 2009), Definition 2.4.5: in a forward automaton (pre*) the weight of a path
is the product of its transitions from left to right, in a backward one (post*) from right to left.  Questions about
regular sets are in `query.py`, runs that justify an answer in `runs/`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, field, fields
from knaster.pushdown.automaton import OTHER, Inner, Middle
from knaster.pushdown.numbering import Names, own_column
from knaster.pushdown.saturation.derivations import AllDerivations, FindsRuns, OneEach
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.system import Configuration, PushdownSystem, State, Symbol
from knaster.pushdown.tick import EACH, Tick, with_ticks

W = TypeVar("W")


class Transition(NamedTuple, Generic[W]):
    """A transition of an answer; the symbol None is the empty word."""

    source: State
    symbol: Symbol | None
    target: State
    weight: W


class TransitionIndex:
    """Transitions by source and symbol, in flat columns: a list for each pair would keep the garbage collector busy."""

    def __init__(self, source: Sequence[int], symbol: Sequence[int], tick: Tick | None = None) -> None:
        self._last: dict[int, int] = {}
        self._previous: list[int] = []
        last, previous = self._last, self._previous
        for t, (q, letter) in enumerate(with_ticks(zip(source, symbol, strict=True), tick)):
            key = q << 32 | letter
            previous.append(last.get(key, -1))
            last[key] = t

    def get(self, key: tuple[int, int | None], default: Sequence[int] = ()) -> Sequence[int]:
        """Return the transitions with this source and symbol in the order in which they were found."""
        t = -1 if key[1] is None else self._last.get(key[0] << 32 | key[1], -1)
        if t < 0:
            return default
        found = []
        while t >= 0:
            found.append(t)
            t = self._previous[t]
        found.reverse()
        return found


@dataclass(frozen=True)
class Answer(Generic[W]):
    """A weighted automaton: transition t is (source[t], symbol[t], target[t]) of weight[t], all numbers.

    States below `controls` are control states, then follow those of the given automaton and the states p'_g' that
    post* added, each as p' << 32 | g' in `middle`.  A symbol equal to `empty` is the empty word, which only post*
    uses and only for configurations with an empty stack: every other path has been made without it.
    """

    system: PushdownSystem[W]
    forward: bool
    source: Sequence[int]
    symbol: Sequence[int]
    target: Sequence[int]
    weight: Sequence[W]
    final: frozenset[int]
    controls: int
    states: Names
    symbols: Names
    middle: Sequence[int] = ()
    log: AllDerivations[W] | OneEach | FindsRuns | None = None
    tick: Tick | None = field(default=None, repr=False, compare=False)  # for what is computed when it is asked for

    def __repr__(self) -> str:
        return f"<Answer to {'pre' if self.forward else 'post'}* of {self.system!r}: {len(self)} transitions>"

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs: columns that own their numbers, and nothing that watches the work."""
        kept = {name: own_column(getattr(self, name)) for name in (one.name for one in fields(self))}
        return {**kept, "tick": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _repr_svg_(self) -> str | None:
        from knaster.pushdown.drawing import draw_answer

        return draw_answer(self)

    def __len__(self) -> int:
        """Return the number of transitions, those on the empty word included."""
        return len(self.source)

    @property
    def empty(self) -> int:
        """The number that stands for the empty word."""
        return len(self.symbols.names)

    def transitions(self) -> Iterator[Transition[W]]:
        """Yield every transition by its names, in the order in which they were found."""
        for t in range(len(self)):
            letter = None if self.symbol[t] == self.empty else self.symbols.names[self.symbol[t]]
            source, target = (self.state_name(state) for state in (self.source[t], self.target[t]))
            yield Transition(source, letter, target, self.weight[t])

    def state_name(self, number: int) -> State:
        """Return the name of a state: a control state, a state of the given automaton, or a `Middle`."""
        own = len(self.states.names)
        if number >= own:
            pair = self.middle[number - own]
            return Middle(self.states.names[pair >> 32], self.symbols.names[pair & 0xFFFFFFFF])
        name = self.states.names[number]
        return name.state if isinstance(name, Inner) and name.part == -1 else name

    def weight_of(self, configuration: Configuration) -> W:
        """Return the weight with which `configuration` is accepted; 0 if it is not."""
        domain = self.system.domain
        start = self.control(configuration.state)
        if start is None:
            return domain.zero
        if not configuration.stack:
            return self.weight_of_empty_stack(start)
        total = domain.zero
        for state, weight in self.read(start, configuration.stack).items():
            if state in self.final:
                total = domain.combine(total, weight)
        return total

    def accepts(self, configuration: Configuration) -> bool:
        """Tell whether `configuration` is accepted at all."""
        return bool(self.weight_of(configuration) != self.system.domain.zero)

    def read(self, start: int, stack: Sequence[Symbol]) -> dict[int, W]:
        """Return the states that the symbols lead to from `start`, each with the weight of all paths to it."""
        domain = self.system.domain
        reached = {start: domain.one}
        for letter in map(self.letter, stack):
            following: dict[int, W] = {}
            for state, weight in reached.items():
                for t in self.leaving.get((state, letter), ()):
                    more = self.then(weight, self.weight[t])
                    q = self.target[t]
                    following[q] = domain.combine(following[q], more) if q in following else more
            reached = following
        return reached

    def then(self, path: W, rest: W) -> W:
        """Return the weight of a path that goes on with the rest."""
        extend = self.system.domain.extend
        return extend(path, rest) if self.forward else extend(rest, path)

    def letter(self, symbol: Symbol) -> int | None:
        """Return the number of a symbol; that of `OTHER`, if there is one, for a symbol that has none."""
        numbers = self.symbols.numbers
        return numbers.get(symbol, numbers.get(OTHER))

    def weight_of_empty_stack(self, control: int) -> W:
        """Return the weight of <p, ε> for the control state p with that number."""
        domain = self.system.domain
        total = domain.one if control in self.final else domain.zero
        for t in self.leaving.get((control, self.empty), ()):
            if self.target[t] in self.final:
                total = domain.combine(total, self.weight[t])
        return total

    @cached_property
    def leaving(self) -> TransitionIndex:
        """The transitions by source and symbol."""
        return TransitionIndex(self.source, self.symbol, self.tick)

    @cached_property
    def leaving_state(self) -> dict[int, list[int]]:
        """The transitions by source, without those on the empty word."""
        index: dict[int, list[int]] = {}
        empty = self.empty
        for begin in range(0, len(self.source), EACH):
            if self.tick is not None:
                self.tick()
            part = zip(list(self.source[begin : begin + EACH]), list(self.symbol[begin : begin + EACH]), strict=True)
            for t, (q, letter) in enumerate(part, start=begin):
                if letter != empty:
                    if q in index:
                        index[q].append(t)
                    else:
                        index[q] = [t]
        return index

    @cached_property
    def rest(self) -> Sequence[W]:
        """For every state the combined weight of all paths from it to a final state, without the empty word."""
        solution: LeastSolution[int, W] = LeastSolution(self.system.domain, tick=self.tick)
        into: dict[int, list[int]] = {}
        for ts in self.leaving_state.values():
            for t in ts:
                into.setdefault(self.target[t], []).append(t)
        for q in sorted(self.final):
            solution.add(q, self.system.domain.one)
        for v in solution.changes():
            for t in into.get(solution.name[v], ()):
                solution.add(self.source[t], self.then(self.weight[t], solution.value[v]))
        return [solution.at(q) for q in range(len(self.states.names) + len(self.middle))]

    def control(self, state: State) -> int | None:
        """Return the number of a control state; None for any other."""
        number = self.states.numbers.get(state)
        return number if number is not None and number < self.controls else None
