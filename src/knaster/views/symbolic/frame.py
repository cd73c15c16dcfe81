"""Frames: from a program and a layout, the variables that the sets of states of each procedure speak of.

A set of *path edges* at a location (Ball and Rajamani, Bebop, SPIN 2000, section 3.1) relates the valuation at the
procedure's entry (copy ENTRY) to the valuation now (copy NOW).  What is not needed is not there, which is what keeps
the BDDs small:

* a variable that is dead at a location is not constrained there (live ranges, section 3.3);
* a global that a procedure and its callees neither read nor write does not occur in it (MOD/REF, section 3.3);
* a *rigid* variable, one that the procedure only reads, still has its entry value: copy NOW serves as both;
* a variable is *echoed* in copy ENTRY only where it is live at the entry, and only in procedures that are ever called.

Both optimisations can be switched off, for measurement.

How states pass from one frame into another at a call is an `Entrance` and a `CallSite`; `encoding` makes them.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.base.named_tuples import NamedTuple
from knaster.bdd.relation import Relation
from knaster.bdd.store import Bdd, Renaming, and_exists, exists, rename
from knaster.program.effects import effects, transfers, variables_in
from knaster.program.layout.slots import Layout, Slot
from knaster.program.liveness import live_variables
from knaster.program.model import Call, Procedure, Program

Names = frozenset[str]


class Frame(NamedTuple):
    """The variables of one procedure and the part each of them plays."""

    procedure: Procedure
    slots: Mapping[str, Slot]
    tracked: tuple[Names, ...]  # by location: the variables that a set of states there may constrain
    rigid: Names
    echoed: Names
    changed: Names  # the globals that a call may change, as far as any caller looks at them afterwards
    signature: int  # frames with equal signatures give equal names equal slots

    @property
    def at_entry(self) -> Names:
        """The variables tracked at the entry."""
        return self.tracked[self.procedure.entry]

    @property
    def at_exit(self) -> Names:
        """The variables tracked at the exit."""
        return self.tracked[self.procedure.exit]


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
    written: tuple[int, ...]  # NEXT of what the call writes and somebody needs after it


def make_frames(program: Program, layout: Layout, liveness: bool = True, effect_sets: bool = True) -> dict[str, Frame]:
    """Return the frame of every procedure, with or without live ranges and MOD/REF sets."""
    edges = (edge for procedure in program.procedures for edge in procedure.edges)
    called = {edge.action.procedure for edge in edges if isinstance(edge.action, Call)}
    edges_as_masks = transfers(program)
    live = live_variables(program, edges_as_masks) if liveness else None
    touched = effects(program, edges_as_masks)
    every_global = frozenset(program.globals)
    signatures: dict[object, int] = {}
    same: dict[Names, Names] = {}
    frames: dict[str, Frame] = {}
    for procedure in program.procedures:
        name = procedure.name
        mod = touched[name].mod if effect_sets else every_global
        ref = touched[name].ref if effect_sets else every_global
        present = (mod | ref).union(procedure.frame)
        inputs = (mod | ref).union(procedure.parameters)
        everywhere = [present] * procedure.size
        if live:
            scope = program.scope(procedure)
            named = {mask: present.intersection(variables_in(mask, scope)) for mask in set(live[name])}
            everywhere = [named[mask] for mask in live[name]]
        rigid = echoed = frozenset[str]()
        if name in called:
            written = touched[name].mod | touched[name].modified_locals if effect_sets else inputs
            rigid = (everywhere[procedure.entry] & inputs) - written
            echoed = everywhere[procedure.entry] & inputs & written
        tracked = _share(everywhere, rigid, same)
        slots = layout.slots[name]
        signature = signatures.setdefault(tuple(slots.items()), len(signatures))
        frames[name] = Frame(procedure, slots, tracked, rigid, echoed, mod & tracked[procedure.exit], signature)
    return frames


def _share(everywhere: list[Names], rigid: Names, same: dict[Names, Names]) -> tuple[Names, ...]:
    """Return each set with the rigid variables added; equal sets are one object in all frames, and hash once."""
    known: dict[Names, Names] = {}
    tracked: list[Names] = []
    for names in everywhere:
        with_rigid = known.get(names)
        if with_rigid is None:
            joined = names | rigid
            with_rigid = known[names] = same.setdefault(joined, joined)
        tracked.append(with_rigid)
    return tuple(tracked)
