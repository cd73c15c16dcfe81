"""Fair cycles of threads on sets: what no fair accepted run can stay in is taken away until nothing changes.

E. A. Emerson and C.-L. Lei, Efficient model checking in fragments of the propositional mu-calculus (LICS 1986); strong
fairness as in Y. Kesten, A. Pnueli and L. Raviv, Algorithmic verification of linear temporal logic specifications
(ICALP 1998).  One condition after the other, each on what the others have left: this is the same fixed point.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.bdd.store import Bdd, minus
from knaster.engines.threads.states.product import Sets, ThreadSets
from knaster.evidence.proofs.threads.fair_sets import ACCEPTS, ANSWERS, MOVES, OUTSIDE, Removal, Site

Reason = tuple[str, int]


def reasons_of(fair: str, threads: int) -> list[Reason]:
    """Return the conditions on the runs that count."""
    names = {"weak": MOVES, "strong": ANSWERS}
    return [(ACCEPTS, 0), *((names[fair], thread) for thread in range(threads) if fair in names)]


def shrink(product: ThreadSets, sets: Sets, reasons: list[Reason]) -> tuple[list[Removal], Sets]:
    """Take away what no run that counts can stay in; return what was done, and what is left."""
    removals: list[Removal] = []
    left, unchanged, turn = dict(sets), 0, 0
    while left and unchanged < len(reasons):
        reason, thread = reasons[turn % len(reasons)]
        turn += 1
        kept = product.go_back(goals_of(product, left, (reason, thread)), left)
        after = _left(product, left, kept, (reason, thread))
        unchanged += 1
        if after != left:
            removals.append(Removal(reason, thread, kept))
            left, unchanged = after, 0
    return removals, left


def goals_of(product: ThreadSets, sets: Sets, reason: Reason) -> Sets:
    """Return from where inside sets what is asked for happens now."""
    name, thread = reason
    if name == ACCEPTS:
        return product.step_back(sets, sets, counting=True)
    found = product.step_back(sets, sets, iter([thread]))
    if name == MOVES:
        able = product.abilities.able[thread]
        for (state, part), states in sets.items():
            resting = minus(states, able)
            if part is OUTSIDE and not product.store.is_false(resting):
                site = state, OUTSIDE
                found[site] = found[site] | resting if site in found else resting
    return found


def _left(product: ThreadSets, sets: Sets, kept: Mapping[Site, Bdd], reason: Reason) -> Sets:
    name, thread = reason
    if name != ANSWERS:
        return dict(kept)
    found: Sets = {}
    for (state, part), states in sets.items():
        others = states if part is not OUTSIDE else minus(states, product.abilities.able[thread])
        left = others | kept[state, part] if (state, part) in kept else others
        if not product.store.is_false(left):
            found[state, part] = left
    return found


def inside_of(sets: Sets) -> Sets:
    """Return the sets in which one thread runs alone."""
    return {(state, part): states for (state, part), states in sets.items() if part is not OUTSIDE}
