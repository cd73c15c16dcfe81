"""Weighs the runs of several pushdown systems that share control states, within a number of context switches.

Lal (PhD thesis, University of Wisconsin, 2009), sections 6.2 and 6.5.3.  A context is a run of one system; with k
switches there are k + 1 contexts, some of them perhaps empty, so that "k switches" means at most k.  The transducer
of one context, composed k times with itself, relates the configurations.  It is never built as a whole: what the
given configurations lead to is.

The same question for rounds, without transducers, is answered by `rounds.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.automaton import EMPTY
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import PushdownSystem, State, Symbol
from knaster.pushdown.tick import Tick
from knaster.pushdown.transducers.compose import only, weight_between, words
from knaster.pushdown.transducers.of_system import alphabets_of, context_of, states_of
from knaster.pushdown.transducers.transducer import Control, Move, Transducer

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Joint:
    """A control state and the stack of every system, their tops on the left."""

    state: State
    stacks: tuple[tuple[Symbol, ...], ...]

    def __str__(self) -> str:
        stacks = " | ".join(" ".join(map(str, stack)) or "ε" for stack in self.stacks)
        return f"<{self.state}, {stacks}>"

    def word(self) -> tuple[Symbol, ...]:
        """Return the control state and all stacks one after the other."""
        return Control(self.state), *(symbol for stack in self.stacks for symbol in stack)


@dataclass(frozen=True, slots=True)
class Standing:
    """The configurations in which the stack of one system, counted from 0, starts with the symbols `top`.

    The other stacks and what is below are anything; the control state is one of `states`, any where that is None.
    """

    system: int
    top: tuple[Symbol, ...]
    states: frozenset[State] | None = None


def weight_within(
    systems: Sequence[PushdownSystem[W]],
    start: Joint,
    asked: Joint | Standing,
    switches: int,
    *,
    tick: Tick | None = None,
) -> W:
    """Return the combined weight of all runs with at most so many switches from `start` to what is asked."""
    if switches < 0:
        raise UsageError(f"there cannot be {switches} switches")
    if any(len(joint.stacks) != len(systems) for joint in (start, asked) if isinstance(joint, Joint)):
        raise UsageError(f"a configuration of {len(systems)} systems has {len(systems)} stacks")
    domain = systems[0].domain
    joints = [joint for joint in (start, asked) if isinstance(joint, Joint)]
    symbols = [[symbol for joint in joints for symbol in joint.stacks[number]] for number in range(len(systems))]
    states = [joint.state for joint in joints]
    context = context_of(systems, states=states, symbols=symbols, tick=tick)
    if isinstance(asked, Joint):
        goal = only(domain, asked.word())
    else:
        goal = _reading(asked, domain, states_of(systems, states), alphabets_of(systems, symbols))
    return weight_between(words(domain, start.word()), [context] * (switches + 1), goal, tick)


def _reading(
    asked: Standing, domain: Semiring[W], states: Iterable[State], alphabets: Sequence[Iterable[Symbol]]
) -> Transducer[W]:
    """Return the transducer that reads the configurations that are asked for."""
    number, top = asked.system, asked.top
    controls = [state for state in states if asked.states is None or state in asked.states]
    moves: list[Move[W]] = [Move("start", Control(state), EMPTY, 0, domain.one) for state in controls]
    moves += (Move(0, symbol, EMPTY, 0, domain.one) for symbols in alphabets[:number] for symbol in symbols)
    moves += (Move(depth, symbol, EMPTY, depth + 1, domain.one) for depth, symbol in enumerate(top))
    moves.append(Move(len(top), EMPTY, EMPTY, "rest", domain.one))
    rest = (symbol for symbols in alphabets[number:] for symbol in symbols)
    moves += (Move("rest", symbol, EMPTY, "rest", domain.one) for symbol in rest)
    return Transducer(domain, tuple(moves), "start", frozenset({"rest"}))
