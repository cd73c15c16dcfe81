"""Merge functions: how a caller's weight and its callee's weight become the weight at the return site.

Lal, Interprocedural Analysis and the Verification of Concurrent Programs (PhD thesis, University of Wisconsin, 2009),
Definitions 3.1.2 and 3.1.3, section 3.2.3.  Repaired: the weight f(r) of the call rule is *not* handed to a merge
function, so a merge that needs it has to hold it (specification E4, E6, E8).

Notation: g(a, b) the merge of a caller's weight a, from the entry of its procedure up to the call, and a callee's
weight b, from its entry to its return inclusive.  Laws: g(0, b) = g(a, 0) = 0; g distributes over + in each argument;
and *path extension*, g(a·b, c) = a·g(b, c).  A merge without path extension is *relaxed*: post* still answers, pre*
refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Generic, TypeVar

from knaster.base.records import dataclass
from knaster.pushdown.laws import Violation
from knaster.pushdown.semiring import Semiring

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class Merge(Generic[W]):
    """A merge function, and whether it satisfies path extension."""

    function: Callable[[W, W], W]
    path_extension: bool = True

    def __call__(self, caller: W, callee: W) -> W:
        """Return the weight at the return site."""
        return self.function(caller, callee)


def projecting_merge(domain: Semiring[W], call: W, project: Callable[[W], W]) -> Merge[W]:
    """Return g(a, b) = a · project(call · b): what the callee did to locals of its own is forgotten.

    Requires: project(0) = 0 and project(a + b) = project(a) + project(b).  Path extension then holds.
    """

    def merge(caller: W, callee: W) -> W:
        return domain.extend(caller, project(domain.extend(call, callee)))

    return Merge(merge)


def check_merge(domain: Semiring[W], merge: Merge[W], samples: Sequence[W]) -> list[Violation]:
    """Return the laws of Definition 3.1.2 that break on `samples`, one case of each; path extension only if claimed."""
    found: dict[str, Violation] = {}

    def expect(law: str, values: tuple[W, ...], left: W, right: W) -> None:
        if left != right:
            found.setdefault(law, Violation(law, values, left, right))

    plus, times, zero = domain.combine, domain.extend, domain.zero
    for a in samples:
        expect("g(0, a) = 0", (a,), merge(zero, a), zero)
        expect("g(a, 0) = 0", (a,), merge(a, zero), zero)
    for a, b, c in product(samples, repeat=3):
        expect("g(a + b, c) = g(a, c) + g(b, c)", (a, b, c), merge(plus(a, b), c), plus(merge(a, c), merge(b, c)))
        expect("g(a, b + c) = g(a, b) + g(a, c)", (a, b, c), merge(a, plus(b, c)), plus(merge(a, b), merge(a, c)))
        if merge.path_extension:
            expect("g(a · b, c) = a · g(b, c)", (a, b, c), merge(times(a, b), c), times(a, merge(b, c)))
    return list(found.values())
