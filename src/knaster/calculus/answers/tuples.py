"""The value of a predicate as Python sees it: a set of tuples of values."""

from __future__ import annotations

from collections.abc import Iterator

from knaster.base.records import dataclass
from knaster.bdd.store import Bdd, Store
from knaster.calculus.fixpoints.external_relations import Place, cube
from knaster.calculus.language.types import Type
from knaster.calculus.language.values import Value, count_values, decode


@dataclass(frozen=True, slots=True)
class Relation:
    """The value of a predicate: a set of tuples."""

    name: str
    places: tuple[Place, ...]
    store: Store
    bdd: Bdd

    def __repr__(self) -> str:
        return f"<Relation {self.name}: {self.count} of {self.out_of} tuples>"

    @property
    def types(self) -> tuple[Type, ...]:
        """The types of the parameters."""
        return tuple(place.type for place in self.places)

    @property
    def levels(self) -> tuple[tuple[int, ...], ...]:
        """The BDD variables of each parameter's bits."""
        return tuple(place.variables for place in self.places)

    @property
    def count(self) -> int:
        """How many tuples are in it."""
        return self.store.count(self.bdd, sum(len(place) for place in self.places))

    @property
    def out_of(self) -> int:
        """How many tuples there are."""
        total = 1
        for place in self.places:
            total *= count_values(place.type)
        return total

    @property
    def size(self) -> int:
        """How many nodes its BDD has, with the constant."""
        return int(self.bdd.node_count())

    def __contains__(self, row: object) -> bool:
        if not isinstance(row, tuple) or len(row) != len(self.places):
            return False
        return self.bdd & cube(self.store, self.name, self.places, row) != self.store.false

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        """Yield the tuples, in the order of their codes."""
        flat = [level for place in self.places for level in place]
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
        for place in self.places:
            row.append(decode(place.type, bits[start : start + len(place)]))
            start += len(place)
        return tuple(row)
