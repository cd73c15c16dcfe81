"""A proof about a program with memory by one about the program over integers that it is reduced to.

The file has the targets that were asked about and the proof of the reduced program; whoever reads it makes that program
again.  `checkers.memory.regions` checks it; the reduction itself is trusted (docs/trust.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.lazy import load_named
from knaster.base.records import dataclass
from knaster.evidence.proofs.reading import expect, has_keys
from knaster.evidence.questions.question import Target
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

REDUCTION = "knaster.transform.regions.reduce:reduce_regions"
REFUSED = "knaster.transform.regions.refusal:Refused"


@dataclass(frozen=True, slots=True, eq=False)
class RegionProof:
    """A proof of the reduced program of a program with memory, made for targets that were `asked` about."""

    program: Program
    asked: tuple[Target, ...]
    inner: Any

    def unreached_places(self) -> None:
        """Return nothing: which statements are reached is not looked at."""

    def __repr__(self) -> str:
        return f"<RegionProof of {self.program.file}: {self.inner!r}>"


def reduce_memory(program: Program, asked: tuple[Target, ...]) -> Any:
    """Return the reduced program of a program with memory; the reduction lives in a higher room."""
    return load_named(REDUCTION)(program, asked)


def to_fields(proof: RegionProof, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    from knaster.evidence.proofs.table import kind_of

    kind = kind_of(proof.inner)
    assert kind is not None
    asked = [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in proof.asked]
    return {"regions": {"asked": asked, "proof": kind.to_fields(proof.inner, proof.inner.program)}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> RegionProof:
    """Return the proof of a document."""
    from knaster.evidence.proofs.files import targets_of
    from knaster.evidence.proofs.table import kind_in

    expect(program.kind is Kind.MEMORY, "it is about a program with memory")
    data = document["regions"]
    has_keys(data, {"asked", "proof"}, "'regions'")
    asked = targets_of({"targets": data["asked"]}, program)
    expect(isinstance(data["proof"], dict), "its proof is none")
    kind = kind_in(data["proof"])
    expect(kind is not None and kind.name != "regions", "its proof is none")
    assert kind is not None
    try:
        reduced = reduce_memory(program, asked)
    except load_named(REFUSED) as refused:
        expect(False, f"the program is not reduced: {refused}")
    return RegionProof(program, asked, kind.from_fields(data["proof"], reduced.program, nodes, budget))


def to_words(proof: RegionProof, program: Program, verbose: bool = False) -> list[str]:
    """Return what was proved of the reduced program as lines for people."""
    from knaster.evidence.proofs.table import kind_of

    kind = kind_of(proof.inner)
    return [] if kind is None else kind.to_words(proof.inner, proof.inner.program, verbose)


def to_json(proof: RegionProof, program: Program) -> dict[str, Any] | None:
    """Return what was proved of the reduced program for programs."""
    from knaster.evidence.proofs.table import kind_of

    kind = kind_of(proof.inner)
    return None if kind is None else kind.to_json(proof.inner, proof.inner.program)
