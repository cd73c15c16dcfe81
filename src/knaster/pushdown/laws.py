"""The laws of a weight domain, tried on samples: which one breaks, on which values.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
Definition 2.4.1; the axioms (4.1) and (4.3) of the difference operator are from section 4.2.2.  The notation is that
of `semiring.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product as tuples
from typing import Any, TypeVar

from knaster.base.records import dataclass
from knaster.pushdown.semiring import OffersDifference, OffersMembership, OffersStar, Semiring, is_distributive

W = TypeVar("W")


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
