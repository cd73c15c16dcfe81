"""A certificate: why a target is unreachable, as a set of path edges for each location of a sequential program.

The sets contain the initial states and are closed under every edge, every call and every return; `checkers.path_edges`
checks it.  In a file decision diagrams are a list of nodes, and a set is the number of one.

A certificate lives in the store of the engine that made it.  Its *portable* form is a list of nodes and a number for
each set (`symbolic.nodes`); it is made on demand, for files and for other processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.bdd.store import DEFAULT_NODES, Bdd, Store
from knaster.evidence.proofs.reading import expect, has_keys, list_of, names, node, numbers
from knaster.program.layout.slots import COPIES
from knaster.program.model import Kind, Place, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget
    from knaster.bdd.nodes import Node


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the sets of one procedure speak of, in the words of `symbolic.frame`."""

    slots: Mapping[str, int]  # of every variable in scope
    rigid: frozenset[str]  # variables whose value now is that at the entry
    echoed: frozenset[str]  # globals and parameters whose value at the entry is in copy ENTRY


@dataclass(frozen=True, slots=True)
class Portable:
    """A certificate as plain data: what its sets speak of, a list of nodes, and the number of each set."""

    vocabulary: Mapping[str, Vocabulary]
    nodes: tuple[Node, ...]
    sets: Mapping[str, tuple[int, ...]]

    def __repr__(self) -> str:
        return f"<Portable: {len(self.nodes)} nodes, sets of {len(self.sets)} procedures>"


@dataclass(frozen=True, slots=True, eq=False)
class Certificate:
    """Path edges by procedure and location, over the copies ENTRY and NOW of the slots of each procedure."""

    program: Program
    store: Store
    vocabulary: Mapping[str, Vocabulary]
    path_edges: Mapping[str, tuple[Bdd, ...]]

    def __repr__(self) -> str:
        return f"<Certificate for {self.program.file}: path edges of {len(self.path_edges)} procedures>"

    def unreached_places(self) -> tuple[Place, ...]:
        """Return the statements at which nothing can happen, in the order of the text."""
        none = self.store.false
        sets = (
            (name, location, states) for name, own in self.path_edges.items() for location, states in enumerate(own)
        )
        return self.program.statements_outside({(name, location) for name, location, states in sets if states != none})

    def portable(self) -> Portable:
        """Return the certificate as plain data; takes the time of walking its nodes one by one."""
        from knaster.bdd.nodes import flatten  # only whoever saves a proof pays for it

        nodes, numbers = flatten(self.store, [states for sets in self.path_edges.values() for states in sets])
        rest = iter(numbers)
        sets = {name: tuple(next(rest) for _ in own) for name, own in self.path_edges.items()}
        return Portable(dict(self.vocabulary), tuple(nodes), sets)

    @classmethod
    def restore(
        cls, program: Program, data: Portable, nodes: int = DEFAULT_NODES, tick: Callable[[], None] = lambda: None
    ) -> Certificate:
        """Return a certificate for `program` in a store of its own; raise `MalformedNodes` where there is none.

        Whether it holds is not looked at.  `nodes` and `tick` are as for `Store` and `rebuild`.
        """
        slots = [slot for spoken in data.vocabulary.values() for slot in spoken.slots.values()]
        store = Store(COPIES * (1 + max(slots, default=-1)), nodes)
        from knaster.bdd.nodes import MalformedNodes, rebuild

        functions = rebuild(store, data.nodes, tick)
        if not all(0 <= number < len(functions) for sets in data.sets.values() for number in sets):
            raise MalformedNodes("a set is none of the nodes")
        sets = {name: tuple(functions[number] for number in own) for name, own in data.sets.items()}
        return cls(program, store, data.vocabulary, sets)

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.program, self.portable())


def _restore(program: Program, data: Portable) -> Certificate:
    return Certificate.restore(program, data, max(DEFAULT_NODES, 8 * len(data.nodes)))  # mutant: only room


def to_fields(proof: Certificate, program: Program) -> dict[str, Any]:
    """Return a certificate as fields of a document."""
    data = proof.portable()
    procedures = {
        name: {
            "slots": dict(spoken.slots),
            "rigid": sorted(spoken.rigid),
            "echoed": sorted(spoken.echoed),
            "sets": data.sets[name],
        }
        for name, spoken in data.vocabulary.items()
    }
    return {"procedures": procedures, "nodes": data.nodes}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> Certificate:
    """Return the certificate of a document."""
    threads = program.is_threaded or program.kind is Kind.REFERENCES
    expect(not threads, "it has path edges, which say nothing of threads and references")
    return Certificate.restore(program, _portable(document, program), nodes, budget.check)


def _portable(document: Mapping[str, Any], program: Program) -> Portable:
    """Return the certificate of a document, each thing in it of the right type and no number larger than it can be."""
    procedures = document["procedures"]
    expect(isinstance(procedures, dict), "'procedures' is no object")
    most = len(program.globals) + sum(len(procedure.frame) for procedure in program.procedures)
    vocabulary: dict[str, Vocabulary] = {}
    sets: dict[str, tuple[int, ...]] = {}
    for name, entry in procedures.items():
        has_keys(entry, {"slots", "rigid", "echoed", "sets"}, "a procedure")
        slots = entry["slots"]
        expect(isinstance(slots, dict), "'slots' is no object")
        expect(all(type(slot) is int and 0 <= slot < most for slot in slots.values()), "a slot is out of range")
        vocabulary[name] = Vocabulary(slots, names(entry["rigid"]), names(entry["echoed"]))
        sets[name] = numbers(entry["sets"])
    return Portable(vocabulary, tuple(map(node, list_of(document["nodes"], "nodes"))), sets)
