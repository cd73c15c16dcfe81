"""May-aliases of single-level pointers: which access expressions may name the same memory?

Lal (2009), section 3.5.3, after Landi and Ryder, repaired: a copy x = y keeps the pairs of *y; the binding of a call
generates no pair with an invisible expression out of nothing (such pairs follow from the reflexive pair of the actual,
which every statement generates); a pair is unordered, since aliasing is symmetric.

An access expression is a variable `v` or a dereference `*p`.  The expression "." stands for some expression that is not
visible in the procedure.  A weight maps each pair that may hold at the start of a path, and ⊥ (no pair assumed), to the
pairs that may then hold at its end; w(⊥) ⊆ w(x).  The single-level restriction makes that exact: no conclusion needs
two assumed pairs.

Notation: {a, b} a pair of access expressions, l a local one of the calling procedure, g a global one; row 0 of a weight
is w(⊥), row i + 1 is w of pair i; a row is a bit set of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from knaster.base.errors import UsageError
from knaster.base.records import dataclass, field
from knaster.pushdown.domains.bitmatrix import bits

INVISIBLE = "."
Pair = tuple[str, str]

SHOWN = 12  # pairs in a printed row


@dataclass(frozen=True, slots=True)
class AliasTransformer:
    """Conditional may-aliases; the infeasible transformer where there are no rows."""

    rows: tuple[int, ...]
    pairs: tuple[Pair, ...] = field(compare=False, repr=False)

    def aliases(self) -> frozenset[Pair]:
        """Return the pairs that may hold at the end when nothing is assumed at the start; none on no path."""
        return frozenset(self.pairs[number] for number in bits(self.rows[0])) if self.rows else frozenset()

    def __repr__(self) -> str:
        if not self.rows:
            return "0"
        parts = [f"⊥→{self._show(self.rows[0])}"]
        parts += [
            f"{'~'.join(pair)}→{self._show(row & ~self.rows[0])}"
            for pair, row in zip(self.pairs, self.rows[1:], strict=True)
            if row & ~self.rows[0]
        ]
        return f"[{', '.join(parts[:SHOWN])}{', …' if len(parts) > SHOWN else ''}]"

    def _show(self, row: int) -> str:
        shown = ["~".join(self.pairs[number]) for number in bits(row)]
        return f"{{{' '.join(shown[:SHOWN])}{' …' if len(shown) > SHOWN else ''}}}"


class PointerAliases:
    """Weights are conditional may-alias maps over variables, some of which are pointers."""

    def __init__(self, global_names: Iterable[str], local_names: Iterable[str], pointers: Iterable[str]) -> None:
        """Take the global and local variables, all with different names, and say which of them are pointers."""
        shared, own, self.pointers = tuple(global_names), tuple(local_names), frozenset(pointers)
        names = (*shared, *own)
        if len(set(names)) < len(names) or INVISIBLE in names or not self.pointers <= set(names):
            raise UsageError('variables need different names, none of them ".", and pointers must be variables')
        self.variables = names
        self.global_expressions = self.expressions(shared)
        every = (*sorted(self.expressions(names)), INVISIBLE)  # the dot is last, so every pair {a, .} starts with a
        self._expressions = frozenset(every)
        self.pairs = tuple(
            (first, second)
            for number, first in enumerate(every)
            for second in every[number:]
            if (first, second) != (INVISIBLE, INVISIBLE)
        )
        self._number = {pair: number for number, pair in enumerate(self.pairs)}
        self._number |= {(second, first): number for (first, second), number in self._number.items()}
        self.zero = AliasTransformer((), self.pairs)
        self.one = self._weight(lambda first, second: [(first, second)])
        self._between_globals = self._mask([p for p in self.pairs if self.global_expressions.issuperset(p)])
        self._outward = self._mask((shared, INVISIBLE) for shared in self.global_expressions)  # the pairs {g, .}

    def expressions(self, names: Iterable[str]) -> frozenset[str]:
        """Return the access expressions of some variables: their names, and the dereferences of pointers."""
        found = set(names)
        return frozenset(found | {f"*{name}" for name in found & self.pointers})

    # Statements.

    def start(self) -> AliasTransformer:
        """Return the weight of a program's entry: every expression is an alias of itself, nothing else is known."""
        return self._weight(lambda first, second: [(first, second)], generated=self._reflexive())

    def copy(self, target: str, source: str) -> AliasTransformer:
        """Return the weight of `target = source`, both pointers."""
        self._require_pointers(target, source)
        return self.start() if target == source else self._redirect(target, f"*{source}")

    def address_of(self, target: str, variable: str) -> AliasTransformer:
        """Return the weight of `target = &variable`."""
        self._require_pointers(target)
        self._require(variable)
        return self._redirect(target, variable)

    def forget(self, target: str) -> AliasTransformer:
        """Return the weight of `target = NULL` or of an allocation: nothing else has that address."""
        self._require_pointers(target)
        return self._redirect(target, None)

    def _redirect(self, target: str, source: str | None) -> AliasTransformer:
        """Return the weight of a statement that makes `*target` the same memory as `source`."""
        lost = f"*{target}"

        def after(first: str, second: str) -> list[Pair]:
            if lost in (first, second):
                return []
            firsts = [first, lost] if first == source else [first]
            seconds = [second, lost] if second == source else [second]
            return [(left, right) for left in firsts for right in seconds]

        generated = self._reflexive() + ([(lost, source)] if source else [])
        return self._weight(after, generated)

    # Calls.

    def bind(self, formals: Mapping[str, str]) -> AliasTransformer:
        """Return the weight of a call (Figure 3.6, repaired) that binds pointer formals to actuals.

        Only globals are visible on both sides: in a recursive call the caller's locals are other variables.
        """
        self._require_pointers(*formals, *formals.values())
        passed: dict[str, list[str]] = {}
        for formal, actual in sorted(formals.items()):
            if f"*{formal}" in self.global_expressions:
                raise UsageError(f"the formal {formal!r} is a global variable")
            passed.setdefault(f"*{actual}", []).append(f"*{formal}")

        def inside(expression: str) -> list[str]:
            visible = expression if expression in self.global_expressions else INVISIBLE
            return [visible, *passed.get(expression, [])]

        def after(first: str, second: str) -> list[Pair]:
            found = ((left, right) for left in inside(first) for right in inside(second))
            return [pair for pair in found if pair != (INVISIBLE, INVISIBLE)]

        generated = self._reflexive()
        for actual, bound in passed.items():
            generated += [(left, right) for left in bound for right in bound]
            if actual in self.global_expressions:
                generated += [(actual, formal) for formal in bound]
        return self._weight(after, generated)

    def merge(
        self, call: AliasTransformer, caller_locals: Iterable[str]
    ) -> Callable[[AliasTransformer, AliasTransformer], AliasTransformer]:
        """Return the merge function of a call with the given binding, made by a procedure with the given locals.

        The four terms of the thesis are one sum over the pairs {a, b} that hold at the call: what is local on both
        sides stays; what leads to a pair of globals is kept; a pair {g, .} at the exit that comes from {a, l} becomes
        {g, l}; one that comes from nothing may mean any local.  Path extension holds: every term is linear in the
        caller's rows.
        """
        self._require(*(caller_locals := tuple(caller_locals)))
        local = self.expressions(caller_locals) | {INVISIBLE}
        stays = self._mask([pair for pair in self.pairs if local.issuperset(pair)])

        def at_return(reached: int, names: Iterable[str]) -> int:
            """Return the pairs of globals of `reached`, and its pairs {g, .} with each of `names` for the dot."""
            kept = reached & self._between_globals
            for number in bits(reached & self._outward):
                kept |= self._mask((self.pairs[number][0], name) for name in names)
            return kept

        def merge(caller: AliasTransformer, callee: AliasTransformer) -> AliasTransformer:
            if not caller.rows or not callee.rows:
                return self.zero
            through = self.extend(call, callee).rows
            effect = [
                at_return(reached, local.intersection(pair)) | stays & 1 << number
                for number, (pair, reached) in enumerate(zip(self.pairs, through[1:], strict=True))
            ]
            return self._make(images(caller.rows, effect, at_return(through[0], local)))

        return merge

    # The semiring.

    def combine(self, first: AliasTransformer, second: AliasTransformer) -> AliasTransformer:
        """Return the pointwise union."""
        if not first.rows or not second.rows:
            return first if first.rows else second
        return self._make([left | right for left, right in zip(first.rows, second.rows, strict=True)])

    def extend(self, first: AliasTransformer, second: AliasTransformer) -> AliasTransformer:
        """Return `first` followed by `second`: w2(⊥) and everything that follows from a pair of w1."""
        if not first.rows or not second.rows:
            return self.zero
        return self._make(images(first.rows, second.rows[1:], second.rows[0]))

    def diff(self, new: AliasTransformer, old: AliasTransformer) -> AliasTransformer:
        """Return the pointwise difference, closed under w(⊥) ⊆ w(x); 0 where nothing is new."""
        if not old.rows or not new.rows:
            return new
        rows = [left & ~right for left, right in zip(new.rows, old.rows, strict=True)]
        return self._close(rows) if any(rows) else self.zero

    def owns(self, weight: object) -> bool:
        """Tell whether `weight` is an alias map over the expressions of this domain."""
        if not isinstance(weight, AliasTransformer) or weight.pairs != self.pairs:
            return False
        rows = weight.rows
        return not rows or (len(rows) == len(self.pairs) + 1 and all(rows[0] & ~row == 0 for row in rows))

    # Making weights.

    def _weight(self, after: Callable[[str, str], Iterable[Pair]], generated: Iterable[Pair] = ()) -> AliasTransformer:
        return self._close([self._mask(generated)] + [self._mask(after(*pair)) for pair in self.pairs])

    def _close(self, rows: list[int]) -> AliasTransformer:
        return self._make([row | rows[0] for row in rows])

    def _make(self, rows: list[int]) -> AliasTransformer:
        return AliasTransformer(tuple(rows), self.pairs)

    def _mask(self, pairs: Iterable[Pair]) -> int:
        mask = 0
        for pair in pairs:
            mask |= 1 << self._number[pair]
        return mask

    def _reflexive(self) -> list[Pair]:
        return [pair for pair in self.pairs if pair[0] == pair[1]]

    def _require(self, *names: str) -> None:
        for name in names:
            if name not in self.variables:
                raise UsageError(f"{name!r} is no variable of this alias domain")

    def _require_pointers(self, *names: str) -> None:
        self._require(*names)
        for name in names:
            if name not in self.pointers:
                raise UsageError(f"{name!r} is no pointer of this alias domain")


def images(rows: tuple[int, ...], effect: Sequence[int], always: int) -> list[int]:
    """Return for every row what follows from its pairs, and from none.  The first row is contained in all others."""
    assumed = rows[0]
    for number in bits(assumed):
        always |= effect[number]
    images = []
    for row in rows:
        image = always
        for number in bits(row & ~assumed):
            image |= effect[number]
        images.append(image)
    return images
