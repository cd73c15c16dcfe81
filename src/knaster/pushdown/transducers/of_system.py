"""The transducer of a pushdown system: which configurations lead to which, and with what weight.

Lal (PhD thesis, University of Wisconsin, 2009), section 6.4, Theorem 6.4.4.  As printed, steps 4 and 6 leave the
control state of the output open; here it is guessed when the control state of the input is read, so that it can be
written there, and checked where the run stops popping: in copy q of the automaton of grow, which belongs to the
control state q that the pops led to, the path starts at the guessed state p' (step 4); nothing grows only where p' is
q (step 6).

    start --p/p'--> Popping(p, p')                       for all control states p, p'
    Popping(q, p') --g/ε--> Popping(q', p')              of weight pop(q, g, q')
    Popping(p', p') --ε/ε--> END                         nothing grows
    Popping(q, p') --ε/ε--> Growing(q, p')               crossing over
    Growing(q, x) --ε/g--> Growing(q, y)                 for (x, g, y) in the automaton of grow, backward
    Growing(q, Grown(q, g)) --g/ε--> END                 what it grew from
    END --g/g--> END                                     what nobody looked at

Several systems share the control states: a configuration is p, then the stacks of all.  A system copies the stacks of
the others: those before its own while nothing is popped yet, those behind it at the end.  No symbol may belong to two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.automaton import EMPTY
from knaster.pushdown.system import PushdownSystem, State, Symbol
from knaster.pushdown.tick import Tick
from knaster.pushdown.transducers.phases import Grown, Phases, phases_of
from knaster.pushdown.transducers.transducer import Control, Move, Transducer

W = TypeVar("W")

START, END = "start", "end"


@dataclass(frozen=True, slots=True)
class Popping:
    """The run is in control state `now` and will end in `last`; it has not grown anything yet."""

    now: State
    last: State


@dataclass(frozen=True, slots=True)
class Growing:
    """The run stopped popping in control state `base`; `state` is where the automaton of grow is."""

    base: State
    state: State


def transducer_of(
    system: PushdownSystem[W],
    *,
    states: Iterable[State] = (),
    before: Iterable[Symbol] = (),
    behind: Iterable[Symbol] = (),
    is_start: Callable[[State], bool] = lambda state: True,
    is_end: Callable[[State], bool] = lambda state: True,
    tick: Tick | None = None,
) -> Transducer[W]:
    """Return the transducer that relates c to c' with the combined weight of all runs from c to c'.

    `states` are control states, `before` and `behind` stack symbols, that the system itself does not use.  Only runs
    between control states that `is_start` and `is_end` allow are looked at.
    """
    if not system.is_plain():
        raise UsageError("a transducer has no place for merge functions; encode locals in stack symbols or weights")
    phases = phases_of(system, tick=tick)
    controls = tuple(dict.fromkeys((*phases.states, *states)))
    building = _Builder(system, phases, controls, is_start, is_end)
    moves = tuple(building.moves(tuple(before), tuple(behind)))
    backward = frozenset(
        state for move in moves for state in (move.source, move.target) if isinstance(state, Growing) or state == END
    )
    return Transducer(system.domain, moves, START, frozenset({END}), backward).trim()


def context_of(
    systems: Sequence[PushdownSystem[W]],
    *,
    states: Iterable[State] = (),
    symbols: Sequence[Iterable[Symbol]] = (),
    is_start: Callable[[State], bool] = lambda state: True,
    is_end: Callable[[State], bool] = lambda state: True,
    tick: Tick | None = None,
) -> Transducer[W]:
    """Return the transducer of one context: some system runs for a while, the stacks of the others stay.

    Words are a control state and the stacks of all systems, in order.  `states` and, for each system, `symbols` may
    stand in them although no rule has them.
    """
    alphabets = alphabets_of(systems, symbols)
    states = states_of(systems, states)
    for number, alphabet in enumerate(alphabets):
        for other in alphabets[:number]:
            if shared := [symbol for symbol in alphabet if symbol in other]:
                raise UsageError(f"the stack symbol {shared[0]!r} belongs to two systems; give each its own")
    moves: list[Move[W]] = []
    backward: set[State] = set()
    for number, system in enumerate(systems):
        part = transducer_of(
            system,
            states=states,
            before=[symbol for other in alphabets[:number] for symbol in other],
            behind=[symbol for other in alphabets[number:] for symbol in other],
            is_start=is_start,
            is_end=is_end,
            tick=tick,
        )
        moves += (Move(_own(number, m.source), m.read, m.write, _own(number, m.target), m.weight) for m in part.moves)
        backward |= {_own(number, state) for state in part.backward}
    final = frozenset(_own(number, END) for number in range(len(systems)))
    return Transducer(systems[0].domain, tuple(moves), START, final, frozenset(backward))


def _own(number: int, state: State) -> State:
    return START if state == START else (number, state)


def states_of(systems: Sequence[PushdownSystem[W]], more: Iterable[State] = ()) -> list[State]:
    """Return the control states of all systems, those of their rules first, then `more`."""
    own = (state for system in systems for rule in system.given for state in (rule.source, rule.target))
    return list(dict.fromkeys((*own, *more)))


def alphabets_of(
    systems: Sequence[PushdownSystem[W]], more: Sequence[Iterable[Symbol]] = ()
) -> list[dict[Symbol, None]]:
    """Return the stack symbols of each system, those of its rules first, then `more`."""
    own = [[symbol for rule in system.given for symbol in (rule.symbol, *rule.push)] for system in systems]
    return [dict.fromkeys((*given, *(more[number] if more else ()))) for number, given in enumerate(own)]


class _Builder(Generic[W]):
    """The moves of one system."""

    def __init__(
        self,
        system: PushdownSystem[W],
        phases: Phases[W],
        controls: Sequence[State],
        is_start: Callable[[State], bool],
        is_end: Callable[[State], bool],
    ) -> None:
        self.one = system.domain.one
        self.phases = phases
        self.starts = [state for state in controls if is_start(state)]
        self.ends = [state for state in controls if is_end(state)]
        self.bases = dict.fromkeys((*controls, *(rule.target for rule in system.rules)))

    def moves(self, before: Sequence[Symbol], behind: Sequence[Symbol]) -> Iterator[Move[W]]:
        for last in self.ends:
            for now in self.starts:
                yield Move(START, Control(now), Control(last), Popping(now, last), self.one)
                for symbol in before:
                    yield Move(Popping(now, last), symbol, symbol, Popping(now, last), self.one)
            for pop in self.phases.pop:
                yield Move(Popping(pop.source, last), pop.symbol, EMPTY, Popping(pop.target, last), pop.weight)
            yield Move(Popping(last, last), EMPTY, EMPTY, END, self.one)
            for base in self.bases:
                yield Move(Popping(base, last), EMPTY, EMPTY, Growing(base, last), self.one)
        for base in self.bases:
            for grow in self.phases.grow:
                if not isinstance(grow.target, Grown) or grow.target.state == base:
                    yield Move(Growing(base, grow.source), EMPTY, grow.symbol, Growing(base, grow.target), grow.weight)
            for symbol in self.phases.symbols:
                yield Move(Growing(base, Grown(base, symbol)), symbol, EMPTY, END, self.one)
        for symbol in dict.fromkeys((*self.phases.symbols, *behind)):
            yield Move(END, symbol, symbol, END, self.one)
