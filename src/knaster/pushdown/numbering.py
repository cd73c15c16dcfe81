"""Numbers instead of names: rules and automata as flat arrays of integers, interned once.

Control states are 0 … controls-1, the other states of an automaton follow, the states that post* adds come last.
Symbols are 0 … symbols-1; `symbols` itself stands for the empty word.  An absent symbol of a rule is -1, so a rule
<p, g> -> <p', u> is the row (p, g, p', first of u or -1, second of u or -1).
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable
from typing import Any, Generic, TypeVar

from knaster.base.records import dataclass, field

W = TypeVar("W")

NONE = -1


def integers(values: Iterable[int] = ()) -> array[int]:
    """Return a flat array of 32-bit integers."""
    return array("i", values)


def own_column(column: Any) -> Any:
    """Return a column that owns its numbers, as `pickle` wants it: a copy of one that is native memory."""
    return array(column.format, column) if isinstance(column, memoryview) else column


@dataclass(slots=True)
class Names:
    """Names and their numbers, in the order in which they were first seen."""

    names: list[Hashable] = field(default_factory=list)
    numbers: dict[Hashable, int] = field(default_factory=dict)

    def number(self, name: Hashable) -> int:
        """Return the number of `name`, a new one if it is new."""
        found = self.numbers.get(name)
        if found is None:
            found = self.numbers[name] = len(self.names)
            self.names.append(name)
        return found

    def copy(self) -> Names:
        """Return names that can grow apart from these."""
        return Names(list(self.names), dict(self.numbers))


@dataclass(frozen=True, slots=True)
class RuleTable:
    """The rules of a system as columns of numbers; `states` and `symbols` tell what the numbers mean."""

    source: array[int]
    symbol: array[int]
    target: array[int]
    first: array[int]
    second: array[int]
    states: Names
    symbols: Names

    @classmethod
    def of(cls, rules: Iterable[tuple[Hashable, Hashable, Hashable, tuple[Hashable, ...]]]) -> RuleTable:
        """Return the table of rules (p, g, p', u) with at most two symbols in u."""
        table = cls(integers(), integers(), integers(), integers(), integers(), Names(), Names())
        add_source, add_symbol, add_target, add_first, add_second = (column.append for column in columns(table))
        states, symbols = table.states.numbers, table.symbols.numbers
        state, symbol = states.setdefault, symbols.setdefault
        for source, top, target, push in rules:
            add_source(state(source, len(states)))
            add_symbol(symbol(top, len(symbols)))
            add_target(state(target, len(states)))
            add_first(symbol(push[0], len(symbols)) if push else NONE)
            add_second(symbol(push[1], len(symbols)) if len(push) == 2 else NONE)
        table.states.names.extend(states)
        table.symbols.names.extend(symbols)
        return table

    @classmethod
    def numbered(cls, states: int, symbols: int, columns: tuple[array[int], ...]) -> RuleTable:
        """Return the table of rules whose states and symbols already are numbers below `states` and `symbols`."""
        source, symbol, target, first, second = columns
        return cls(source, symbol, target, first, second, _range_names(states), _range_names(symbols))

    def __len__(self) -> int:
        return len(self.source)

    def names_in(self, number: int) -> tuple[Hashable, Hashable, Hashable, tuple[Hashable, ...]]:
        """Return a rule (p, g, p', u) by its names."""
        states, symbols = self.states.names, self.symbols.names
        pushed = (self.first[number], self.second[number])
        return (
            states[self.source[number]],
            symbols[self.symbol[number]],
            states[self.target[number]],
            tuple(symbols[symbol] for symbol in pushed if symbol != NONE),
        )


def columns(table: RuleTable) -> tuple[array[int], array[int], array[int], array[int], array[int]]:
    """Return the columns of a table in the order p, g, p', first, second."""
    return table.source, table.symbol, table.target, table.first, table.second


def _range_names(count: int) -> Names:
    return Names(list(range(count)), {number: number for number in range(count)})


@dataclass(frozen=True, slots=True)
class NumberedAutomaton(Generic[W]):
    """An automaton whose states and symbols are numbers; no edge is empty or enters a control state.

    Row i is the edge source[i] --symbol[i]--> target[i] of weight weight[i]; states below `controls` are control
    states, `empty` is the number of the empty word, all symbols are below it.
    """

    source: array[int]
    symbol: array[int]
    target: array[int]
    weight: list[W]
    final: frozenset[int]
    controls: int
    states: Names
    symbols: Names

    @property
    def empty(self) -> int:
        """The number that stands for the empty word."""
        return len(self.symbols.names)
