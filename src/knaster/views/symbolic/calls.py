"""Relations of a call: how states of the caller enter the callee, and how summaries of the callee become its steps."""

from __future__ import annotations

from typing import NamedTuple

from knaster.bdd.relation import Relation
from knaster.bdd.store import Bdd, Renaming, and_exists, exists, rename


class Entrance(NamedTuple):
    """How a caller's states become states at the entry of the callee."""

    binding: Bdd  # NEXT of the parameters = the arguments
    forgotten: Bdd  # everything that is the caller's own
    advance: Renaming
    retreat: Renaming
    bound: Bdd  # NEXT of the parameters
    foreign: Bdd  # NOW of what the callee's entry knows and the caller does not: its locals
    enforced: Bdd

    def image(self, states: Bdd) -> Bdd:
        """Return the valuations (NOW) with which `states` of the caller enter the callee."""
        return rename(and_exists(states, self.binding, self.forgotten), self.advance) & self.enforced

    def preimage(self, entered: Bdd) -> Bdd:
        """Return the caller's states (NOW) that can enter the callee with one of these valuations."""
        return and_exists(rename(exists(entered, self.foreign), self.retreat), self.binding, self.bound)


class CallSite(NamedTuple):
    """What of the summary edges of a call does not depend on the summaries."""

    binding: Bdd  # ENTRY of the parameters = the arguments, NEXT of the targets = ENTRY of the results
    hidden: Bdd  # NEXT of the changed globals that this call overwrites or that nobody needs after it
    bound: Bdd  # ENTRY of the parameters and results
    change: Relation
