"""All paths of a program with memory whose inputs are terms: at each decision of a run, which values are possible.

Decisions stand in the order in which paths are gone through, depth first; a decision is about a truth value (0, 1) or
about a number that a run needs to know.  Whoever checks it goes through the paths again and asks for what is left out
(`checkers.memory.memory_paths`).
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
class MemoryPaths:
    """That a program has so many paths, and all of them end.

    `strict` names undefined steps that end a run here, `asked` those of which it was decided whether they happen.
    """

    program: Program
    paths: int
    decisions: tuple[tuple[int, ...], ...]
    strict: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    lapses: tuple[tuple[str, int], ...] = ()  # undefined steps that runs came to, and their lines: for people
    wraps: tuple[int, ...] = ()  # lines where it was not looked whether a signed integer overflows: for people

    def unreached_places(self) -> tuple[Place, ...] | None:
        """Return None: which statements are reached is not written down."""
        return None


def to_fields(proof: MemoryPaths, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    decisions = [list(values) for values in proof.decisions]
    return {"paths_of_memory": {"paths": proof.paths, "decisions": decisions} | _kinds(proof)}


def _kinds(proof: MemoryPaths) -> dict[str, Any]:
    return {"strict": list(proof.strict), "asked": list(proof.asked)}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> MemoryPaths:
    """Return the proof of a document."""
    expect(program.kind is Kind.MEMORY, "it has paths with memory, and the program has no memory")
    data = document["paths_of_memory"]
    has_keys(data, {"paths", "decisions", "strict", "asked"}, "'paths_of_memory'")
    expect(type(data["paths"]) is int, "the number of paths is no number")
    strict, asked = list_of(data["strict"], "undefined steps"), list_of(data["asked"], "undefined steps")
    expect(all(isinstance(kind, str) for kind in (*strict, *asked)), "a kind of undefined step is no text")
    decisions = [tuple(list_of(values, "values")) for values in list_of(data["decisions"], "decisions")]
    whole = all(values and all(type(value) is int for value in values) for values in decisions)
    expect(whole, "a decision has no values, or one that is no number")
    return MemoryPaths(program, data["paths"], tuple(decisions), tuple(strict), tuple(asked))
