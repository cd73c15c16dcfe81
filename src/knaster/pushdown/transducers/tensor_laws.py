"""The laws of tensor products, tried on samples.

Lal (PhD thesis, University of Wisconsin, 2009), Definitions 6.5.1 and 6.5.4, with the laws of the product as a domain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from typing import Any, TypeVar

from knaster.pushdown.laws import Violation
from knaster.pushdown.semiring import Semiring
from knaster.pushdown.transducers.tensors import TensorPower

W = TypeVar("W")


def check_tensor(base: Semiring[W], power: TensorPower[W, Any], samples: Sequence[W]) -> list[Violation]:
    """Return the laws of tensor products that break on `samples`, the first case of each.

    Every law is tried on all pairs of tuples of samples, so few samples and few factors are enough.
    """
    plus, times = power.domain.combine, power.domain.extend
    tensor, transpose = power.tensor, power.transpose

    def product_of(weights: Sequence[W]) -> W:
        return reduce(base.extend, weights)

    def alternate(weights: Sequence[W]) -> list[W]:
        return [transpose(weight) if position % 2 else weight for position, weight in enumerate(weights)]

    def pairwise(first: Sequence[W], second: Sequence[W]) -> list[W]:
        return [base.extend(a, b) for a, b in zip(first, second, strict=True)]

    def linear(function: Callable[[Any], W]) -> tuple[Callable[..., Any], Callable[..., Any]]:
        return (
            lambda a, b: function(plus(tensor(a), tensor(b))),
            lambda a, b: base.combine(function(tensor(a)), function(tensor(b))),
        )

    laws: list[tuple[str, Callable[..., Any], Callable[..., Any]]] = [
        ("⊙a · ⊙b = ⊙(a·b)", lambda a, b: times(tensor(a), tensor(b)), lambda a, b: tensor(pairwise(a, b))),
        ("detensor(⊙a) = a1 · … · an", lambda a, b: power.detensor(tensor(a)), lambda a, b: product_of(a)),
        ("detensor(⊙a + ⊙b) = detensor(⊙a) + detensor(⊙b)", *linear(power.detensor)),
        (
            "detensor_transposed(⊙a) = a1 · a2ᵗ · a3 · …",
            lambda a, b: power.detensor_transposed(tensor(a)),
            lambda a, b: product_of(alternate(a)),
        ),
        ("detensor_transposed is linear", *linear(power.detensor_transposed)),
        (
            "(a·b)ᵗ = bᵗ · aᵗ",
            lambda a, b: transpose(base.extend(a[0], b[0])),
            lambda a, b: base.extend(transpose(b[0]), transpose(a[0])),
        ),
        ("aᵗᵗ = a", lambda a, b: transpose(transpose(a[0])), lambda a, b: a[0]),
        ("⊙1 = 1", lambda a, b: tensor([base.one] * power.count), lambda a, b: power.domain.one),
    ]
    tuples = list(product(samples, repeat=power.count))
    found = []
    for text, left, right in laws:
        for a, b in product(tuples, tuples):
            if left(a, b) != right(a, b):
                found.append(Violation(text, (a, b), left(a, b), right(a, b)))
                break
    return found
