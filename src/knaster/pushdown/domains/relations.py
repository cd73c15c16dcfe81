"""Relations on valuations of Boolean variables, as binary decision diagrams.

Lal (2009), Definition 2.4.13, with the symbolic project of section 3.5.1 repaired: values of locals before and after
are forgotten, and every local keeps its value.

Notation: v the variables before, v' after, v'' in between; a weight is a function of v and v'.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from knaster.base.errors import UsageError
from knaster.base.records import dataclass, field
from knaster.bdd.store import Bdd, Store, and_exists, exists, minus, rename

SHOWN = 12  # cubes in a printed relation
COPIES, TAGGED_COPIES = 3, 5  # BDD variables for every variable


@dataclass(frozen=True, slots=True, eq=False)
class Valuations:
    """What relations are between: variables by name, and the BDD variables that hold them before and after."""

    store: Store
    before: Mapping[str, int]
    after: Mapping[str, int]

    def describe(self, function: Bdd) -> str:
        """Return a relation as a list of partial valuations before → after."""
        rest = function
        shown: list[str] = []
        while len(shown) < SHOWN and (cube := self.store.pick(rest)) is not None:
            rest = minus(rest, self.store.assignment(cube))
            sides = [
                " ".join(f"{name}={int(cube[place])}" for name, place in copy.items() if place in cube) or "any"
                for copy in (self.before, self.after)
            ]
            shown.append("→".join(sides))
        return f"{{{', '.join(shown)}{'' if self.store.is_false(rest) else ', …'}}}"


@dataclass(frozen=True, slots=True)
class BddRelation:
    """A relation between valuations before and after; it does not know its domain, which knows some relations."""

    function: Bdd
    over: Valuations = field(compare=False)

    def __repr__(self) -> str:
        return self.over.describe(self.function)


class BddRelations:
    """Weights are relations on valuations of `names`: combine is union, extend is composition.

    Each variable takes three neighbouring BDD variables (before, after, between), from `first` on; with `tagged` five,
    the last two for `tabulate`.  `places` says instead which ones each variable takes.
    """

    def __init__(
        self,
        names: Sequence[str],
        store: Store | None = None,
        first: int = 0,
        *,
        tagged: bool = False,
        places: Sequence[Sequence[int]] | None = None,
    ) -> None:
        if len(set(names)) < len(names):
            raise UsageError("the variables of a relational domain must have distinct names")
        copies = TAGGED_COPIES if tagged else COPIES
        if places is None:
            places = [range(first + copies * number, first + copies * (number + 1)) for number in range(len(names))]
        self.names = tuple(names)
        self.tagged = tagged
        self.store = store or Store(first + copies * len(names))
        if any(len(taken) < copies or max(taken) >= self.store.variables for taken in places):
            raise UsageError(f"the BDD store has too few variables for {len(names)} names in {copies} copies")
        self.before = {name: taken[0] for name, taken in zip(names, places, strict=True)}
        self.after = {name: taken[1] for name, taken in zip(names, places, strict=True)}
        between = {name: taken[2] for name, taken in zip(names, places, strict=True)}
        self._between = self.store.cube(between.values())
        self._after_to_between = self.store.renaming({self.after[name]: between[name] for name in names})
        self._before_to_between = self.store.renaming({self.before[name]: between[name] for name in names})
        exchange = {self.before[name]: self.after[name] for name in names}
        exchange |= {after: before for before, after in exchange.items()}
        self._exchange = self.store.renaming(exchange)
        tags = [side for taken in places if tagged for side in zip(taken[:2], taken[3:5], strict=True)]
        self._tags: dict[int, int] = dict(tags)  # the tag of a variable before or after
        self.over = Valuations(self.store, self.before, self.after)
        self.zero = BddRelation(self.store.false, self.over)
        self.one = BddRelation(self.identity(names), self.over)

    def identity(self, names: Iterable[str]) -> Bdd:
        """Return the function that says that each of `names` keeps its value."""
        same = self.store.true
        for name in sorted(names, key=self.names.index, reverse=True):
            same = ~(self.store.var(self.before[name]) ^ self.store.var(self.after[name])) & same
        return same

    def relation(self, function: Bdd) -> BddRelation:
        """Return the relation that a function of the variables before and after describes."""
        return BddRelation(function, self.over)

    def assign(self, values: Mapping[str, Bdd | bool | None]) -> BddRelation:
        """Return the simultaneous assignment of functions of the variables before; None means any value."""
        self._require(values)
        function = self.identity(name for name in self.names if name not in values)
        for name in sorted(values):
            value = values[name]
            if value is not None:
                right = self.store.const(value) if isinstance(value, bool) else value
                function &= ~(self.store.var(self.after[name]) ^ right)
        return BddRelation(function, self.over)

    def assume(self, condition: Bdd) -> BddRelation:
        """Return the identity on the valuations before that satisfy `condition`."""
        return BddRelation(self.one.function & condition, self.over)

    def variable(self, name: str) -> Bdd:
        """Return the function that is true where `name` is true before."""
        self._require([name])
        return self.store.var(self.before[name])

    def combine(self, first: BddRelation, second: BddRelation) -> BddRelation:
        """Return the union."""
        return BddRelation(first.function | second.function, self.over)

    def extend(self, first: BddRelation, second: BddRelation) -> BddRelation:
        """Return the composition ∃ v''. first(v, v'') ∧ second(v'', v')."""
        left = rename(first.function, self._after_to_between)
        right = rename(second.function, self._before_to_between)
        return BddRelation(and_exists(left, right, self._between), self.over)

    def diff(self, new: BddRelation, old: BddRelation) -> BddRelation:
        """Return the pairs of `new` that `old` does not have."""
        return BddRelation(minus(new.function, old.function), self.over)

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` was made by this domain."""
        return isinstance(weight, BddRelation) and weight.over is self.over

    def projection(self, local_names: Iterable[str]) -> Callable[[BddRelation], BddRelation]:
        """Return project, which forgets what happened to the locals and leaves them as they are."""
        names = sorted(local_names)
        self._require(names)
        forgotten = self.store.cube([copy[name] for name in names for copy in (self.before, self.after)])
        kept = self.identity(names)

        def project(weight: BddRelation) -> BddRelation:
            return BddRelation(exists(weight.function, forgotten) & kept, self.over)

        return project

    def everything(self) -> BddRelation:
        """Return the relation that holds between any two valuations."""
        return BddRelation(self.store.true, self.over)

    def transpose(self, weight: BddRelation) -> BddRelation:
        """Return the relation with its sides exchanged."""
        return BddRelation(rename(weight.function, self._exchange), self.over)

    def diagonal(self, weight: BddRelation) -> BddRelation:
        """Return the part of the relation that is in the identity."""
        return BddRelation(weight.function & self.one.function, self.over)

    def tabulate(self, function: Callable[[BddRelation], BddRelation]) -> Bdd:
        """Return which pairs every single pair is mapped to by a function that distributes over union.

        The function is applied once, to the pairs of equal valuations of (before, tag) and of (after, other tag).
        """
        if not self.tagged:
            raise UsageError("this needs a relational domain made with tagged=True")
        var, tag = self.store.var, self._tags
        pairs = self.store.true
        for name in reversed(self.names):
            before, after = self.before[name], self.after[name]
            pairs &= ~(var(before) ^ var(tag[before])) & ~(var(after) ^ var(tag[after]))
        return function(BddRelation(pairs, self.over)).function

    def pull(self, table: Bdd, after: BddRelation) -> BddRelation:
        """Return the pairs that a tabulated function maps to some pair of `after`."""
        tags = and_exists(table, after.function, self.store.cube(self._tags))
        return BddRelation(
            rename(tags, self.store.renaming({tag: side for side, tag in self._tags.items()})), self.over
        )

    def _require(self, names: Iterable[str]) -> None:
        for name in names:
            if name not in self.before:
                raise UsageError(f"{name!r} is no variable of this relational domain")
