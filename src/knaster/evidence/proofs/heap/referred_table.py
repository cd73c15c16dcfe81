"""A table of the reference model of a Boolean program as a proof about the program: what it excludes is not reached.

The file has the targets that were asked about, in their order, and the table; whoever reads it makes the program with
references again (`transform.reference_models`).  `checkers.heap.referred_table` checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.lazy import load_named
from knaster.base.records import dataclass
from knaster.evidence.proofs.reading import expect, has_keys
from knaster.evidence.questions.question import Reach, Target
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

REDUCTION = "knaster.transform.reference_models.reference_model:reference_model"
TABLES = ("transaction_table", "effect_table")  # kinds of proofs that it can hold


@dataclass(frozen=True, slots=True, eq=False)
class ReferredTable:
    """A table of the program with references that was made for targets that were `asked` about."""

    program: Program
    asked: tuple[Target, ...]
    table: Any

    def unreached_places(self) -> None:
        """Return nothing: the table does not say which statements no run reaches."""

    def __repr__(self) -> str:
        return f"<ReferredTable of {self.program.file}: {self.table!r}>"


def refer(program: Program, targets: tuple[Target, ...]) -> Any:
    """Return a Boolean program as one with references, as a reduction; it lives in a higher room."""
    return load_named(REDUCTION)(program, Reach(targets))


def to_fields(proof: ReferredTable, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    from knaster.evidence.proofs.table import kind_of

    kind = kind_of(proof.table)
    assert kind is not None
    asked = [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in proof.asked]
    return {"referred": {"asked": asked, **kind.to_fields(proof.table, proof.table.program)}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> ReferredTable:
    """Return the proof of a document."""
    from knaster.base.errors import KnasterError, ProofError
    from knaster.evidence.proofs.files import targets_of
    from knaster.evidence.proofs.table import kind_in

    expect(program.kind is Kind.BOOLEAN, "it is about a Boolean program")
    data = document["referred"]
    has_keys(data, {"asked", "table"}, "'referred'")
    inner = {"table": data["table"]}
    kind = kind_in(inner)
    expect(kind is not None and kind.name in TABLES, "it has no table of calls or transactions")
    assert kind is not None
    asked = targets_of({"targets": data["asked"]}, program)
    expect(bool(asked) and len(set(asked)) == len(asked), "a target is there twice, or none is")
    try:
        reduced = refer(program, asked).program
    except KnasterError as error:
        raise ProofError(f"this is no proof: {error}") from None
    return ReferredTable(program, asked, kind.from_fields(inner, reduced, nodes, budget))
