"""Makes invariants of a C program of the path edges of its Boolean program.

A path edge says which predicates held at the entry of the procedure and which hold now; as a formula it speaks of the
values at the entry and of those now.  What holds at the exit is what the procedure guarantees.  The abstraction knows
what a procedure never changes; the invariants say so.
"""

from __future__ import annotations

from collections.abc import Mapping

from knaster.bdd.store import Bdd
from knaster.evidence.proofs.invariants import Invariants
from knaster.evidence.proofs.path_edges import Certificate
from knaster.program.algebra import conjunction, disjunction, substitute
from knaster.program.expression import FALSE, Compare, Comparison, Expr, Var, variables
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Place, old
from knaster.program.types import Bool, Int
from knaster.views.abstraction.boolean_program import Boolean
from knaster.views.abstraction.relations import Abstraction, Minterm


def invariants_of_path_edges(abstraction: Abstraction, boolean: Boolean, certificate: Certificate) -> Invariants:
    """Return the invariants that the path edges of a Boolean program are."""
    requires: dict[str, Expr] = {}
    at: dict[Place, Expr] = {}
    spoken = {name for known in abstraction.predicates.values() for each in known for name in variables(each)}
    for name, cuts in abstraction.paths.points.items():
        reading = _Reader(abstraction, boolean, certificate, name)
        if reading.entered:
            requires[name] = reading.at_entry(reading.entered)
            size = abstraction.paths.program.procedure(name).size
            kept = [v for v in sorted(abstraction.paths.rigid[name]) if v in spoken or old(v) in spoken]
            same = [Compare(Comparison.EQUAL, Var(each), Var(old(each))) for each in kept]
            at |= {(name, at): conjunction([*same, reading.invariant((name, at))]) for at in cuts if at < size}
    return Invariants(abstraction.paths.program, requires, at)


class _Reader:
    """The path edges of one procedure."""

    def __init__(self, abstraction: Abstraction, boolean: Boolean, certificate: Certificate, procedure: str) -> None:
        self.abstraction = abstraction
        self.certificate = certificate
        self.names = boolean.names[procedure]
        self.locations = boolean.locations
        self.vocabulary = certificate.vocabulary[procedure]
        self.entry = abstraction.paths.entries[procedure]
        self._from: dict[tuple[Place, Minterm], Bdd] = {}
        self._begun: dict[frozenset[Minterm], Expr] = {}
        minterms = sorted(abstraction.minterms(self.entry))
        self.entered = frozenset(minterm for minterm in minterms if self._holds(self.entry, None, minterm))
        program = abstraction.paths.program
        known = (*program.globals, *program.procedure(procedure).parameters)
        self.old_values: Mapping[str, Expr] = {name: Var(old(name)) for name in known}

    def at_entry(self, entered: frozenset[Minterm]) -> Expr:
        """Return what holds of the values at the entry where they have one of some minterms."""
        if entered not in self._begun:
            self._begun[entered] = substitute(self.abstraction.union(self.entry, entered), self.old_values)
        return self._begun[entered]

    def invariant(self, place: Place) -> Expr:
        """Return what holds at a place."""
        here = sorted(self.abstraction.minterms(place))
        found: dict[frozenset[Minterm], set[Minterm]] = {}  # what can hold now, and then at the entry
        for entry in sorted(self.entered):
            found.setdefault(frozenset(now for now in here if self._holds(place, entry, now)), set()).add(entry)
        if place == self.entry:
            types = self.abstraction.paths.types[place[0]]
            plain = [name for name in self.old_values if isinstance(types[name], Int | Bool)]
            same = (Compare(Comparison.EQUAL, Var(name), self.old_values[name]) for name in plain)
            return conjunction([*same, self.abstraction.union(place, self.entered)])
        if len(found) == 1:
            return self.abstraction.union(place, next(iter(found)))
        parts = []
        for now, entries in found.items():
            holds = self.abstraction.union(place, now)
            if holds != FALSE:
                parts.append(conjunction([self.at_entry(frozenset(entries)), holds]))
        return disjunction(parts)

    def _holds(self, place: Place, entry: Minterm | None, now: Minterm) -> bool:
        """Tell whether there is a path edge for what held at the entry (if given) and holds now."""
        slots, store = self.vocabulary.slots, self.certificate.store
        edges = self._entered_by(place, entry)
        if edges == store.false:
            return False
        values = {
            variable(slots[self.names[predicate]], Copy.NOW): sign
            for predicate, sign in zip(self.abstraction.at(place), now, strict=True)
        }
        return bool((edges & store.assignment(values)) != store.false)

    def _entered_by(self, place: Place, entry: Minterm | None) -> Bdd:
        """Return the path edges to a place, all or those for what held at the entry."""
        edges = self.certificate.path_edges[place[0]][self.locations[place]]
        if entry is None:
            return edges
        key = (place, entry)
        if key not in self._from:
            slots, values = self.vocabulary.slots, dict[int, bool]()
            for predicate, sign in zip(self.abstraction.at(self.entry), entry, strict=True):
                name = self.names[predicate]
                if name in self.vocabulary.echoed:
                    values[variable(slots[name], Copy.ENTRY)] = sign
                elif name in self.vocabulary.rigid:
                    values[variable(slots[name], Copy.NOW)] = sign
            self._from[key] = edges & self.certificate.store.assignment(values)
        return self._from[key]
