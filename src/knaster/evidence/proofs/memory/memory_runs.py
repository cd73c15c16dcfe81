"""All runs of a program with memory, for programs that read few inputs or none: how many there are.

The record has no states: whoever checks it runs the program again on every input (`checkers.memory.memory_runs`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.program.model import Kind, Place, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget


@dataclass(frozen=True, slots=True)
class MemoryRuns:
    """That a program has so many runs, and all of them end; `strict` names undefined steps that end a run here."""

    program: Program
    runs: int
    strict: tuple[str, ...] = ()
    lapses: tuple[tuple[str, int], ...] = ()  # undefined steps that runs came to, and their lines: for people

    def unreached_places(self) -> tuple[Place, ...] | None:
        """Return None: which statements are reached is not written down."""
        return None


def to_fields(proof: MemoryRuns, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    return {"runs_of_memory": {"runs": proof.runs, "strict": list(proof.strict)}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> MemoryRuns:
    """Return the proof of a document."""
    expect(program.kind is Kind.MEMORY, "it has runs with memory, and the program has no memory")
    data = document["runs_of_memory"]
    has_keys(data, {"runs", "strict"}, "'runs_of_memory'")
    expect(type(data["runs"]) is int, "the number of runs is no number")
    strict = list_of(data["strict"], "undefined steps")
    expect(all(isinstance(kind, str) for kind in strict), "a kind of undefined step is no text")
    return MemoryRuns(program, data["runs"], tuple(strict))
