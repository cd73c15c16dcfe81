"""All states that the threads of a program with memory can come to: how many there are.

The record has no states: whoever checks it lets the threads run again, in every order
(`checkers.memory.memory_states`).
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
class MemoryStates:
    """That threads come to so many states at which they take turns; `strict` names undefined steps that end runs."""

    program: Program
    states: int
    strict: tuple[str, ...] = ()
    lapses: tuple[tuple[str, int], ...] = ()  # undefined steps that runs came to, and their lines: for people
    vague: bool = False  # what is computed from inputs may be any value

    def unreached_places(self) -> tuple[Place, ...] | None:
        """Return None: which statements are reached is not written down."""
        return None


def to_fields(proof: MemoryStates, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    return {"states_of_memory": {"states": proof.states, "strict": list(proof.strict), "vague": proof.vague}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> MemoryStates:
    """Return the proof of a document."""
    threaded = program.kind is Kind.MEMORY and program.is_threaded
    expect(threaded, "it has states of threads with memory, and the program has none")
    data = document["states_of_memory"]
    has_keys(data, {"states", "strict", "vague"}, "'states_of_memory'")
    expect(type(data["states"]) is int, "the number of states is no number")
    strict = list_of(data["strict"], "undefined steps")
    expect(all(isinstance(kind, str) for kind in strict), "a kind of undefined step is no text")
    expect(type(data["vague"]) is bool, "whether values are vague is neither true nor false")
    return MemoryStates(program, data["states"], tuple(strict), vague=data["vague"])
