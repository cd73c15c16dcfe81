"""Path edges in a file: decision diagrams as a list of nodes, and a set for each location of each procedure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.path_edges import certify
from knaster.evidence.proofs.path_edges_proof import Certificate, Portable, Vocabulary
from knaster.evidence.proofs.reading import expect, has_keys, list_of, names, node, numbers
from knaster.evidence.questions.question import Target
from knaster.program.model import Kind, Program


def to_fields(proof: Certificate) -> dict[str, Any]:
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


def check(document: Mapping[str, Any], program: Program, targets: Sequence[Target], nodes: int, budget: Budget) -> None:
    """Raise `InternalError`, `ProofError` or `MalformedNodes` unless the targets are unreachable by this proof."""
    if program.is_threaded or program.kind is Kind.REFERENCES:
        raise ProofError("this is no proof: it has path edges, which say nothing of threads and references")
    certificate = Certificate.restore(program, _portable(document, program), nodes, budget.check)
    certify(certificate, program, targets, budget)


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
