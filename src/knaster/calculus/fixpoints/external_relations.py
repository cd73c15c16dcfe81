"""Makes BDDs of relations that Python gives: the values of predicates that have no body.

A predicate is given as a *table* (an iterable of tuples of values), as a *function* of values (asked for every tuple of
values, so only for small types), or as a `Symbolic` (a function that builds the BDD).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import or_
from typing import TypeVar

from knaster.base.errors import UsageError
from knaster.base.hints import did_you_mean
from knaster.base.records import dataclass
from knaster.bdd.store import Bdd, Store
from knaster.calculus.fixpoints.machine import join
from knaster.calculus.fixpoints.plan import Tick
from knaster.calculus.language.types import Type
from knaster.calculus.language.values import all_values, count_values, encode

Row = TypeVar("Row")
_MAX_ASKED = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where a BDD holds a value of some type: one variable for each bit, in the order of `values.encode`.

    `place.member("a")` and `place.element(2)` are the places of its parts; `place[0]`, `len(place)` and iteration give
    variables.
    """

    type: Type
    variables: tuple[int, ...]

    def __getitem__(self, bit: int) -> int:
        return self.variables[bit]

    def __iter__(self) -> Iterator[int]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def member(self, name: str) -> Place:
        """Return the place of a member of a class."""
        if name not in self.type.members:
            hint = did_you_mean(name, self.type.members)
            raise UsageError(f"type {self.type.name} has no member '{name}'" + (f"; {hint}" if hint else ""))
        type_, start = self.type.members[name]
        return Place(type_, self.variables[start : start + type_.width])

    def element(self, index: int) -> Place:
        """Return the place of an element of an array."""
        element = self.type.element
        if element is None or not 0 <= index < self.type.length:
            raise UsageError(f"type {self.type.name} has no element {index}")
        return Place(element, self.variables[index * element.width : (index + 1) * element.width])

    def equals(self, store: Store, value: object) -> Bdd:
        """Return that this value, such as 3, "red" or {"a": True}, is here."""
        return store.assignment(dict(zip(self.variables, encode(self.type, value), strict=True)))

    def same(self, store: Store, other: Place) -> Bdd:
        """Return that the same value is here and at another place."""
        if self.type.name != other.type.name:
            raise UsageError(f"a value of type {self.type.name} is none of type {other.type.name}")
        equal = store.true
        for one, two in sorted(zip(self.variables, other.variables, strict=True), reverse=True):
            equal = ~(store.var(one) ^ store.var(two)) & equal
        return equal


@dataclass(frozen=True, slots=True)
class Symbolic:
    """A relation given by its BDD: `build(store, places)` returns it over the variables of the parameters' places.

    `build` is called once for each store that is used.  Codes that denote no value may be in the BDD; they are removed.
    """

    build: Callable[[Store, tuple[Place, ...]], Bdd]


Given = Iterable[tuple[object, ...]] | Callable[..., bool] | Symbolic


def make_rereadable(given: Given) -> Given:
    """Return the same relation in a form that can be read again: a larger store may need it a second time."""
    return given if isinstance(given, Symbolic) or callable(given) else tuple(given)


def build(store: Store, name: str, places: tuple[Place, ...], given: Given, tick: Tick) -> Bdd:
    """Return the BDD of the relation that is given for a predicate; `tick` is called for each tuple."""
    if isinstance(given, Symbolic):
        return given.build(store, places)
    types = [place.type for place in places]
    rows: Iterable[tuple[object, ...]]
    if callable(given):
        total = 1
        for type_ in types:
            total *= count_values(type_)
        if total > _MAX_ASKED:
            raise UsageError(f"'{name}' has {total} tuples: too many to ask a function; give a table or a BDD")
        rows = (row for row in _each(all_values(types), tick) if given(*row))
    else:
        rows = _each(given, tick)
    cubes = [cube(store, name, places, row) for row in rows]
    return join(cubes, or_) if cubes else store.false


def _each(rows: Iterable[Row], tick: Tick) -> Iterator[Row]:
    for row in rows:
        tick()
        yield row


def cube(store: Store, name: str, places: tuple[Place, ...], row: tuple[object, ...]) -> Bdd:
    """Return that the parameters of a predicate have the values of a row."""
    if len(row) != len(places):
        raise UsageError(f"'{name}' takes {len(places)} arguments, not {len(row)}: {row!r}")
    literals: dict[int, bool] = {}
    for place, value in zip(places, row, strict=True):
        literals.update(zip(place.variables, encode(place.type, value), strict=True))
    return store.assignment(literals)
