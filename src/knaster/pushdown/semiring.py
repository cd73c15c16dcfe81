"""Weights: bounded idempotent semirings, what a domain may offer beyond them, and a check of their laws.

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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product as tuples
from typing import Any, Protocol, TypeVar, runtime_checkable

from knaster.errors import UsageError

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
    raise _unbounded(domain, STAR_STEPS)


def star_by_squaring(domain: Semiring[W], weight: W) -> W:
    """Return w* by squaring 1 + w until it is stable: about log n extends where w* = 1 + … + wⁿ."""
    total = domain.combine(domain.one, weight)
    for _ in range(STAR_SQUARES):
        square = domain.extend(total, total)
        if square == total:
            return total
        total = square
    raise _unbounded(domain, STAR_SQUARES)


def _unbounded(domain: object, steps: int) -> UsageError:
    return UsageError(
        f"1 + w + w·w + … is not stable after {steps} steps: the domain {type(domain).__name__} is not bounded, "
        "or one of its laws does not hold (check_laws tells which)"
    )


def require_weight(domain: Semiring[W], weight: W) -> W:
    """Return `weight`; raise `UsageError` where it is not a weight of `domain`.

    A domain with `owns` decides; for any other, 0 + w = w and 1 · w = w must hold.
    """
    name = type(domain).__name__
    if isinstance(domain, OffersMembership):
        if not domain.owns(weight):
            raise UsageError(f"{weight!r} is no weight of the domain {name}")
        return weight
    try:
        same = domain.combine(domain.zero, weight) == weight and domain.extend(domain.one, weight) == weight
    except Exception as error:
        raise UsageError(f"{weight!r} is no weight of the domain {name}: {error}") from error
    if not same:
        raise UsageError(f"{weight!r} is no weight of the domain {name}: 0 + w = w and 1 · w = w do not both hold")
    return weight


@dataclass(frozen=True, slots=True)
class Violation:
    """A law that fails on some values: `left` and `right` should be equal; `error` where computing them raised."""

    law: str
    values: tuple[Any, ...]
    left: Any = None
    right: Any = None
    error: str = ""

    def __str__(self) -> str:
        shown = ", ".join(f"{name} = {value!r}" for name, value in zip("abc", self.values, strict=False))
        outcome = f"raises {self.error}" if self.error else f"{self.left!r} ≠ {self.right!r}"
        return f"{self.law} fails for {shown}: {outcome}"


@dataclass(frozen=True, slots=True)
class Law:
    """An equation between two functions of one, two or three weights."""

    text: str
    arity: int
    left: Callable[..., Any]
    right: Callable[..., Any]


def check_laws(domain: Semiring[W], samples: Sequence[W], *, per_law: int = 1, steps: int = 10_000) -> list[Violation]:
    """Return the laws that break on `samples`, at most `per_law` cases of each, in the order of the samples.

    Every law is tried on all tuples of samples, so n samples cost n³ evaluations.  `steps` bounds the length of the
    chain 1, 1 + a, 1 + a + a·a, … in which every weight must stabilise.
    """
    return [
        violation
        for law in (*_laws(domain), *_offered_laws(domain, steps))
        for _, violation in zip(range(per_law), _violations(law, samples), strict=False)
    ]


def _violations(law: Law, samples: Sequence[Any]) -> Iterator[Violation]:
    for values in tuples(samples, repeat=law.arity):
        try:
            left, right = law.left(*values), law.right(*values)
            if left == right:
                continue
        except Exception as error:
            yield Violation(law.text, values, error=f"{type(error).__name__}: {error}")
        else:
            yield Violation(law.text, values, left, right)


def _laws(domain: Semiring[Any]) -> list[Law]:
    """The axioms of an idempotent semiring (Definition 2.4.1)."""
    zero, one, plus, times = domain.zero, domain.one, domain.combine, domain.extend
    laws = [
        Law("a + b = b + a", 2, plus, lambda a, b: plus(b, a)),
        Law("(a + b) + c = a + (b + c)", 3, lambda a, b, c: plus(plus(a, b), c), lambda a, b, c: plus(a, plus(b, c))),
        Law("a + a = a", 1, lambda a: plus(a, a), lambda a: a),
        Law("a + 0 = a", 1, lambda a: plus(a, zero), lambda a: a),
        Law(
            "(a · b) · c = a · (b · c)", 3, lambda a, b, c: times(times(a, b), c), lambda a, b, c: times(a, times(b, c))
        ),
        Law("1 · a = a", 1, lambda a: times(one, a), lambda a: a),
        Law("a · 1 = a", 1, lambda a: times(a, one), lambda a: a),
        Law("0 · a = 0", 1, lambda a: times(zero, a), lambda a: zero),
        Law("a · 0 = 0", 1, lambda a: times(a, zero), lambda a: zero),
    ]
    if is_distributive(domain):
        laws += [
            Law(
                "a · (b + c) = a · b + a · c",
                3,
                lambda a, b, c: times(a, plus(b, c)),
                lambda a, b, c: plus(times(a, b), times(a, c)),
            ),
            Law(
                "(a + b) · c = a · c + b · c",
                3,
                lambda a, b, c: times(plus(a, b), c),
                lambda a, b, c: plus(times(a, c), times(b, c)),
            ),
        ]
    else:
        laws += _monotone_laws(domain)
    return laws


def _monotone_laws(domain: Semiring[Any]) -> list[Law]:
    """What is left of distributivity in a domain that gives it up: extend is monotone in each argument."""
    plus, times = domain.combine, domain.extend

    def absorbs(whole: Any, part: Any) -> Any:
        return plus(whole, part)

    return [
        Law(
            "a · b ⊑ a · (b + c)",
            3,
            lambda a, b, c: absorbs(times(a, plus(b, c)), times(a, b)),
            lambda a, b, c: times(a, plus(b, c)),
        ),
        Law(
            "a · c ⊑ (a + b) · c",
            3,
            lambda a, b, c: absorbs(times(plus(a, b), c), times(a, c)),
            lambda a, b, c: times(plus(a, b), c),
        ),
    ]


def _offered_laws(domain: Semiring[Any], steps: int) -> list[Law]:
    """The laws of what the domain offers: finite chains, star, difference, membership, hashing."""
    zero, one, plus, times = domain.zero, domain.one, domain.combine, domain.extend

    def closure(weight: Any) -> Any:
        total = one
        for _ in range(steps):
            longer = plus(one, times(total, weight))
            if longer == total:
                return total
            total = longer
        raise ArithmeticError(f"not stable after {steps} steps")

    laws = [Law("1 + a + a · a + … is finite", 1, closure, closure)]
    if isinstance(domain, OffersStar):
        laws.append(Law("a* = 1 + a + a · a + …", 1, domain.star, closure))
    if isinstance(domain, OffersDifference):
        minus = domain.diff
        laws += [
            Law("a + (b ∸ a) = a + b", 2, lambda a, b: plus(a, minus(b, a)), plus),
            Law("b ∸ a = 0 iff a + b = a", 2, lambda a, b: minus(b, a) == zero, lambda a, b: plus(a, b) == a),
        ]
    if isinstance(domain, OffersMembership):
        laws.append(Law("a belongs to the domain", 1, domain.owns, lambda a: True))
    if type(one).__hash__ is not None:
        laws.append(
            Law("equal weights have equal hashes", 2, lambda a, b: a != b or hash(a) == hash(b), lambda a, b: True)
        )
    return laws
