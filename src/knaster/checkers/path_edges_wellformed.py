"""Does a certificate speak of the program at all?  The checker trusts nothing that it is given.

Every variable in scope has a slot of its own that the store has room for, every location has a set that lives in the
store, and no set mentions anything but the values now and those values at the entry that are said to be echoed: what
else it mentioned would be mixed up with the variables of a caller.
"""

from __future__ import annotations

from knaster.base.errors import InternalError
from knaster.bdd.store import Bdd, Store, exists
from knaster.evidence.proofs.path_edges import Certificate, Vocabulary
from knaster.program.model import Kind, Procedure, Program
from knaster.program.validate import why_unfit
from knaster.views.symbolic.layout import Copy, variable


def check_form(certificate: Certificate, program: Program) -> None:
    """Raise `InternalError` unless the certificate has the form of one for a sequential Boolean program."""
    if certificate.program is not program:
        raise InternalError("the certificate is one of another program")
    if len(program.threads) != 1 or program.kind is not Kind.BOOLEAN or why_unfit(program) is not None:
        raise InternalError("no certificate covers threads, or variables that are not Boolean")
    names = {procedure.name for procedure in program.procedures}
    if certificate.vocabulary.keys() != names or certificate.path_edges.keys() != names:
        raise InternalError("the certificate misses or invents a procedure")
    store = certificate.store
    if not isinstance(store, Store) or not store.owns(store.true) or not store.owns(store.false):
        raise InternalError("the sets of the certificate have no store")
    everything = store.cube(range(store.variables))
    for procedure in program.procedures:
        vocabulary = certificate.vocabulary[procedure.name]
        _check_vocabulary(vocabulary, program, procedure, store)
        spoken_of = [variable(slot, Copy.NOW) for slot in vocabulary.slots.values()]
        spoken_of += [variable(vocabulary.slots[name], Copy.ENTRY) for name in vocabulary.echoed]
        _check_sets(certificate.path_edges[procedure.name], procedure, store, exists(everything, store.cube(spoken_of)))


def _check_vocabulary(vocabulary: Vocabulary, program: Program, procedure: Procedure, store: Store) -> None:
    slots, name = vocabulary.slots, procedure.name
    if slots.keys() != set(program.scope(procedure)):
        raise InternalError(f"the certificate misses or invents a variable of '{name}'")
    if not all(type(slot) is int and slot >= 0 for slot in slots.values()):
        raise InternalError(f"a slot of '{name}' is no number from 0 on")
    if any(variable(slot, Copy.NEXT) >= store.variables for slot in slots.values()):
        raise InternalError(f"a slot of '{name}' is beyond the store")
    if len(set(slots.values())) != len(slots):
        raise InternalError(f"two variables of '{name}' share a slot")
    if not vocabulary.rigid <= slots.keys() or not vocabulary.echoed <= {*program.globals, *procedure.parameters}:
        raise InternalError(f"what is rigid or echoed in '{name}' has no value at its entry")


def _check_sets(sets: tuple[Bdd, ...], procedure: Procedure, store: Store, foreign: Bdd) -> None:
    if len(sets) != procedure.size:
        raise InternalError(
            f"the certificate has {len(sets)} sets for {procedure.size} locations of '{procedure.name}'"
        )
    for states in sets:
        if not store.owns(states):
            raise InternalError(f"a set of '{procedure.name}' is not in the certificate's store")
        if exists(states, foreign) != states:
            raise InternalError(f"a set of '{procedure.name}' mentions what is no variable of it")
