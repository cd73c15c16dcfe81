"""Weights: bounded idempotent semirings, and what a domain may offer beyond them.  `laws.py` checks their laws.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
Definition 2.4.1; the difference operator and its axioms (4.1) and (4.3) are from section 4.2.2, Kleene star from
Figure 4.5.

Notation: + combine (join of alternatives), · extend (the left operand happens first), 0 and 1 their units, ⊑ the order
b ⊑ a iff a + b = a, * Kleene star, ∸ difference.

A domain is an object with `zero`, `one`, `combine` and `extend`; ten lines are enough:

    class MinPath:
        zero = float("inf")
        one = 0.0
        def combine(self, a: float, b: float) -> float:
            return min(a, b)
        def extend(self, a: float, b: float) -> float:
            return a + b

Weights are compared with `==`, which must mean "the same function", and are never changed in place.  Every ascending
chain must be finite.  A domain in which · does not distribute over + but is monotone may be used as well: answers are
then safe over-approximations; such a domain says so with `distributive = False`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar, runtime_checkable

from knaster.base.errors import UsageError

W = TypeVar("W")

STAR_ROUNDS = 6  # after which a star that is still growing is squared: loops that count go round very often
STAR_STEPS = 100_000  # no chain 1, 1 + w, 1 + w + w·w, … of a bounded domain in use is longer
STAR_SQUARES = 64  # enough for a chain of 2^64 weights


class Semiring(Protocol[W]):
    """A bounded idempotent semiring: + is a join, · distributes over it, 0 annihilates."""

    @property
    def zero(self) -> W:
        """The unit of combine: no path at all."""
        ...

    @property
    def one(self) -> W:
        """The unit of extend: the empty path."""
        ...

    def combine(self, first: W, second: W, /) -> W:
        """Return first + second, the weight of two alternatives."""
        ...

    def extend(self, first: W, second: W, /) -> W:
        """Return first · second, the weight of `first` followed by `second`."""
        ...


@runtime_checkable
class OffersStar(Protocol[W]):
    """A domain that knows a better Kleene star than iteration."""

    def star(self, weight: W, /) -> W:
        """Return 1 + w + w·w + …"""
        ...


@runtime_checkable
class OffersDifference(Protocol[W]):
    """A domain that can tell what is new in a weight."""

    def diff(self, new: W, old: W, /) -> W:
        """Return new ∸ old with old + (new ∸ old) = old + new, and new ∸ old = 0 iff new ⊑ old."""
        ...


@runtime_checkable
class OffersMembership(Protocol):
    """A domain that recognises its own weights."""

    def owns(self, weight: object, /) -> bool:
        """Tell whether `weight` belongs to this domain."""
        ...


def is_below(domain: Semiring[W], lower: W, upper: W) -> bool:
    """Tell whether lower ⊑ upper, that is upper + lower = upper."""
    return domain.combine(upper, lower) == upper


def is_distributive(domain: object) -> bool:
    """Tell whether the domain claims that extend distributes over combine; it does unless it says otherwise."""
    return bool(getattr(domain, "distributive", True))


def difference(domain: Semiring[W], new: W, old: W) -> W:
    """Return new ∸ old: the domain's own, or all of `new` unless it is below `old`."""
    diff: Callable[[W, W], W] | None = getattr(domain, "diff", None)  # in hot loops: isinstance of a protocol is slow
    if diff is not None:
        return diff(new, old)
    return domain.zero if is_below(domain, new, old) else new


def star(domain: Semiring[W], weight: W) -> W:
    """Return w* = 1 + w + w·w + …: the domain's own, or by differences and, if that takes long, by squaring.

    Raise `UsageError` if it never ends.
    """
    own: Callable[[W], W] | None = getattr(domain, "star", None)
    if own is not None:
        return own(weight)
    total = delta = domain.one
    for _ in range(STAR_ROUNDS):
        longer = domain.extend(delta, weight)
        delta = difference(domain, longer, total)
        if delta == domain.zero:
            return total
        total = domain.combine(total, longer)
    return star_by_squaring(domain, total)


def star_by_differences(domain: Semiring[W], weight: W) -> W:
    """Return w* as in Figure 4.5: extend only what is new by one more round."""
    total = delta = domain.one
    for _ in range(STAR_STEPS):
        if delta == domain.zero:
            return total
        longer = domain.extend(delta, weight)
        delta = difference(domain, longer, total)
        total = domain.combine(total, longer)
    raise _unbounded_error(domain, STAR_STEPS)


def star_by_squaring(domain: Semiring[W], weight: W) -> W:
    """Return w* by squaring 1 + w until it is stable: about log n extends where w* = 1 + … + wⁿ."""
    total = domain.combine(domain.one, weight)
    for _ in range(STAR_SQUARES):
        square = domain.extend(total, total)
        if square == total:
            return total
        total = square
    raise _unbounded_error(domain, STAR_SQUARES)


def _unbounded_error(domain: object, steps: int) -> UsageError:
    return UsageError(
        f"1 + w + w·w + … is not stable after {steps} steps: the domain {type(domain).__name__} is not bounded, "
        "or one of its laws does not hold (check_laws tells which)"
    )


def require_weight(domain: Semiring[W], weight: W) -> W:
    """Return `weight`; raise `UsageError` where it is not a weight of `domain`.

    A domain with `owns` decides; for any other, 0 + w = w and 1 · w = w must hold.
    """
    name = type(domain).__name__
    owns: Callable[[W], bool] | None = getattr(domain, "owns", None)  # for each rule: isinstance of a protocol is slow
    if owns is not None:
        if not owns(weight):
            raise UsageError(f"{weight!r} is no weight of the domain {name}")
        return weight
    try:
        same = domain.combine(domain.zero, weight) == weight and domain.extend(domain.one, weight) == weight
    except Exception as error:
        raise UsageError(f"{weight!r} is no weight of the domain {name}: {error}") from error
    if not same:
        raise UsageError(f"{weight!r} is no weight of the domain {name}: 0 + w = w and 1 · w = w do not both hold")
    return weight
