"""Relations between states as BDDs, with images and pre-images.

A `Relation` says how some variables change; every other variable keeps its value, and that identity is never stored.
`constraint` ranges over the NOW copy of what is read and the NEXT copy of what is written; `forgotten` is the cube of
the NOW copies that are written or no longer matter afterwards.
"""

from __future__ import annotations

from knaster.base.named_tuples import NamedTuple
from knaster.bdd.store import AND, Bdd, Renaming, Store, and_exists, rename


class Relation(NamedTuple):
    """A change of state.  None stands for: nothing is forgotten, nothing is written."""

    constraint: Bdd
    forgotten: Bdd | None = None
    advance: Renaming | None = None  # NEXT to NOW, of what is written
    retreat: Renaming | None = None  # NOW to NEXT, of what is written
    written: Bdd | None = None  # the cube of the NEXT copies of what is written

    def is_identity(self, store: Store) -> bool:
        """Tell whether every state has itself as its only successor."""
        return self.forgotten is None and self.constraint == store.true

    def unite(self, other: Relation) -> Relation:
        """Return the union with a relation that forgets and writes the same variables."""
        return Relation(self.constraint | other.constraint, self.forgotten, self.advance, self.retreat, self.written)

    def restrict(self, constraint: Bdd) -> Relation:
        """Return the steps that also satisfy `constraint`."""
        return Relation(self.constraint & constraint, self.forgotten, self.advance, self.retreat, self.written)

    def image(self, states: Bdd) -> Bdd:
        """Return the states after a step from `states`; other copies than NOW go along unchanged."""
        if self.forgotten is None:
            return states & self.constraint
        after = states.apply_exists(AND, self.constraint, self.forgotten)  # `and_exists` and `rename`, written out
        return after if self.advance is None else after.substitute(self.advance)

    def preimage(self, states: Bdd) -> Bdd:
        """Return the states from which a step can lead into `states`."""
        if self.written is None:
            return states & self.constraint
        assert self.retreat is not None
        return and_exists(rename(states, self.retreat), self.constraint, self.written)


def make_relation(store: Store, constraint: Bdd, forgotten: set[int], written: dict[int, int]) -> Relation:
    """Return the relation that forgets the variables `forgotten` and writes `written` (NEXT to NOW)."""
    return Relation(
        constraint,
        store.cube(forgotten) if forgotten else None,
        store.renaming(written) if written else None,
        store.renaming({now: following for following, now in written.items()}) if written else None,
        store.cube(written) if written else None,
    )
