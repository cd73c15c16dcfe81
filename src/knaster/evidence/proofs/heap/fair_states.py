"""Fair states: why an automaton accepts no fair run of a model with references: all pairs of their states.

As `fair_table`, with states that have a heap.  A state inside an atomic region names the thread that goes on as the one
that chooses; states after a failure are not written down.  `checkers.heap.fair_states` checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.automata.automaton import Automaton
from knaster.base.named_tuples import NamedTuple
from knaster.base.records import dataclass
from knaster.evidence.proofs.heap.state_table import StateRow, state_of_json, state_to_json
from knaster.evidence.proofs.heap.values import expect_type, parts_of
from knaster.evidence.proofs.ranks import automaton_of, automaton_to_fields, question_of
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.questions.question import FAIRNESS, Temporal, Termination
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

_FIELDS = {"formula", "fair", "states", "initial", "steps", "rows"}


class FairState(NamedTuple):
    """A state of the model, and one of the automaton."""

    row: StateRow
    state: int


@dataclass(frozen=True, slots=True, eq=False)
class FairStates:
    """The question, the automaton, and the pairs that are reached."""

    program: Program
    question: Termination | Temporal
    automaton: Automaton
    rows: tuple[FairState, ...]

    def __repr__(self) -> str:
        return f"<FairStates for {self.program.file}: {len(self.rows)} rows>"

    def unreached_places(self) -> None:
        """Return nothing: it is not said which statements no run reaches."""
        return


def to_fields(proof: FairStates, program: Program) -> dict[str, Any]:
    """Return a table as fields of a document."""
    fields = {
        "formula": None if isinstance(proof.question, Termination) else str(proof.question),
        "fair": proof.question.fair,
        **automaton_to_fields(proof.automaton),
        "rows": [[state_to_json(row), state] for row, state in proof.rows],
    }
    return {"fair_states": fields}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> FairStates:
    """Return the table of a document."""
    expect(program.kind is Kind.REFERENCES, "it has states with references, and the program has none")
    data = document["fair_states"]
    has_keys(data, _FIELDS, "'fair_states'")
    expect(data["fair"] in FAIRNESS, "there is no such fairness")
    question = question_of(data["formula"], program, data["fair"])
    rows = tuple(_row(entry) for entry in list_of(data["rows"], "rows"))
    return FairStates(program, question, automaton_of(data), rows)


def _row(entry: object) -> FairState:
    row, state = parts_of(entry, 2)
    return FairState(state_of_json(row), expect_type(state, int))
