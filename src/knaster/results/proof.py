"""Why a target is unreachable: for each location, a set of path edges that contains all that can happen there.

The sets contain the initial states and are closed under every edge, every call and every return.  `certify` checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knaster.program.model import Place, Program
from knaster.symbolic.bdd import Bdd, Store


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the sets of one procedure speak of, in the words of `symbolic.frame`."""

    slots: Mapping[str, int]  # of every variable in scope
    rigid: frozenset[str]  # variables whose value now is that at the entry
    echoed: frozenset[str]  # globals and parameters whose value at the entry is in copy ENTRY


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """Path edges by procedure and location, over the copies ENTRY and NOW of the slots of each procedure."""

    program: Program
    store: Store
    vocabulary: Mapping[str, Vocabulary]
    path_edges: Mapping[str, tuple[Bdd, ...]]

    def __repr__(self) -> str:
        return f"<Certificate for {self.program.file}: path edges of {len(self.path_edges)} procedures>"

    def unreached(self) -> tuple[Place, ...]:
        """Return the statements at which nothing can happen, in the order of the text."""
        statements = {(p.name, edge.source): None for p in self.program.procedures for edge in p.edges}
        none = self.store.false
        return tuple(place for place in statements if self.path_edges[place[0]][place[1]] == none)


Proof = Certificate
