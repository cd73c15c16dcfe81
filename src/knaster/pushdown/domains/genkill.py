"""Gen/kill problems: each fact is killed, left alone or generated.

The classical bit-vector frameworks (live variables, reaching definitions, available expressions).  A transformer is
S ↦ (S ∩ keep) ∪ gen, kept in the normal form gen ⊆ keep, so that equal functions are equal weights.  In a *may* problem
alternatives are joined by union (kill < leave < generate), in a *must* problem by intersection (the other way round).
"""

from __future__ import annotations

from collections.abc import Iterable

from knaster.base.errors import UsageError
from knaster.base.records import dataclass, field
from knaster.pushdown.domains.bitmatrix import bits


@dataclass(frozen=True, slots=True)
class GenKillTransformer:
    """S ↦ (S ∩ keep) ∪ gen, sets of facts being bit masks; the infeasible transformer where `feasible` is false."""

    keep: int
    gen: int
    feasible: bool = True
    facts: tuple[str, ...] = field(default=(), compare=False)

    def apply(self, facts: Iterable[str]) -> frozenset[str] | None:
        """Return the facts that hold afterwards, None where the path is infeasible."""
        if not self.feasible:
            return None
        given = frozenset(facts)
        return frozenset(
            fact
            for number, fact in enumerate(self.facts)
            if self.gen >> number & 1 or (self.keep >> number & 1 and fact in given)
        )

    def __repr__(self) -> str:
        if not self.feasible:
            return "0"
        killed = ~self.keep & ((1 << len(self.facts)) - 1)
        changes = [f"+{self.facts[number]}" for number in bits(self.gen)]
        changes += [f"-{self.facts[number]}" for number in bits(killed)]
        return f"[{' '.join(changes) or 'id'}]"


class GenKill:
    """Weights are gen/kill transformers on `facts`; alternatives join by union, or by intersection where `must`."""

    def __init__(self, facts: Iterable[str], must: bool = False) -> None:
        self.facts = tuple(facts)
        if len(set(self.facts)) < len(self.facts):
            raise UsageError("the facts of a gen/kill domain must be distinct")
        self.must = must
        self._all = (1 << len(self.facts)) - 1
        self.zero = GenKillTransformer(0, 0, False, self.facts)
        self.one = self._make(self._all, 0)

    def transformer(self, gen: Iterable[str] = (), kill: Iterable[str] = ()) -> GenKillTransformer:
        """Return the transformer that kills first and generates then."""
        generated = self._mask(gen)
        return self._make(self._all & ~self._mask(kill) | generated, generated)

    def combine(self, first: GenKillTransformer, second: GenKillTransformer) -> GenKillTransformer:
        """Return the join of two alternatives, fact by fact."""
        if not first.feasible:
            return second
        if not second.feasible:
            return first
        if self.must:
            return self._make(first.keep & second.keep, first.gen & second.gen)
        return self._make(first.keep | second.keep, first.gen | second.gen)

    def extend(self, first: GenKillTransformer, second: GenKillTransformer) -> GenKillTransformer:
        """Return `first` followed by `second`."""
        if not (first.feasible and second.feasible):
            return self.zero
        gen = first.gen & second.keep | second.gen
        return self._make(first.keep & second.keep | gen, gen)

    def star(self, weight: GenKillTransformer) -> GenKillTransformer:
        """Return 1 + w: a second round changes nothing."""
        return self.combine(self.one, weight)

    def diff(self, new: GenKillTransformer, old: GenKillTransformer) -> GenKillTransformer:
        """Return `new` for the facts on which it is above `old`, the least value for the others."""
        if self.combine(old, new) == old:
            return self.zero
        if not old.feasible:
            return new
        if self.must:
            others = self._all & ~(old.keep & ~new.keep | old.gen & ~new.gen)
            return self._make(new.keep | others, new.gen | others)
        above = new.keep & ~old.keep | new.gen & ~old.gen
        return self._make(new.keep & above, new.gen & above)

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is a transformer in normal form on the facts of this domain."""
        return isinstance(weight, GenKillTransformer) and weight.facts == self.facts and weight.gen & ~weight.keep == 0

    def _make(self, keep: int, gen: int) -> GenKillTransformer:
        return GenKillTransformer(keep, gen, True, self.facts)

    def _mask(self, facts: Iterable[str]) -> int:
        mask = 0
        for fact in facts:
            if fact not in self.facts:
                raise UsageError(f"{fact!r} is no fact of this gen/kill domain")
            mask |= 1 << self.facts.index(fact)
        return mask
