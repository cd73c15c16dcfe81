"""What a file says: rules, perhaps with lengths, and up to two sets of configurations."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Literal, overload

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass, replace
from knaster.pushdown.automaton import Automaton, Edge, Empty, Wildcard
from knaster.pushdown.domains.minpath import Length
from knaster.pushdown.numbering import RuleTable
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.system import PushdownSystem, Rule, State, Symbol

Sets = Automaton[Length]
NO_LENGTH = -(2**63)


@dataclass(frozen=True, slots=True)
class AnySymbol:
    """The symbol of a rule that fires on every symbol; on the right side, the symbol that it fired on."""


ANY_SYMBOL = AnySymbol()


class FileRule(NamedTuple):
    """A rule of a file; `length` None where the file gives none."""

    source: State
    symbol: Symbol
    target: State
    push: tuple[Symbol, ...]
    length: int | None = None


class ColumnRules(Sequence[FileRule]):
    """The rules of a file as columns of numbers, each made when it is looked at; none fires on every symbol.

    `lengths` is None where the file gives none, and has `NO_LENGTH` for a rule without one.
    """

    def __init__(self, table: RuleTable, lengths: array[int] | None) -> None:
        self.table = table
        self.lengths = lengths

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, index: int) -> FileRule: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[FileRule, ...]: ...

    def __getitem__(self, index: int | slice) -> FileRule | tuple[FileRule, ...]:
        if isinstance(index, slice):
            return tuple(self[number] for number in range(*index.indices(len(self))))
        length = NO_LENGTH if self.lengths is None else self.lengths[index]
        return FileRule(*self.table.names_in(index), None if length == NO_LENGTH else length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def weights(self, missing: int) -> list[int]:
        """Return the length of each rule, `missing` where the file gives none."""
        if self.lengths is None:
            return [missing] * len(self)
        return [missing if length == NO_LENGTH else length for length in self.lengths]


@dataclass(frozen=True, slots=True)
class Instance:
    """Rules, the states that are named, and the sets that come with them.

    `direction` is what the file itself asks for; `sources` are to be saturated forward, `targets` backward.
    """

    rules: Sequence[FileRule]
    states: tuple[State, ...] = ()
    sources: Sets | None = None
    targets: Sets | None = None
    direction: Literal["post", "pre"] | None = None

    def has_lengths(self) -> bool:
        """Tell whether the file gives a length to some rule."""
        if isinstance(self.rules, ColumnRules):
            return self.rules.lengths is not None
        return any(rule.length is not None for rule in self.rules)

    def has_negative_lengths(self) -> bool:
        """Tell whether some length is negative."""
        if isinstance(self.rules, ColumnRules):
            return any(length < 0 for length in self.rules.weights(missing=0))
        return any(rule.length is not None and rule.length < 0 for rule in self.rules)

    def with_sets(self, sources: Sets | None, targets: Sets | None) -> Instance:
        """Return the instance with other sets, where they are given."""
        return replace(self, sources=sources or self.sources, targets=targets or self.targets)

    def fires_on_any_symbol(self) -> bool:
        """Tell whether some rule fires on every symbol."""
        return not isinstance(self.rules, ColumnRules) and any(rule.symbol == ANY_SYMBOL for rule in self.rules)

    def alphabet(self) -> list[Symbol]:
        """Return the symbols of the rules and of the sets, in the order in which they appear."""
        named: dict[Symbol, None] = {}
        if isinstance(self.rules, ColumnRules):
            named.update(dict.fromkeys(self.rules.table.symbols.names))
        for rule in () if named else self.rules:
            named.update(dict.fromkeys((rule.symbol, *rule.push)))
        for automaton in (self.sources, self.targets):
            for edge in automaton.edges if automaton else ():
                named.update(dict.fromkeys(symbols_of(edge)))
        named.pop(ANY_SYMBOL, None)
        return list(named)

    def expand_rules(self) -> list[FileRule]:
        """Return the rules, one for every symbol where a rule fires on any."""
        if not self.fires_on_any_symbol():
            return list(self.rules)
        alphabet = self.alphabet()
        rules: list[FileRule] = []
        for rule in self.rules:
            if rule.symbol != ANY_SYMBOL:
                rules.append(rule)
                continue
            for symbol in alphabet:
                push = tuple(symbol if part == ANY_SYMBOL else part for part in rule.push)
                rules.append(rule._replace(symbol=symbol, push=push))
        return rules

    def without_lengths(self, domain: Semiring[bool]) -> PushdownSystem[bool]:
        """Return the system without lengths."""
        if isinstance(self.rules, ColumnRules):
            return PushdownSystem.of_table(domain, self.rules.table, [True] * len(self.rules))
        return PushdownSystem.of(domain, (Rule(*rule[:4], True) for rule in self.expand_rules()))

    def with_lengths(self, domain: Semiring[Length]) -> PushdownSystem[Length]:
        """Return the system with the file's lengths as weights; 1 for every rule where the file gives none at all."""
        missing = 0 if self.has_lengths() else 1
        if isinstance(self.rules, ColumnRules):
            return PushdownSystem.of_table(domain, self.rules.table, self.rules.weights(missing))
        return PushdownSystem.of(
            domain,
            (Rule(*rule[:4], missing if rule.length is None else rule.length) for rule in self.expand_rules()),
        )


def symbols_of(edge: Edge[Length]) -> tuple[Symbol, ...]:
    """Return the symbols that an edge names."""
    if isinstance(edge.symbol, Wildcard):
        return tuple(sorted(edge.symbol.excluding, key=str))
    return () if isinstance(edge.symbol, Empty) else (edge.symbol,)
