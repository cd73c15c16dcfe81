"""A proof about a program with memory by one about the program over integers that it is reduced to.

The file has the targets that were asked about and the proof of the reduced program; whoever reads it makes that program
again.  `checkers.memory.regions` checks it; the reduction itself is trusted (docs/trust.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.lazy import load_named
from knaster.base.records import dataclass
from knaster.evidence.proofs.acsl import Offset
from knaster.evidence.proofs.invariants import Invariants, Meaning
from knaster.evidence.proofs.invariants import to_json as invariants_to_json
from knaster.evidence.proofs.invariants import to_words as invariants_to_words
from knaster.evidence.proofs.ranking import Ranking
from knaster.evidence.proofs.ranking import to_json as ranking_to_json
from knaster.evidence.proofs.reading import expect, has_keys
from knaster.evidence.questions.question import Target
from knaster.program.memory import bytes_of
from knaster.program.model import Kind, Program
from knaster.program.types import Array, Int

if TYPE_CHECKING:
    from knaster.base.limits import Budget

REDUCTION = "knaster.transform.regions.reduce:reduce_regions"
_NAME = r"[A-Za-z_][\w.]*"
_ELEMENT = re.compile(
    rf"(?:\\old\((?P<old>{_NAME})\)|\\at\((?P<pre>{_NAME}), Pre\)|(?<![\w.])(?P<now>{_NAME}))\[(?P<index>\d+)\]"
)
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
    if kind is None:
        return []
    fields = field_names(program, proof.inner.program)
    if isinstance(proof.inner, Invariants):
        words = list(invariants_to_words(proof.inner, proof.inner.program, verbose, _meaning(proof)))
    else:
        words = list(kind.to_words(proof.inner, proof.inner.program, verbose))
    return [_ELEMENT.sub(lambda found: _rename(found, fields), line) for line in words]


def _meaning(proof: RegionProof) -> Meaning:
    """Return what the variables of the reduced program stand for."""
    slots = reduce_memory(proof.program, proof.asked).slots
    offsets: dict[str, dict[str, Offset]] = {}
    for (procedure, name), slot in slots.registers.items():
        if slot.index:
            pointers = slot.pointers
            offsets.setdefault(procedure, {})[slot.index] = Offset(name, pointers.residue, pointers.stride)
    owners = {
        name: base.owner
        for (base, _), part in slots.parts.items()
        for name, _ in part.slot.variables
        if base.owner and base not in slots.local
    }
    return Meaning(offsets, owners)


def _rename(found: re.Match[str], fields: Mapping[tuple[str, int], str]) -> str:
    name = fields.get((found["old"] or found["pre"] or found["now"], int(found["index"])))
    if name is None or found["now"]:
        return found[0] if name is None else name
    return f"\\old({name})" if found["old"] else f"\\at({name}, Pre)"


def field_names(program: Program, reduced: Program) -> dict[tuple[str, int], str]:
    """Return how elements of objects that are arrays of the reduced program are written: `q.len`, not `q[4]`.

    An object whose name several have is left out, and one of which an array has only a part of each element.
    """
    assert program.memory is not None
    parts = [(declared.name, declared.parts) for declared in program.memory.objects]
    parts += [(name, own) for (_, name), own in program.memory.locals]
    count = Counter(name for name, _ in parts)
    once = {name: own for name, own in parts if count[name] == 1 and own}
    found: dict[tuple[str, int], str] = {}
    for types in (dict(reduced.types), *(dict(procedure.types) for procedure in reduced.procedures)):
        for name, type in types.items():
            if name in once and isinstance(type, Array) and isinstance(type.element, Int):
                size = (type.element.width or 8) // 8
                if (type.length - 1) * size <= max(part.offset for part in once[name]) < type.length * size:
                    same = [part for part in once[name] if bytes_of(part.type) == size and part.offset % size == 0]
                    found |= {(name, part.offset // size): f"{name}{part.suffix}" for part in same}
    return found


def to_json(proof: RegionProof, program: Program) -> dict[str, Any] | None:
    """Return what was proved of the reduced program for programs."""
    from knaster.evidence.proofs.table import kind_of

    kind = kind_of(proof.inner)
    if isinstance(proof.inner, Invariants):
        found = invariants_to_json(proof.inner, proof.inner.program, _meaning(proof))
    elif isinstance(proof.inner, Ranking):
        found = ranking_to_json(proof.inner, proof.inner.program, _meaning(proof))
    else:
        return None if kind is None else kind.to_json(proof.inner, proof.inner.program)
    fields = field_names(program, proof.inner.program)
    for row in (*found["invariants"], *found["functions"]):
        for part in ("holds", "requires", "guarantees"):
            if part in row:
                row[part] = [_ELEMENT.sub(lambda each: _rename(each, fields), text) for text in row[part]]
    return found
