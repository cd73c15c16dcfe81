"""Interference: why threads reach no target, one thread at a time under all that the others can do meanwhile.

A *role* is what a thread runs: the procedure of a thread, a procedure or a place where threads are started.  Each has
path edges at every location, as a sequential program has them, closed under the steps of its own and under the
*guarantees* of the other roles: all that their steps do to the shared variables, from one moment at which another
thread may run to the next.  Whoever runs in a role of which there may be several heeds the guarantee of its own too.

Where there are sections (or a shared variable that keeps others from running) the sets speak of two more things:
`inside`, whether a section is open, and `seen`, the shared variables at the last moment at which another thread could
run.  `checkers.threads.interference` checks all of it.  In a file a set is the number of a node of a decision diagram.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.bdd.nodes import MalformedNodes, Node, flatten, rebuild
from knaster.bdd.store import DEFAULT_NODES, Bdd, Store
from knaster.evidence.proofs.path_edges import Vocabulary
from knaster.evidence.proofs.reading import expect, has_keys, list_of, names, node, numbers
from knaster.program.layout.slots import COPIES
from knaster.program.model import Kind, Location, Place, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

_FIELDS = {"ghosts", "procedures", "roles", "nodes"}
_ROLE = {"procedure", "location", "waiting", "sets", "guarantee"}


class Ghosts(NamedTuple):
    """The names of what the sets speak of beside the variables of the program."""

    inside: str
    seen: Mapping[str, str]  # by shared variable


class Role(NamedTuple):
    """The procedure that a thread runs, from its entry or from a location on."""

    procedure: str
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Conduct:
    """What threads of one role do."""

    waiting: Bdd  # shared variables and parameters (NOW) of a thread that has not begun
    path_edges: Mapping[str, tuple[Bdd, ...]]  # by procedure and location
    guarantee: Mapping[frozenset[str], Bdd]  # by what is written: shared variables before (NOW), written ones (NEXT)


@dataclass(frozen=True, slots=True, eq=False)
class Interference:
    """The conduct of every role, over the slots of a vocabulary for each procedure."""

    program: Program
    store: Store
    vocabulary: Mapping[str, Vocabulary]
    ghosts: Ghosts | None
    conducts: Mapping[Role, Conduct]

    def __repr__(self) -> str:
        return f"<Interference of {self.program.file}: {len(self.conducts)} roles>"

    def places(self) -> set[Place]:
        """Return where a thread may stand."""
        none = self.store.false
        return {
            (name, location)
            for conduct in self.conducts.values()
            for name, sets in conduct.path_edges.items()
            for location, states in enumerate(sets)
            if states != none
        }

    def unreached_places(self) -> tuple[Place, ...]:
        """Return statements that no run reaches, in the order of the text."""
        return self.program.statements_outside(self.places())

    def __reduce__(self) -> tuple[object, ...]:
        nodes, numbers = flatten(self.store, [f for conduct in self.conducts.values() for f in _functions(conduct)])
        shapes = [
            (
                role,
                [(name, len(sets)) for name, sets in conduct.path_edges.items()],
                [tuple(sorted(names)) for names in conduct.guarantee],
            )
            for role, conduct in self.conducts.items()
        ]
        ghosts = None if self.ghosts is None else (self.ghosts.inside, dict(self.ghosts.seen))
        return _restore, (self.program, self.store.variables, nodes, numbers, dict(self.vocabulary), ghosts, shapes)


Shape = tuple[Role, list[tuple[str, int]], list[tuple[str, ...]]]


def _restore(
    program: Program,
    variables: int,
    nodes: list[Node],
    numbers: list[int],
    vocabulary: Mapping[str, Vocabulary],
    ghosts: tuple[str, dict[str, str]] | None,
    shapes: list[Shape],
) -> Interference:
    store = Store(variables, max(DEFAULT_NODES, 8 * len(nodes)))  # mutant: only room
    functions = rebuild(store, nodes)
    rest = (functions[number] for number in numbers)
    conducts = {}
    for role, sizes, written in shapes:
        waiting = next(rest)
        sets = {name: tuple(next(rest) for _ in range(size)) for name, size in sizes}
        conducts[role] = Conduct(waiting, sets, {frozenset(names): next(rest) for names in written})
    return Interference(program, store, vocabulary, Ghosts(*ghosts) if ghosts else None, conducts)


def to_fields(proof: Interference, program: Program) -> dict[str, Any]:
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


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> Interference:
    """Return the proof of a document."""
    expect(program.kind is Kind.BOOLEAN, "it is one of threads of Boolean programs")
    data = document["interference"]
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
        (guarantee[written],) = _functions_of([pair[1]], functions)
    (waiting,) = _functions_of([entry["waiting"]], functions)
    path_edges = {procedure: _functions_of(own, functions) for procedure, own in sets.items()}
    return Role(name, location), Conduct(waiting, path_edges, guarantee)


def _functions_of(entry: object, functions: Sequence[Bdd]) -> tuple[Bdd, ...]:
    """Return the functions of these numbers."""
    found = numbers(entry)
    if not all(0 <= number < len(functions) for number in found):
        raise MalformedNodes("a set is none of the nodes")
    return tuple(functions[number] for number in found)
