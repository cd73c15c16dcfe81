"""A proof about threads of C by one about the sequential program that they are reduced to (`interleaved`, `rounds`).

With a bound that is the program for so many rounds, without one that of all interleavings.  A run with K switches has
at most K + 1 rounds.  The file has the bound, the targets that were asked about and the proof of the sequential
program; whoever reads it makes that program again.  `checkers.memory.reduced_threads` checks it; the reduction itself
is trusted (docs/trust.md).
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

INTERLEAVINGS = "knaster.transform.memory_threads.interleavings:reduce_interleavings"
ROUNDS = "knaster.transform.memory_threads.rounds:reduce_rounds"
KINDS = ("switches", "rounds")
MOST = 100  # rounds


@dataclass(frozen=True, slots=True, eq=False)
class ReducedThreads:
    """A proof of the sequential program that was made for a bound, or for none, and for targets that were `asked`."""

    program: Program
    bound: Bound | None
    asked: tuple[Target, ...]
    inner: Any

    def unreached_places(self) -> None:
        """Return nothing: which statements no run reaches is not looked at."""

    def __repr__(self) -> str:
        return f"<ReducedThreads of {self.program.file}: {self.bound or 'all interleavings'}>"


def reduce_threads(program: Program, asked: tuple[Target, ...], bound: Bound | None) -> Any:
    """Return the sequential program for threads and a bound; the reductions live in a higher room."""
    if bound is None:
        return load_named(INTERLEAVINGS)(program, asked)
    return load_named(ROUNDS)(program, asked, bound.number + int(bound.kind == "switches"))


def to_fields(proof: ReducedThreads, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    from knaster.evidence.proofs.table import kind_of

    kind = kind_of(proof.inner)
    assert kind is not None
    asked = [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in proof.asked]
    inner = kind.to_fields(proof.inner, proof.inner.program)
    bound = [proof.bound.kind, proof.bound.number] if proof.bound is not None else None
    return {"reduced_threads": {"bound": bound, "asked": asked, "proof": inner}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> ReducedThreads:
    """Return the proof of a document."""
    from knaster.evidence.proofs.files import targets_of
    from knaster.evidence.proofs.table import kind_in

    expect(program.kind is Kind.MEMORY and program.is_threaded, "it is about threads with memory")
    data = document["reduced_threads"]
    has_keys(data, {"bound", "asked", "proof"}, "'reduced_threads'")
    bound = read_bound(data["bound"])
    asked = targets_of({"targets": data["asked"]}, program)
    expect(isinstance(data["proof"], dict), "its proof is none")
    kind = kind_in(data["proof"])
    expect(kind is not None and kind.name not in ("regions", "reduced_threads"), "its proof is none")
    assert kind is not None
    try:
        reduced = reduce_threads(program, asked, bound)
    except load_named(REFUSED) as refused:
        expect(False, f"the threads are not made one program: {refused}")
    return ReducedThreads(program, bound, asked, kind.from_fields(data["proof"], reduced.program, nodes, budget))


def read_bound(given: Any) -> Bound | None:
    """Return the bound of a file, or none."""
    if given is None:
        return None
    parts = list_of(given, "a bound")
    expect(len(parts) == 2 and parts[0] in KINDS and type(parts[1]) is int, "a bound is none")
    bound = Bound(parts[0], parts[1])
    expect(int(bound.kind == "rounds") <= bound.number < MOST, "a bound is too small or too large")
    return bound
