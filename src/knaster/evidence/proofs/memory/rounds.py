"""A proof about threads of C within a bound by one about the sequential program for so many rounds (`rounds`).

The file has the bound, the targets that were asked about and the proof of the sequential program; whoever reads it makes
that program again.  A run with K switches has at most K + 1 rounds.  `checkers.memory.rounds` checks it; the reduction
itself is trusted (docs/trust.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.lazy import load_named
from knaster.base.records import dataclass
from knaster.evidence.proofs.memory.regions import REFUSED
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.questions.question import Bound, Target
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

REDUCTION = "knaster.transform.memory_threads.rounds:reduce_rounds"
KINDS = ("switches", "rounds")
MOST = 100  # rounds


@dataclass(frozen=True, slots=True, eq=False)
class RoundProof:
    """A proof of the sequential program that was made for a bound and for targets that were `asked` about."""

    program: Program
    bound: Bound
    asked: tuple[Target, ...]
    inner: Any

    def unreached_places(self) -> None:
        """Return nothing: which statements no run reaches is not known beyond the bound."""

    def __repr__(self) -> str:
        return f"<RoundProof of {self.program.file}: {self.bound}>"


def reduce_to_rounds(program: Program, asked: tuple[Target, ...], bound: Bound) -> Any:
    """Return the sequential program for threads and a bound; the reduction lives in a higher room."""
    number = bound.number + 1 if bound.kind == "switches" else bound.number
    return load_named(REDUCTION)(program, asked, number)


def to_fields(proof: RoundProof, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    from knaster.evidence.proofs.table import kind_of

    kind = kind_of(proof.inner)
    assert kind is not None
    asked = [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in proof.asked]
    inner = kind.to_fields(proof.inner, proof.inner.program)
    return {"rounds": {"bound": [proof.bound.kind, proof.bound.number], "asked": asked, "proof": inner}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> RoundProof:
    """Return the proof of a document."""
    from knaster.evidence.proofs.files import targets_of
    from knaster.evidence.proofs.table import kind_in

    expect(program.kind is Kind.MEMORY and program.is_threaded, "it is about threads with memory")
    data = document["rounds"]
    has_keys(data, {"bound", "asked", "proof"}, "'rounds'")
    parts = list_of(data["bound"], "a bound")
    expect(len(parts) == 2 and parts[0] in KINDS and type(parts[1]) is int, "a bound is none")
    bound = Bound(parts[0], parts[1])
    expect(int(bound.kind == "rounds") <= bound.number < MOST, "a bound is too small or too large")
    asked = targets_of({"targets": data["asked"]}, program)
    expect(isinstance(data["proof"], dict), "its proof is none")
    kind = kind_in(data["proof"])
    expect(kind is not None and kind.name not in ("regions", "rounds"), "its proof is none")
    assert kind is not None
    try:
        reduced = reduce_to_rounds(program, asked, bound)
    except load_named(REFUSED) as refused:
        expect(False, f"the threads are not made one program: {refused}")
    return RoundProof(program, bound, asked, kind.from_fields(data["proof"], reduced.program, nodes, budget))
