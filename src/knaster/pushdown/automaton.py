"""P-automata: regular sets of configurations, with a weight for each if wanted.

Lal (PhD thesis, University of Wisconsin, 2009), Definitions 2.3.2 and 2.4.5.  An automaton accepts <p, u> if u leads
from its state p to a final state.  The states in `initial` *are* control states; all others are its own, whatever
they are called.  Edges into control states, empty edges and wildcards are allowed here: `number_automaton` removes
them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.numbering import Names, NumberedAutomaton, RuleTable, integers
from knaster.pushdown.semiring import Semiring, require_weight
from knaster.pushdown.system import Configuration, State, Symbol

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Wildcard:
    """Any symbol, except those listed."""

    excluding: frozenset[Symbol] = frozenset()


@dataclass(frozen=True, slots=True)
class Empty:
    """The empty word, on an edge that reads nothing."""


@dataclass(frozen=True, slots=True)
class Other:
    """Every symbol that neither the system nor the automaton names."""


ANY = Wildcard()
EMPTY = Empty()
OTHER = Other()


@dataclass(frozen=True, slots=True)
class Edge(Generic[W]):
    """source --symbol--> target; `weight` None means 1.  The symbol may be `ANY`, another `Wildcard`, or `EMPTY`."""

    source: State
    symbol: Symbol
    target: State
    weight: W | None = None


@dataclass(frozen=True, slots=True)
class Automaton(Generic[W]):
    """A set of configurations: edges, final states, and the states that are control states."""

    edges: tuple[Edge[W], ...]
    final: frozenset[State]
    initial: frozenset[State]

    @classmethod
    def of(
        cls,
        edges: Iterable[tuple[State, Symbol, State] | tuple[State, Symbol, State, W]],
        final: Iterable[State],
        initial: Iterable[State],
    ) -> Automaton[W]:
        """Return the automaton of edges (source, symbol, target) or (source, symbol, target, weight)."""
        return cls(tuple(Edge(*edge) for edge in edges), frozenset(final), frozenset(initial))

    def __or__(self, other: Automaton[W]) -> Automaton[W]:
        """Return the automaton that accepts what one of both accepts."""
        return union(self, other)

    def __and__(self, other: Automaton[W]) -> Automaton[W]:
        """Return the automaton that accepts what both accept; raise `UsageError` where one has weights."""
        if any(edge.weight is not None for edge in (*self.edges, *other.edges)):
            raise UsageError("'&' is for automata without weights; write intersection(first, second, domain)")
        from knaster.pushdown.domains.boolean import Boolean

        first: Automaton[bool] = without_weights(self)
        return without_weights(intersection(first, without_weights(other), Boolean()))

    def _repr_svg_(self) -> str | None:
        from knaster.pushdown.drawing import draw_automaton

        return draw_automaton(self)


@dataclass(frozen=True, slots=True)
class Inner:
    """A state that belongs to one part of a composed automaton."""

    part: int
    state: State


@dataclass(frozen=True, slots=True)
class Middle:
    """The state p'_g' that post* adds: the stack below it belongs to the callers of <state, symbol>."""

    state: State
    symbol: Symbol

    def __str__(self) -> str:
        return f"mid({self.state}, {self.symbol})"


ACCEPT = Inner(0, "accept")


def configuration_set(*configurations: Configuration) -> Automaton[W]:
    """Return the automaton that accepts exactly the given configurations."""
    edges: dict[Edge[W], None] = {}
    final: set[State] = set()
    for number, configuration in enumerate(configurations):
        source: State = configuration.state
        for depth, symbol in enumerate(configuration.stack):
            last = depth + 1 == len(configuration.stack)
            target: State = ACCEPT if last else Inner(number, depth)
            edges[Edge(source, symbol, target)] = None
            source = target
        final.add(source)
    return Automaton(tuple(edges), frozenset(final), frozenset(each.state for each in configurations))


def single(state: State, *stack: Symbol) -> Automaton[W]:
    """Return the automaton that accepts the configuration <state, stack> only."""
    return configuration_set(Configuration(state, stack))


def starting_with(state: State, *stack: Symbol) -> Automaton[W]:
    """Return the automaton for <state, stack Γ*>: the given symbols on top, anything below."""
    exact: Automaton[W] = single(state, *stack)
    if not stack:  # every stack at all, the empty one included
        return Automaton(
            (Edge(state, ANY, ACCEPT), Edge(ACCEPT, ANY, ACCEPT)), frozenset({state, ACCEPT}), exact.initial
        )
    return Automaton((*exact.edges, Edge(ACCEPT, ANY, ACCEPT)), exact.final, exact.initial)


def everything(states: Iterable[State]) -> Automaton[W]:
    """Return the automaton that accepts every stack in each of the given control states."""
    return union(*(starting_with(state) for state in states))


def union(*automata: Automaton[W]) -> Automaton[W]:
    """Return the automaton that accepts what some of the automata accept."""
    edges: list[Edge[W]] = []
    final: set[State] = set()
    initial: set[State] = set()
    for part, automaton in enumerate(map(separate, automata), start=1):

        def name(state: State, part: int = part, control: frozenset[State] = automaton.initial) -> State:
            return state if state in control else Inner(part, state)

        edges += [Edge(name(e.source), e.symbol, name(e.target), e.weight) for e in automaton.edges]
        final |= {name(state) for state in automaton.final}
        initial |= automaton.initial
    return Automaton(tuple(edges), frozenset(final), frozenset(initial))


def without_weights(automaton: Automaton[Any]) -> Automaton[W]:
    """Return the automaton with 1 in place of every weight, to be used over any domain."""
    edges: tuple[Edge[W], ...] = tuple(Edge(edge.source, edge.symbol, edge.target) for edge in automaton.edges)
    return Automaton(edges, automaton.final, automaton.initial)


def separate(automaton: Automaton[W]) -> Automaton[W]:
    """Return an automaton for the same set in which no edge enters a control state.

    Every control state that is entered gets a twin, which takes over the edges that enter it.
    """
    twin: dict[State, State] = {
        edge.target: Inner(0, ("twin", edge.target)) for edge in automaton.edges if edge.target in automaton.initial
    }
    if not twin:
        return automaton
    edges: list[Edge[W]] = []
    for edge in automaton.edges:
        target = twin.get(edge.target, edge.target)
        edges.append(Edge(edge.source, edge.symbol, target, edge.weight))
        if edge.source in twin:
            edges.append(Edge(twin[edge.source], edge.symbol, target, edge.weight))
    final = automaton.final | {twin[state] for state in automaton.final if state in twin}
    return Automaton(tuple(edges), frozenset(final), automaton.initial)


def intersection(first: Automaton[W], second: Automaton[W], domain: Semiring[W]) -> Automaton[W]:
    """Return the automaton that accepts what both accept, with the product of their weights, `first` on the left."""
    left, right = (without_empty_edges(separate(each), domain) for each in (first, second))
    edges: list[Edge[W]] = []
    final: set[State] = set()
    initial = left.initial & right.initial
    todo = [(state, state) for state in sorted_names(initial)]
    seen = set(todo)

    def name(pair: tuple[State, State]) -> State:
        return pair[0] if pair[0] in initial and pair[0] == pair[1] else Inner(0, pair)

    leaving = [_by_source(each.edges) for each in (left, right)]
    while todo:
        pair = todo.pop()
        if pair[0] in left.final and pair[1] in right.final:
            final.add(name(pair))
        for one in leaving[0].get(pair[0], ()):
            for other in leaving[1].get(pair[1], ()):
                symbol = _common_symbol(one.symbol, other.symbol)
                if symbol is None:
                    continue
                target = (one.target, other.target)
                weight = domain.extend(_weight(domain, one), _weight(domain, other))
                edges.append(Edge(name(pair), symbol, name(target), weight))
                if target not in seen:
                    seen.add(target)
                    todo.append(target)
    return Automaton(tuple(edges), frozenset(final), initial)


def _common_symbol(first: Symbol, second: Symbol) -> Symbol | None:
    """Return what both labels match: a symbol, a wildcard, or None for nothing."""
    match first, second:
        case Wildcard(), Wildcard():
            return Wildcard(first.excluding | second.excluding)
        case Wildcard(), _:
            return None if second in first.excluding else second
        case _, Wildcard():
            return None if first in second.excluding else first
        case _:
            return first if first == second else None


def _by_source(edges: Iterable[Edge[W]]) -> dict[State, list[Edge[W]]]:
    leaving: dict[State, list[Edge[W]]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append(edge)
    return leaving


def _weight(domain: Semiring[W], edge: Edge[W]) -> W:
    return domain.one if edge.weight is None else edge.weight


def without_empty_edges(automaton: Automaton[W], domain: Semiring[W]) -> Automaton[W]:
    """Return an automaton for the same set without empty edges; raise `UsageError` for an empty edge with a weight."""
    empty = _by_source(edge for edge in automaton.edges if edge.symbol == EMPTY)
    if not empty:
        return automaton
    for edge in (edge for group in empty.values() for edge in group):
        if _weight(domain, edge) != domain.one:
            raise UsageError(f"the empty edge {edge.source} -> {edge.target} has a weight other than 1")
    leaving = _by_source(edge for edge in automaton.edges if edge.symbol != EMPTY)
    edges: list[Edge[W]] = []
    final = set(automaton.final)
    read = (edge.target for edge in automaton.edges if edge.symbol != EMPTY)  # no other state is still entered
    for source in dict.fromkeys([*sorted_names(automaton.initial), *read]):
        for state in _closure(source, empty):
            if state in automaton.final:
                final.add(source)
            for edge in leaving.get(state, ()):
                edges.append(Edge(source, edge.symbol, edge.target, edge.weight))
    return Automaton(tuple(edges), frozenset(final), automaton.initial)


def _closure(start: State, empty: dict[State, list[Edge[W]]]) -> Iterator[State]:
    """Yield the states that empty edges lead to from `start`, itself first."""
    todo, seen = [start], {start}
    while todo:
        state = todo.pop()
        yield state
        for edge in empty.get(state, ()):
            if edge.target not in seen:
                seen.add(edge.target)
                todo.append(edge.target)


def sorted_names(names: Iterable[State]) -> list[State]:
    """Return names of any types in an order that does not depend on hashing."""
    return sorted(names, key=lambda name: (type(name).__name__, str(name)))


def number_automaton(table: RuleTable, automaton: Automaton[W], domain: Semiring[W]) -> NumberedAutomaton[W]:
    """Return the automaton in the numbers of `table`: separated, without empty edges and wildcards.

    A wildcard becomes one edge for every known symbol and one for `OTHER`, which stands for all unknown ones.
    """
    clean = without_empty_edges(separate(automaton), domain)
    states, symbols = table.states.copy(), table.symbols.copy()
    for state in sorted_names(clean.initial):
        states.number(state)
    controls = len(states.names)
    for edge in clean.edges:
        if isinstance(edge.symbol, Wildcard):
            for name in (*sorted_names(edge.symbol.excluding), OTHER):
                symbols.number(name)
        else:
            symbols.number(edge.symbol)

    def state_number(state: State) -> int:
        return states.number(state if state in clean.initial else Inner(-1, state))

    source, symbol, target, weights = integers(), integers(), integers(), []
    for edge in clean.edges:
        weight = require_weight(domain, _weight(domain, edge))
        for letter in _expand(edge.symbol, symbols):
            source.append(state_number(edge.source))
            symbol.append(letter)
            target.append(state_number(edge.target))
            weights.append(weight)
    final = frozenset(state_number(state) for state in sorted_names(clean.final))
    return NumberedAutomaton(source, symbol, target, weights, final, controls, states, symbols)


def _expand(symbol: Symbol, symbols: Names) -> list[int]:
    if isinstance(symbol, Wildcard):
        return [number for number, name in enumerate(symbols.names) if name not in symbol.excluding]
    return [symbols.numbers[symbol]]
