"""Copy-constant propagation: which variables always hold which constant?

Lal (2009), sections 2.1.2 and 3.1; the scope change is the merge function of section 3.1 with the call inside and with
every variable but the globals restored: merge(w1, w2) = w1 · project(call · w2).

An environment gives each variable an integer or ⊤ (not a constant); an infeasible one is None.  A transformer is 0, or
maps each variable to ⊤ or to c ⊔ e(v1) ⊔ … ⊔ e(vk): an optional constant and a set of variables read from the
environment e before, not both missing.  Different normal forms are different functions.

Notation: [y→2|a] gives y the join of 2 and the old value of a and leaves all other variables alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum

from knaster.base.errors import UsageError
from knaster.base.records import dataclass, field
from knaster.pushdown.domains.bitmatrix import bits
from knaster.pushdown.semiring import star_by_squaring


class Top(Enum):
    """The one value that is not a constant."""

    TOP = "⊤"

    def __repr__(self) -> str:
        return "⊤"


TOP = Top.TOP
Value = int | Top
Environment = dict[str, Value]
Source = int | str | Top  # a constant, a variable to copy, or anything


@dataclass(frozen=True, slots=True)
class Join:
    """c ⊔ e(v1) ⊔ …: an optional constant and the variables of a bit mask; ⊤ is the `Join` that `TOP_JOIN` is."""

    constant: int | Top | None
    variables: int

    def __or__(self, other: Join) -> Join:
        if self.constant is TOP or other.constant is TOP:
            return TOP_JOIN
        if self == other:
            return self
        if self.constant is None or other.constant is None or self.constant == other.constant:
            constant = other.constant if self.constant is None else self.constant
            return Join(constant, self.variables | other.variables)
        return TOP_JOIN


TOP_JOIN = Join(TOP, 0)


@dataclass(frozen=True, slots=True)
class ConstantTransformer:
    """One `Join` per variable; the infeasible transformer where there are none at all."""

    entries: tuple[Join, ...] | None
    variables: tuple[str, ...] = field(compare=False)

    def apply(self, environment: Mapping[str, Value]) -> Environment | None:
        """Return the environment afterwards, None where the path is infeasible."""
        if self.entries is None:
            return None
        before = [Join(environment[name], 0) for name in self.variables]
        return {name: _value(entry, before) for name, entry in zip(self.variables, self.entries, strict=True)}

    def __repr__(self) -> str:
        if self.entries is None:
            return "0"
        changed = [
            f"{name}→{self._show(entry)}"
            for number, (name, entry) in enumerate(zip(self.variables, self.entries, strict=True))
            if entry != Join(None, 1 << number)
        ]
        return f"[{', '.join(changed)}]" if changed else "id"

    def _show(self, entry: Join) -> str:
        parts = [] if entry.constant is None else [f"{entry.constant!r}"]
        return "|".join(parts + [self.variables[number] for number in bits(entry.variables)])


class CopyConstants:
    """Weights are environment transformers built from x := constant, x := y and x := anything."""

    def __init__(self, variables: Iterable[str]) -> None:
        self.variables = tuple(variables)
        self._index = {name: number for number, name in enumerate(self.variables)}
        if len(self._index) < len(self.variables):
            raise UsageError("the variables of a constant-propagation domain must be distinct")
        self.zero = ConstantTransformer(None, self.variables)
        self.one = self._make(Join(None, 1 << number) for number in range(len(self.variables)))

    def assign(self, values: Mapping[str, Source | tuple[Source, ...]]) -> ConstantTransformer:
        """Return the simultaneous assignment; a tuple is the join of its sources."""
        assert self.one.entries is not None
        entries = list(self.one.entries)
        for name, value in values.items():
            sources = value if isinstance(value, tuple) else (value,)
            if not sources:
                raise UsageError(f"the assignment to {name!r} has no source")
            entry = self._source(sources[0])
            for source in sources[1:]:
                entry |= self._source(source)
            entries[self._number(name)] = entry
        return self._make(entries)

    def unknown(self) -> Environment:
        """Return the environment in which no variable is known to be constant: all are uninitialised."""
        return dict.fromkeys(self.variables, TOP)

    def combine(self, first: ConstantTransformer, second: ConstantTransformer) -> ConstantTransformer:
        """Return the pointwise join."""
        if first.entries is None:
            return second
        if second.entries is None or first.entries == second.entries:
            return first
        pairs = zip(first.entries, second.entries, strict=True)
        return self._make([left if left is right else left | right for left, right in pairs])

    def extend(self, first: ConstantTransformer, second: ConstantTransformer) -> ConstantTransformer:
        """Return `first` followed by `second`: what `second` reads is substituted."""
        if first.entries is None or second.entries is None:
            return self.zero
        before = first.entries
        return self._make([_substitute(entry, before) for entry in second.entries])

    def star(self, weight: ConstantTransformer) -> ConstantTransformer:
        """Return 1 + w + w·w + …, by squaring."""
        return star_by_squaring(self, weight)

    def diff(self, new: ConstantTransformer, old: ConstantTransformer) -> ConstantTransformer:
        """Return `new` without the sources that `old` already has; 0 where nothing is left."""
        if old.entries is None or new.entries is None:
            return new
        if self.combine(old, new) == old:
            return self.zero
        return self._make(_remainder(left, right) for left, right in zip(new.entries, old.entries, strict=True))

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a transformer of this domain's variables."""
        return isinstance(weight, ConstantTransformer) and weight.variables == self.variables

    def projection(self, global_names: Iterable[str]) -> Callable[[ConstantTransformer], ConstantTransformer]:
        """Return project, which keeps the effect on globals and leaves every other variable alone."""
        names = tuple(global_names)
        return lambda weight: self.update(self.one, weight, names)

    def update(
        self, first: ConstantTransformer, second: ConstantTransformer, names: Iterable[str]
    ) -> ConstantTransformer:
        """Return λe. first(e) with the values of `names` taken from second(e); 0 where one of the two is 0."""
        if first.entries is None or second.entries is None:
            return self.zero
        taken = {self._number(name) for name in names}
        pairs = zip(first.entries, second.entries, strict=True)
        return self._make(right if number in taken else left for number, (left, right) in enumerate(pairs))

    def _make(self, entries: Iterable[Join]) -> ConstantTransformer:
        return ConstantTransformer(tuple(entries), self.variables)

    def _source(self, source: Source) -> Join:
        return Join(None, 1 << self._number(source)) if isinstance(source, str) else Join(source, 0)

    def _number(self, name: str) -> int:
        try:
            return self._index[name]
        except KeyError:
            raise UsageError(f"{name!r} is no variable of this constant-propagation domain") from None


def join_environments(first: Environment | None, second: Environment | None) -> Environment | None:
    """Return the pointwise join of two environments; an infeasible one adds nothing."""
    if first is None or second is None:
        return second if first is None else first
    return {name: value if value == second[name] else TOP for name, value in first.items()}


def _substitute(entry: Join, before: Sequence[Join]) -> Join:
    variables = entry.variables
    if not variables:
        return entry
    if entry.constant is None and variables & variables - 1 == 0:  # a copy: the common case
        return before[variables.bit_length() - 1]
    result = None if entry.constant is None else Join(entry.constant, 0)
    for number in bits(variables):
        result = before[number] if result is None else result | before[number]
    assert result is not None
    return result


def _value(entry: Join, before: list[Join]) -> Value:
    value = _substitute(entry, before).constant
    assert value is not None
    return value


def _remainder(new: Join, old: Join) -> Join:
    """Return a part of `new` with old | part = old | new; all of it where nothing can be left out."""
    fresh = new.variables & ~old.variables
    constant = None if new.constant == old.constant else new.constant
    return Join(constant, fresh) if constant is not None or fresh else new
