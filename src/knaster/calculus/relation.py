"""Relations as Python sees them: the value of a predicate, and values given for predicates that have no body.

A predicate is given as a *table* (an iterable of tuples of values), as a *function* of values (asked for every tuple of
values, so only for small types), or as a `Symbolic` (a function that builds the BDD).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import or_

from knaster.calculus.formula import Predicate
from knaster.calculus.machine import join
from knaster.calculus.types import Type
from knaster.calculus.values import Value, all_values, count_values, decode, encode
from knaster.errors import UsageError
from knaster.symbolic.bdd import Bdd, Store

_MAX_ASKED = 1 << 20


@dataclass(frozen=True, slots=True)
class Symbolic:
    """A relation given by its BDD: `build(store, variables)`, with the BDD variables of each parameter's bits.

    The bits of a value are those of `values.encode`.
    """

    build: Callable[[Store, tuple[tuple[int, ...], ...]], Bdd]


Given = Iterable[tuple[object, ...]] | Callable[..., bool] | Symbolic


@dataclass(frozen=True, slots=True)
class Relation:
    """The value of a predicate: a set of tuples."""

    name: str
    types: tuple[Type, ...]
    levels: tuple[tuple[int, ...], ...]
    store: Store
    bdd: Bdd

    def __repr__(self) -> str:
        return f"<Relation {self.name}: {self.count} of {self.out_of} tuples>"

    @property
    def count(self) -> int:
        """How many tuples are in it."""
        return self.store.count(self.bdd, sum(len(levels) for levels in self.levels))

    @property
    def out_of(self) -> int:
        """How many tuples there are."""
        total = 1
        for type_ in self.types:
            total *= count_values(type_)
        return total

    @property
    def size(self) -> int:
        """How many nodes its BDD has, with the constant."""
        return int(self.bdd.node_count())

    def __contains__(self, row: object) -> bool:
        if not isinstance(row, tuple) or len(row) != len(self.types):
            return False
        return self.bdd & _cube(self.store, self.types, self.levels, row) != self.store.false

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        """Yield the tuples, in the order of their codes."""
        flat = [level for levels in self.levels for level in levels]
        todo: list[tuple[Bdd, list[bool]]] = [(self.bdd, [])]
        while todo:
            rest, bits = todo.pop()
            if rest == self.store.false:
                continue
            if len(bits) == len(flat):
                yield self._row(bits)
                continue
            variable = self.store.var(flat[len(bits)])
            todo.append((rest & variable, [*bits, True]))
            todo.append((rest & ~variable, [*bits, False]))

    def _row(self, bits: list[bool]) -> tuple[Value, ...]:
        row: list[Value] = []
        start = 0
        for type_ in self.types:
            row.append(decode(type_, bits[start : start + type_.width]))
            start += type_.width
        return tuple(row)


def build(store: Store, predicate: Predicate, levels: tuple[tuple[int, ...], ...], given: Given) -> Bdd:
    """Return the BDD of a given relation, which may hold of values only."""
    types = tuple(parameter.type for parameter in predicate.parameters)
    if isinstance(given, Symbolic):
        return given.build(store, levels)
    rows: Iterable[tuple[object, ...]]
    if callable(given):
        total = 1
        for type_ in types:
            total *= count_values(type_)
        if total > _MAX_ASKED:
            raise UsageError(
                f"'{predicate.name}' has {total} tuples: too many to ask a function; give a table or a BDD"
            )
        rows = (row for row in all_values(types) if given(*row))
    else:
        rows = given
    cubes: list[Bdd] = []
    for row in rows:
        if len(row) != len(types):
            raise UsageError(f"'{predicate.name}' takes {len(types)} arguments, not {len(row)}: {row!r}")
        cubes.append(_cube(store, types, levels, row))
    return join(cubes, or_) if cubes else store.false


def _cube(store: Store, types: tuple[Type, ...], levels: tuple[tuple[int, ...], ...], row: tuple[object, ...]) -> Bdd:
    literals: dict[int, bool] = {}
    for type_, variables, value in zip(types, levels, row, strict=True):
        literals.update(zip(variables, encode(type_, value), strict=True))
    return store.assignment(literals)
