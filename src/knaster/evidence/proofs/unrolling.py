"""A depth as a proof: loops and recursion of a program end within it, and no run that short reaches a target.

Of no targets it says that every run ends.
`checkers.unrolling` checks it: in the program unrolled to that depth (`program.unrolling`) neither a target is reached
nor a place where a run would need more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.reading import expect, has_keys
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

DEEPEST = 100_000


@dataclass(frozen=True, slots=True)
class Unrolling:
    """How often loops of an activation are repeated, and procedures call themselves, at most."""

    program: Program
    depth: int

    def __repr__(self) -> str:
        return f"<Unrolling of {self.program.file} to {self.depth}>"

    def unreached_places(self) -> None:
        """Return nothing: which statements are never reached is not known."""


def to_fields(proof: Unrolling, program: Program) -> dict[str, Any]:
    """Return a depth as fields of a document."""
    return {"unrolling": {"depth": proof.depth}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> Unrolling:
    """Return the depth of a document."""
    expect(program.kind is Kind.INTEGERS, "it is about loops of C, and the program has no integers")
    data = document["unrolling"]
    has_keys(data, {"depth"}, "'unrolling'")
    depth = data["depth"]
    expect(type(depth) is int and 0 <= depth <= DEEPEST, "the depth is none")
    return Unrolling(program, depth)


def to_json(proof: Unrolling, program: Program) -> dict[str, Any]:
    """Return for programs what was proved."""
    return {"invariants": [], "functions": [], "ranking": [], "depth": proof.depth}


def to_words(proof: Unrolling, program: Program, verbose: bool) -> Iterator[str]:
    """Yield what was proved."""
    if proof.depth:
        times = "once" if proof.depth == 1 else f"{proof.depth} times"
        yield f"  loops of a call repeat at most {times} in all; recursion is no deeper"
