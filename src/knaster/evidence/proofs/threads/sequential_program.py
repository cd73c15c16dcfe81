"""The sequential program for a bound as a proof about threads: its path edges exclude what the threads would reach.

A. Lal and T. Reps, Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis (CAV 2008).  The file has
the bound, the targets that were asked about, in their order, and the certificate; whoever reads it makes the sequential
program again from these.  `checkers.sequential_program` checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.lazy import load_named
from knaster.base.records import dataclass
from knaster.evidence.proofs import path_edges
from knaster.evidence.proofs.path_edges import Certificate
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.questions.question import Bound, Reach, Target
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

REDUCTION = "knaster.transform.threads.sequentialize:sequentialize"
_KINDS = ("switches", "rounds")


@dataclass(frozen=True, slots=True, eq=False)
class SequentialProof:
    """Path edges of the sequential program that was made for a bound and for targets that were `asked` about."""

    program: Program
    bound: Bound
    asked: tuple[Target, ...]
    certificate: Certificate

    def unreached_places(self) -> None:
        """Return nothing: which statements no run reaches is not known beyond the bound."""

    def __repr__(self) -> str:
        return f"<SequentialProof of {self.program.file}: {self.bound}>"


def reduce_threads(program: Program, targets: tuple[Target, ...], bound: Bound) -> Any:
    """Return the sequential program for threads and a bound, as a reduction; it lives in a higher room."""
    return load_named(REDUCTION)(program, Reach(targets, bound=bound))


def to_fields(proof: SequentialProof, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    own = path_edges.to_fields(proof.certificate, proof.certificate.program)
    asked = [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in proof.asked]
    return {"sequential": {"bound": [proof.bound.kind, proof.bound.number], "asked": asked, **own}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> SequentialProof:
    """Return the proof of a document."""
    from knaster.evidence.proofs.files import targets_of

    expect(program.kind is Kind.BOOLEAN and program.is_threaded, "it is about Boolean threads")
    data = document["sequential"]
    has_keys(data, {"bound", "asked", "procedures", "nodes"}, "'sequential'")
    parts = list_of(data["bound"], "a bound")
    expect(len(parts) == 2 and parts[0] in _KINDS and type(parts[1]) is int and parts[1] >= 0, "a bound is none")
    bound, asked = Bound(parts[0], parts[1]), targets_of({"targets": data["asked"]}, program)
    expect(bool(asked) and len(set(asked)) == len(asked), "a target is there twice, or none is")
    reduced = reduce_threads(program, asked, bound).program
    return SequentialProof(program, bound, asked, path_edges.from_fields(data, reduced, nodes, budget))
