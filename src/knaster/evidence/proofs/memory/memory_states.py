"""All states that the threads of a program with memory can come to: how many there are.

That is a proof that targets are not reached, and without targets one that every run ends, or every fair one.

The record has no states: whoever checks it lets the threads run again, in every order
(`checkers.memory.memory_states`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.questions.question import FAIRNESS, Termination
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
    fair: str = "none"  # which runs count, where it is about their end

    @property
    def question(self) -> Termination:
        """What it answers, where it is about the end of runs."""
        return Termination(fair=self.fair)

    def unreached_places(self) -> tuple[Place, ...] | None:
        """Return None: which statements are reached is not written down."""
        return None


def to_fields(proof: MemoryStates, program: Program) -> dict[str, Any]:
    """Return a proof as fields of a document."""
    fields = {"states": proof.states, "strict": list(proof.strict), "vague": proof.vague}
    return {"states_of_memory": fields if proof.fair == "none" else {**fields, "fair": proof.fair}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> MemoryStates:
    """Return the proof of a document."""
    threaded = program.kind is Kind.MEMORY and program.is_threaded
    expect(threaded, "it has states of threads with memory, and the program has none")
    data = document["states_of_memory"]
    expect(isinstance(data, dict), "'states_of_memory' is no object")
    has_keys(data, {"states", "strict", "vague", *({"fair"} & data.keys())}, "'states_of_memory'")
    expect(data.get("fair", "none") in FAIRNESS, "there is no such fairness")
    expect(type(data["states"]) is int, "the number of states is no number")
    strict = list_of(data["strict"], "undefined steps")
    expect(all(isinstance(kind, str) for kind in strict), "a kind of undefined step is no text")
    expect(type(data["vague"]) is bool, "whether values are vague is neither true nor false")
    return MemoryStates(program, data["states"], tuple(strict), vague=data["vague"], fair=data.get("fair", "none"))
