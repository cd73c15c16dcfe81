"""A proof about threads of C, one thread at a time (`modular`): what each guarantees, and a proof of each by itself.

A guarantee is a formula over the shared variables before and after a step of the thread.  With all of them each thread
is a sequential program (`transform.memory_threads.guaranteed_threads`), in which no target is reached and the guarantee
is never broken; each has a proof of its own.  The file has the guarantees, the targets that were asked about and these
proofs; whoever reads it makes the programs again.  `checkers.memory.guaranteed_threads` checks it.  It holds for every
number of switches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.lazy import load_named
from knaster.base.records import dataclass
from knaster.evidence.proofs.formulas import formula_of_json, formula_to_json
from knaster.evidence.proofs.memory.regions import REFUSED
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.questions.question import Target
from knaster.program.expression import Expr
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

REDUCTION = "knaster.transform.memory_threads.guaranteed_threads:reduce_guaranteed"
RECORD = "knaster.transform.memory_threads.guaranteed_threads:Guarantees"
INNER = ("invariants", "unrolling", "all_runs")  # kinds of proofs about one thread


@dataclass(frozen=True, slots=True, eq=False)
class GuaranteedThreads:
    """What each thread guarantees, main first, whether threads show where they stand, and a proof of each thread."""

    program: Program
    asked: tuple[Target, ...]
    steps: tuple[Expr, ...]
    shows: bool
    inner: tuple[Any, ...]

    def unreached_places(self) -> None:
        """Return nothing: which statements no run reaches is not looked at."""

    def __repr__(self) -> str:
        return f"<GuaranteedThreads of {self.program.file}: {len(self.steps)} threads>"


def reduce_guaranteed(program: Program, asked: tuple[Target, ...], steps: tuple[Expr, ...], shows: bool) -> Any:
    """Return the sequential programs of all threads; the reduction lives in a higher room."""
    return load_named(REDUCTION)(program, asked, load_named(RECORD)(steps, shows))


def to_fields(proof: GuaranteedThreads, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    from knaster.evidence.proofs.table import kind_of

    asked = [{"name": t.name, "procedure": t.procedure, "location": t.location} for t in proof.asked]
    inner = []
    for one in proof.inner:
        kind = kind_of(one)
        assert kind is not None
        inner.append(kind.to_fields(one, one.program))
    steps = [formula_to_json(step) for step in proof.steps]
    return {"guaranteed_threads": {"asked": asked, "guarantees": steps, "shows": proof.shows, "proofs": inner}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> GuaranteedThreads:
    """Return the proof of a document."""
    from knaster.evidence.proofs.files import targets_of
    from knaster.evidence.proofs.table import kind_in

    expect(program.kind is Kind.MEMORY and program.is_threaded, "it is about threads with memory")
    data = document["guaranteed_threads"]
    has_keys(data, {"asked", "guarantees", "shows", "proofs"}, "'guaranteed_threads'")
    expect(type(data["shows"]) is bool, "'shows' is no truth value")
    asked = targets_of({"targets": data["asked"]}, program)
    steps = tuple(formula_of_json(step) for step in list_of(data["guarantees"], "guarantees"))
    try:
        threads = reduce_guaranteed(program, asked, steps, data["shows"])
    except load_named(REFUSED) as refused:
        expect(False, f"threads are not looked at one by one: {refused}")
    proofs = list_of(data["proofs"], "proofs")
    expect(len(proofs) == len(threads), "not every thread has a proof")
    inner = []
    for thread, one in zip(threads, proofs, strict=True):
        expect(isinstance(one, dict), "a proof of a thread is none")
        kind = kind_in(one)
        expect(kind is not None and kind.name in INNER, "a proof of a thread is none")
        assert kind is not None
        inner.append(kind.from_fields(one, thread.program, nodes, budget))
    return GuaranteedThreads(program, asked, steps, data["shows"], tuple(inner))
