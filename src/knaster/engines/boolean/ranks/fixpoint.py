"""Which heads begin an accepted run: Z0 = all, Z(i+1) = pre*(pre_accepting(Zi)), until nothing changes.

E. A. Emerson, C.-L. Lei, Efficient model checking in fragments of the propositional mu-calculus (LICS 1986).  The
rank of a head is the last i with the head in Zi: along every step it does not grow, along an accepting one it falls.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from knaster.base.limits import Budget
from knaster.bdd.store import Bdd, minus
from knaster.engines.boolean.ranks.heads import Heads, Sets
from knaster.program.model import Place


def find_chain(heads: Heads, budget: Budget) -> list[dict[Place, Bdd]]:
    """Return Z0, Z1, ... up to the first that is empty or equal to the one before it."""
    chain = [dict(heads.reached)]
    while chain[-1]:
        budget.check()
        chain.append(next_round(heads, chain[-1], budget))
        budget.tell(f"heads that may go on for ever: round {len(chain)}, {len(chain[-1])} places")
        if chain[-1] == chain[-2]:
            break
    return chain


def next_round(heads: Heads, within: Sets, budget: Budget) -> dict[Place, Bdd]:
    """Return the heads of a set from which an accepting step into the set can be reached inside it."""
    return go_back(heads, find_accepting(heads, within), within, budget)


def find_accepting(heads: Heads, within: Sets) -> dict[Place, Bdd]:
    """Return the heads of a set with an accepting step into the set."""
    none = heads.symbolic.store.false
    found: dict[Place, Bdd] = {}
    for place, states in within.items():
        for step in heads.coming.get(place, ()):
            if step.accepting and step.source in within:
                before = step.preimage(states) & within[step.source]
                if before != none:
                    found[step.source] = found[step.source] | before if step.source in found else before
    return found


def go_back(heads: Heads, start: Sets, within: Sets, budget: Budget) -> dict[Place, Bdd]:
    """Return the heads of a set from which `start` can be reached inside the set."""
    none = heads.symbolic.store.false
    found, new = dict(start), dict(start)
    todo = deque(start)
    while todo:
        budget.check()
        place = todo.popleft()
        states = new.pop(place)
        for source, before in _before(heads, place, states, within):
            fresh = minus(before, found[source]) if source in found else before
            if fresh == none:
                continue
            found[source] = found[source] | fresh if source in found else fresh
            if source in new:
                new[source] |= fresh
            else:
                new[source] = fresh
                todo.append(source)
    return found


def _before(heads: Heads, place: Place, states: Bdd, within: Sets) -> Iterable[tuple[Place, Bdd]]:
    for step in heads.coming.get(place, ()):
        if step.source in within:
            yield step.source, step.preimage(states) & within[step.source]
