"""A unit of a Boolean program as a certificate of path edges, and its check: nothing that a session solves is believed.

The procedures of the unit have all their sets; of each procedure that they call the certificate has the states with
which the unit enters it, and its summary (`checkers.path_edge_units`).  The sets are the unit's relations, written over
the values at the entry of a procedure and now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from knaster.base.limits import Budget
from knaster.base.records import replace
from knaster.bdd.store import Bdd, exists, rename
from knaster.checkers.path_edge_units import check_unit
from knaster.engines.boolean.pushdown.rules import Encoding
from knaster.evidence.proofs.path_edges import Certificate, Vocabulary
from knaster.evidence.questions.question import Target
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Location, Procedure, Program
from knaster.pushdown.domains.relations import BddRelation


class UnitCertificate:
    """The sets of some procedures, made one after the other."""

    def __init__(self, encoding: Encoding, members: Sequence[str], callees: Iterable[str], entry: str) -> None:
        self._encoding, self._members, self._entry = encoding, members, entry
        self._program = _part(encoding.program, members, {*callees, entry})
        none = encoding.domain.store.false
        self._sets = {own.name: [none] * own.size for own in self._program.procedures}

    def put(self, name: str, location: Location, relation: BddRelation) -> None:
        """Take a relation (values at the entry of a procedure, values now) as the set of a location."""
        self._sets[name][location] = self._set(self._program.procedure(name), relation)

    def put_entry(self, name: str, states: BddRelation) -> None:
        """Take the states (after) with which a procedure is entered as the set of its entry."""
        self._sets[name][self._program.procedure(name).entry] = self._entry_set(name, states)

    def _entry_set(self, name: str, states: BddRelation) -> Bdd:
        own, domain = self._program.procedure(name), self._encoding.domain
        same = domain.identity(self._names(own)[each] for each in (*self._program.globals, *own.parameters))
        return self._set(own, domain.relation(states.function & same))

    def check(self, targets: Iterable[Target], entered: Mapping[str, BddRelation], budget: Budget) -> bool:
        """Raise `InternalError` where the sets are not closed, or a target is reached by a unit that is entered so.

        False: there is a procedure whose entry is its exit, and nothing is looked at.
        """
        if any(own.entry == own.exit for own in self._program.procedures):
            return False
        vocabulary = {own.name: self._vocabulary(own) for own in self._program.procedures}
        sets = {name: tuple(own) for name, own in self._sets.items()}
        certificate = Certificate(self._program, self._encoding.domain.store, vocabulary, sets)
        states = {name: self._entry_set(name, each) for name, each in entered.items()}
        check_unit(certificate, frozenset(self._members), states, targets, self._entry, budget)
        return True

    def _vocabulary(self, own: Procedure) -> Vocabulary:
        slots = self._encoding.symbolic.layout.slots[own.name]
        scope = self._program.scope(own)
        return Vocabulary(
            {x: slots[x] for x in scope}, frozenset(), frozenset((*self._program.globals, *own.parameters))
        )

    def _names(self, own: Procedure) -> Mapping[str, str]:
        """Return the variable of the domain for each variable in scope."""
        named = dict(self._encoding.variables(own.name))
        return named | dict(zip(own.results, self._encoding.results, strict=False))

    def _set(self, own: Procedure, relation: BddRelation) -> Bdd:
        domain, names = self._encoding.domain, self._names(own)
        slots = self._encoding.symbolic.layout.slots[own.name]
        entered = (*self._program.globals, *own.parameters)
        renamed = {domain.before[names[x]]: variable(slots[x], Copy.ENTRY) for x in entered}
        renamed |= {domain.after[names[x]]: variable(slots[x], Copy.NOW) for x in self._program.scope(own)}
        others = {*domain.before.values(), *domain.after.values()}.difference(renamed)
        kept = exists(relation.function, domain.store.cube(others))
        return rename(kept, domain.store.renaming(renamed))


def _part(program: Program, members: Sequence[str], others: Iterable[str]) -> Program:
    """Return a program of some procedures, and others without their statements."""
    outside = frozenset(others)
    procedures = [
        own if own.name in members else replace(own, edges=())
        for own in program.procedures
        if own.name in members or own.name in outside
    ]
    return replace(program, procedures=tuple(procedures))
