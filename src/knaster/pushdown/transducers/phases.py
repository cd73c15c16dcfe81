"""The two phases of a run on a stack: it pops some symbols, one by one, and then puts others in place of the next.

Lal (PhD thesis, University of Wisconsin, 2009), section 6.4, Figure 6.3 and Lemmas 6.4.1 and 6.4.2.  Every run from
<p1, g1 … gn> first pops g1, …, gk in turn, without looking at what is below, and then either stops or turns g(k+1)
into a word that is not empty.

    pop(p, g, p')        all runs from <p, g> to <p', ε>; one pre* of the empty stacks gives it for every p, g, p'
    grow(p, g)(p', u)    all runs from <p, g> to <p', u>, u not empty; one post* gives it for every p and g

Notation: the state `Grown(p, g)` of the automaton of post* is the one in which the automaton of grow(p, g) accepts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from knaster.base.records import dataclass
from knaster.pushdown.automaton import Automaton, Edge
from knaster.pushdown.saturation.answer import Transition
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import PushdownSystem, State, Symbol
from knaster.pushdown.tick import Tick

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Grown:
    """Where the automaton of everything that <state, symbol> grows to accepts."""

    state: State
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Phases(Generic[W]):
    """The transitions of both automata; those of `pop` are weighed forward, those of `grow` backward."""

    pop: tuple[Transition[W], ...]
    grow: tuple[Transition[W], ...]
    states: tuple[State, ...]  # of the system as it was given: no long rule stands in the middle of its work
    symbols: tuple[Symbol, ...]


def phases_of(system: PushdownSystem[W], *, tick: Tick | None = None) -> Phases[W]:
    """Return what every single symbol can be popped to and grow to; merge functions are not supported."""
    inside = dict.fromkeys(state for rule in system.rules for state in (rule.source, rule.target))
    symbols = dict.fromkeys(symbol for rule in system.rules for symbol in (rule.symbol, *rule.push))
    nothing: Automaton[W] = Automaton((), frozenset(inside), frozenset(inside))
    edges: Iterable[Edge[W]] = (Edge(p, g, Grown(p, g)) for p in inside for g in symbols)
    each: Automaton[W] = Automaton(
        tuple(edges), frozenset(Grown(p, g) for p in inside for g in symbols), frozenset(inside)
    )
    popped = pre_star(system, nothing, tick=tick).transitions()
    grown = post_star(system, each, tick=tick).transitions()
    given = dict.fromkeys(state for rule in system.given for state in (rule.source, rule.target))
    return Phases(tuple(popped), tuple(each for each in grown if each.symbol is not None), tuple(given), tuple(symbols))
