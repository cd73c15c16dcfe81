"""Reduces several pushdown systems to one: contexts in rounds, one system after the other.

Lal (PhD thesis, University of Wisconsin, 2009), sections 7.3 and 7.5, Figures 7.3 and 7.4, for control states and
weights at once.  In a round every system has one context, in order; a context may be empty.  The one system runs the
first one through all of its K contexts, then the second one, and so on, on K copies of what they share:

* the control states: the copy of each round starts with a guess, which the last check compares with what the round
  before ended with (Theorem 7.3.1; the number of the round goes up to K + 1, erratum E9);
* the data, in weights: those of round k are at position k of a K-fold tensor product, so that no guess is needed.

    <(k, v), g> -> <(k, v'), u>              a rule <p, g> -> <p', u>; v has p at k and v' has p' there
    <(k, v), g> -> <(k + 1, v), g>           the end of a context, k = 1 … K
    <(K + 1, v), g> -> <(1, v), s ⊥ g>       the next system, whose stack is s, starts on top of the finished one

A stack that becomes empty leaves its ⊥, so nobody runs on the stack below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Generic, TypeVar

from knaster.base.errors import UsageError
from knaster.base.records import dataclass
from knaster.pushdown.automaton import configuration_set
from knaster.pushdown.solve import post_star
from knaster.pushdown.system import Configuration, PushdownSystem, Rule, State, Symbol
from knaster.pushdown.tick import Tick
from knaster.pushdown.transducers.contexts import Joint
from knaster.pushdown.transducers.of_system import alphabets_of, states_of
from knaster.pushdown.transducers.tensors import TensorPower, at_position, tensor_power

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Turn:
    """A control state of the one system: the round, counted from 1, and the control state of each round."""

    round: int
    states: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Bottom:
    """What lies below the stack of a system."""

    number: int


DONE = "all systems are done"


@dataclass(frozen=True, slots=True)
class InRounds(Generic[W]):
    """The one system for a number of systems, one start and one number of rounds."""

    system: PushdownSystem[Any]
    start: Joint
    rounds: int
    power: TensorPower[W, Any]
    states: tuple[State, ...]

    def weight_of(self, end: Joint, tick: Tick | None = None) -> W:
        """Return the combined weight of all runs of at most that many rounds that end in a configuration."""
        domain = self.power.domain
        total: Any = domain.zero
        stack = tuple(
            symbol for number in reversed(range(len(end.stacks))) for symbol in (*end.stacks[number], Bottom(number))
        )
        for guess in product(self.states, repeat=self.rounds - 1):
            first = Configuration(Turn(1, (self.start.state, *guess)), (*self.start.stacks[0], Bottom(0)))
            answer = post_star(self.system, configuration_set(first), tick=tick)
            last = Configuration(Turn(1, (*guess, end.state)), (DONE, *stack))
            total = domain.combine(total, answer.weight_of(last))
        return self.power.detensor(total)


def in_rounds(systems: Sequence[PushdownSystem[W]], start: Joint, rounds: int) -> InRounds[W]:
    """Return one system that does in sequence what the given ones do in `rounds` rounds from `start`.

    Its control states are tuples of theirs, so that few control states and few rounds are needed for it to be small.
    """
    if rounds < 1:
        raise UsageError(f"there is at least 1 round, not {rounds}")
    if len(start.stacks) != len(systems):
        raise UsageError(f"a configuration of {len(systems)} systems has {len(systems)} stacks")
    if not all(system.is_plain() for system in systems):
        raise UsageError("the reduction has no place for merge functions; encode locals in stack symbols or weights")
    power = tensor_power(systems[0].domain, rounds)
    states = tuple(states_of(systems, [start.state]))
    rules = _Reducer(systems, start, rounds, power, states).rules()
    return InRounds(PushdownSystem.of(power.domain, rules), start, rounds, power, states)


class _Reducer(Generic[W]):
    """The rules of the one system."""

    def __init__(
        self,
        systems: Sequence[PushdownSystem[W]],
        start: Joint,
        rounds: int,
        power: TensorPower[W, Any],
        states: Sequence[State],
    ) -> None:
        self.systems, self.start, self.rounds, self.power, self.states = systems, start, rounds, power, states

    def rules(self) -> Iterator[Rule[Any]]:
        alphabets = alphabets_of(self.systems, self.start.stacks)
        for number, system in enumerate(self.systems):
            symbols = (*alphabets[number], Bottom(number))
            for turn in range(1, self.rounds + 1):
                for rule in system.given:
                    yield from self._running_rules(rule, turn, system)
            for states in product(self.states, repeat=self.rounds):
                for symbol in symbols:
                    yield from self._passing_rules(number, states, symbol)

    def _running_rules(self, rule: Rule[W], turn: int, system: PushdownSystem[W]) -> Iterator[Rule[Any]]:
        weight = at_position(self.power, system.domain, turn - 1, rule.weight)
        for others in product(self.states, repeat=self.rounds - 1):
            source, target = (
                Turn(turn, (*others[: turn - 1], state, *others[turn - 1 :])) for state in (rule.source, rule.target)
            )
            yield Rule(source, rule.symbol, target, rule.push, weight)

    def _passing_rules(self, number: int, states: tuple[State, ...], symbol: Symbol) -> Iterator[Rule[Any]]:
        one = self.power.domain.one
        for turn in range(1, self.rounds + 1):
            yield Rule(Turn(turn, states), symbol, Turn(turn + 1, states), (symbol,), one)
        following: tuple[Symbol, ...] = (DONE,)
        if number + 1 < len(self.systems):
            following = (*self.start.stacks[number + 1], Bottom(number + 1))
        yield Rule(Turn(self.rounds + 1, states), symbol, Turn(1, states), (*following, symbol), one)
