"""The check that a proof of interference speaks of the program: its slots, its ghosts, and what its sets mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knaster.base.errors import InternalError
from knaster.bdd.store import Bdd
from knaster.evidence.proofs.threads.interference import Conduct, Interference, Role
from knaster.program.layout.slots import Copy, variable
from knaster.program.model import Concurrent, Edge, Kind, Procedure, Program, ThreadOperation
from knaster.program.validate import why_unfit

NOW, NEXT, ENTRY = Copy.NOW, Copy.NEXT, Copy.ENTRY


def check_form(proof: Interference, program: Program) -> None:
    """Raise `InternalError` unless the proof has the form of one about the threads of a Boolean program."""
    if proof.program is not program:
        raise InternalError("the certificate is one of another program")
    strange = program.kind is not Kind.BOOLEAN or why_unfit(program) is not None
    if strange or proof.vocabulary.keys() != {procedure.name for procedure in program.procedures}:
        raise InternalError("the certificate misses or invents a procedure")
    ghosts = _ghosts(proof, program)
    shared = {name: proof.vocabulary[program.threads[0]].slots.get(name, -1) for name in (*program.globals, *ghosts)}
    for procedure in program.procedures:
        spoken = proof.vocabulary[procedure.name]
        slots = spoken.slots
        if slots.keys() != {*program.scope(procedure), *ghosts} or spoken.rigid:
            raise InternalError(f"the certificate misses or invents a variable of '{procedure.name}'")
        places = [variable(slot, copy) for slot in slots.values() for copy in Copy]
        if any(slots[name] != slot for name, slot in shared.items()) or len(set(places)) < len(places):
            raise InternalError(f"the certificate mixes variables of '{procedure.name}' up")
        if min(places, default=0) < 0 or max(places, default=0) >= proof.store.variables:
            raise InternalError(f"a variable of '{procedure.name}' is beyond the store")
        if not spoken.echoed <= {*shared, *procedure.parameters}:
            raise InternalError(f"what is echoed in '{procedure.name}' has no value at its entry")
    if any(Role(name) not in proof.conducts for name in program.threads):
        raise InternalError("the certificate has no role for some thread")
    for role, conduct in proof.conducts.items():
        _check_conduct(proof, program, role, conduct, [*program.globals, *ghosts])


def _ghosts(proof: Interference, program: Program) -> tuple[str, ...]:
    edges = (edge.action for procedure in program.procedures for edge in procedure.edges)
    sections = any(isinstance(a, Concurrent) and a.operation is ThreadOperation.ATOMIC_BEGIN for a in edges)
    if proof.ghosts is None:
        if sections or program.atomic is not None:
            raise InternalError("the certificate does not know what sections do")
        return ()
    names = (proof.ghosts.inside, *proof.ghosts.seen.values())
    known = {name for procedure in program.procedures for name in program.scope(procedure)}
    if proof.ghosts.seen.keys() != set(program.globals) or len({*names, *known}) < len(names) + len(known):
        raise InternalError("the certificate mixes what was seen up")
    return names


def _check_conduct(proof: Interference, program: Program, role: Role, conduct: Conduct, shared: Iterable[str]) -> None:
    procedures = {procedure.name: procedure for procedure in program.procedures}
    if role.procedure not in procedures or conduct.path_edges.keys() != procedures.keys():
        raise InternalError("the certificate misses or invents a procedure")
    for name, sets in conduct.path_edges.items():
        if len(sets) != procedures[name].size:
            raise InternalError(f"the certificate has no set for some location of '{name}'")
        allowed = _allowed_variables(proof, procedures[name])
        for states in sets:
            _check_support(proof, states, allowed)
    own = procedures[role.procedure]
    slots = proof.vocabulary[own.name].slots
    if role.location is None:
        _check_support(proof, conduct.waiting, {variable(slots[x], NOW) for x in (*shared, *own.parameters)})
    elif 0 <= role.location < own.size:
        _check_support(proof, conduct.waiting, _allowed_variables(proof, own))
    else:
        raise InternalError(f"there is no location {role.location} in '{own.name}'")
    for written, pairs in conduct.guarantee.items():
        if not written <= set(program.globals):
            raise InternalError("the certificate guarantees something about variables that are not shared")
        allowed = {variable(slots[x], NOW) for x in program.globals} | {variable(slots[x], NEXT) for x in written}
        _check_support(proof, pairs, allowed)


def _allowed_variables(proof: Interference, procedure: Procedure) -> set[int]:
    spoken = proof.vocabulary[procedure.name]
    now = {variable(slot, NOW) for slot in spoken.slots.values()}
    return now | {variable(spoken.slots[name], ENTRY) for name in spoken.echoed}


def _check_support(proof: Interference, states: Bdd, allowed: set[int]) -> None:
    if not proof.store.owns(states) or not proof.store.support(states) <= allowed:
        raise InternalError("a set of the certificate speaks of something else")


def starts_of(program: Program) -> Iterator[tuple[Role, Procedure, Edge]]:
    """Yield each edge that starts a thread, with its role and its procedure."""
    for procedure in program.procedures:
        for edge in procedure.edges:
            action = edge.action
            if isinstance(action, Concurrent) and action.operation is ThreadOperation.START:
                started = Role(procedure.name, action.location) if action.procedure is None else Role(action.procedure)
                yield started, procedure, edge
