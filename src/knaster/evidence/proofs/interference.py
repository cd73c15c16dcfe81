"""A proof of one thread at a time in a file: what threads of each role do, as sets for each location and steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.bdd.nodes import MalformedNodes, flatten, rebuild
from knaster.bdd.store import Bdd, Store
from knaster.checkers.interference import certify_interference
from knaster.evidence.proofs.interference_interference import Conduct, Ghosts, Interference, Role
from knaster.evidence.proofs.path_edges_proof import Vocabulary
from knaster.evidence.proofs.reading import expect, has_keys, list_of, names, node, numbers
from knaster.evidence.questions.question import Target
from knaster.program.model import Kind, Program
from knaster.views.symbolic.layout import COPIES

_FIELDS = {"ghosts", "procedures", "roles", "nodes"}
_ROLE = {"procedure", "location", "waiting", "sets", "guarantee"}


def to_fields(proof: Interference) -> dict[str, Any]:
    """Return the proof as fields of a document."""
    nodes, functions = flatten(proof.store, [f for conduct in proof.conducts.values() for f in _functions(conduct)])
    rest = iter(functions)
    roles = [
        {
            "procedure": role.procedure,
            "location": role.location,
            "waiting": next(rest),
            "sets": {name: [next(rest) for _ in sets] for name, sets in conduct.path_edges.items()},
            "guarantee": [[sorted(written), next(rest)] for written in conduct.guarantee],
        }
        for role, conduct in proof.conducts.items()
    ]
    procedures = {
        name: {"slots": dict(spoken.slots), "echoed": sorted(spoken.echoed)}
        for name, spoken in proof.vocabulary.items()
    }
    ghosts = None if proof.ghosts is None else {"inside": proof.ghosts.inside, "seen": dict(proof.ghosts.seen)}
    return {"interference": {"ghosts": ghosts, "procedures": procedures, "roles": roles, "nodes": nodes}}


def _functions(conduct: Conduct) -> Iterator[Bdd]:
    yield conduct.waiting
    for sets in conduct.path_edges.values():
        yield from sets
    yield from conduct.guarantee.values()


def check(document: Mapping[str, Any], program: Program, targets: Sequence[Target], nodes: int, budget: Budget) -> None:
    """Raise `InternalError`, `ProofError` or `MalformedNodes` unless the targets are unreachable by this proof."""
    if program.kind is not Kind.BOOLEAN:
        raise ProofError("this is no proof: it is one of threads of Boolean programs")
    certify_interference(_restored(document["interference"], program, nodes, budget), program, targets, budget)


def _restored(data: Any, program: Program, nodes: int, budget: Budget) -> Interference:
    has_keys(data, _FIELDS, "'interference'")
    ghosts = _ghosts(data["ghosts"])
    most = 2 * len(program.globals) + 1 + sum(len(procedure.frame) for procedure in program.procedures)
    expect(isinstance(data["procedures"], dict), "'procedures' is no object")
    vocabulary = {name: _vocabulary(entry, most) for name, entry in data["procedures"].items()}
    slots = [slot for spoken in vocabulary.values() for slot in spoken.slots.values()]
    store = Store(COPIES * (1 + max(slots, default=-1)), nodes)
    functions = rebuild(store, [node(entry) for entry in list_of(data["nodes"], "nodes")], budget.check)
    conducts: dict[Role, Conduct] = {}
    for entry in list_of(data["roles"], "roles"):
        role, conduct = _conduct(entry, functions)
        expect(role not in conducts, "a role is there twice")
        conducts[role] = conduct
    return Interference(program, store, vocabulary, ghosts, conducts)


def _ghosts(data: Any) -> Ghosts | None:
    if data is None:
        return None
    has_keys(data, {"inside", "seen"}, "'ghosts'")
    expect(isinstance(data["inside"], str) and isinstance(data["seen"], dict), "a ghost has no name")
    names(list(data["seen"].values()))
    return Ghosts(data["inside"], data["seen"])


def _vocabulary(entry: Any, most: int) -> Vocabulary:
    has_keys(entry, {"slots", "echoed"}, "a procedure")
    slots = entry["slots"]
    expect(isinstance(slots, dict), "'slots' is no object")
    expect(all(type(slot) is int and 0 <= slot < most for slot in slots.values()), "a slot is out of range")
    return Vocabulary(slots, frozenset(), names(entry["echoed"]))


def _conduct(entry: Any, functions: Sequence[Bdd]) -> tuple[Role, Conduct]:
    has_keys(entry, _ROLE, "a role")
    name, location, sets = entry["procedure"], entry["location"], entry["sets"]
    expect(isinstance(name, str) and (location is None or type(location) is int), "a role has no place")
    expect(isinstance(sets, dict), "'sets' is no object")
    guarantee: dict[frozenset[str], Bdd] = {}
    for pair in list_of(entry["guarantee"], "a guarantee"):
        expect(isinstance(pair, list) and len(pair) == 2, "a guarantee has not two parts")
        written = names(pair[0])
        expect(written not in guarantee, "a guarantee is there twice")
        (guarantee[written],) = _chosen([pair[1]], functions)
    (waiting,) = _chosen([entry["waiting"]], functions)
    path_edges = {procedure: _chosen(own, functions) for procedure, own in sets.items()}
    return Role(name, location), Conduct(waiting, path_edges, guarantee)


def _chosen(entry: object, functions: Sequence[Bdd]) -> tuple[Bdd, ...]:
    """Return the functions of these numbers."""
    found = numbers(entry)
    if not all(0 <= number < len(functions) for number in found):
        raise MalformedNodes("a set is none of the nodes")
    return tuple(functions[number] for number in found)
