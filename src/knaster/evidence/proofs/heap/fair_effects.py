"""Fair effects: why every run of a model of one thread is as asked, with recursion: a table of effects without cycles.

For termination it is a table of the model; for a formula one of the model beside the automaton of what its runs must
not do (`evidence.questions.heap_product`).  No accepted run goes around among its rows.  `checkers.heap.fair_effects`
checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.automata.automaton import Automaton
from knaster.base.records import dataclass
from knaster.evidence.proofs.heap import effect_table
from knaster.evidence.proofs.heap.effect_table import EffectTable
from knaster.evidence.proofs.ranks import automaton_of, automaton_to_fields, question_of
from knaster.evidence.proofs.reading import expect, has_keys
from knaster.evidence.questions.question import FAIRNESS, Temporal, Termination
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

_FIELDS = {"formula", "fair", "states", "initial", "steps", "roots"}


@dataclass(frozen=True, slots=True, eq=False)
class FairEffects:
    """The question, the automaton, and the table; the program of the table is the product, made anew by a checker."""

    program: Program
    question: Termination | Temporal
    automaton: Automaton
    table: EffectTable

    def __repr__(self) -> str:
        return f"<FairEffects for {self.program.file}: {self.table.size} rows>"

    def unreached_places(self) -> None:
        """Return nothing: it is not said which statements no run reaches."""
        return


def to_fields(proof: FairEffects, program: Program) -> dict[str, Any]:
    """Return a table as fields of a document."""
    fields = {
        "formula": None if isinstance(proof.question, Termination) else str(proof.question),
        "fair": proof.question.fair,
        **automaton_to_fields(proof.automaton),
        **effect_table.to_fields(proof.table, program)["table"],
    }
    return {"fair_effects": fields}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> FairEffects:
    """Return the table of a document."""
    expect(program.kind is Kind.REFERENCES, "it has a table, and the program has no references")
    data = document["fair_effects"]
    has_keys(data, _FIELDS, "'fair_effects'")
    expect(data["fair"] in FAIRNESS, "there is no such fairness")
    question = question_of(data["formula"], program, data["fair"])
    table = effect_table.from_fields({"table": {"roots": data["roots"]}}, program, nodes, budget)
    return FairEffects(program, question, automaton_of(data), table)
