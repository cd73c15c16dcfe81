"""Fair tables: why no fair run of threads is accepted by an automaton: all pairs of a configuration and its states.

The rows contain the starts and are closed under every move; `checkers.fair_table` sees this, decomposes the graph of
the rows by itself, and finds no component in which an accepted run that counts could go around.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.automata.automaton import Automaton
from knaster.base.records import dataclass
from knaster.evidence.proofs.ranks import automaton_of, automaton_to_fields, question_of
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.evidence.questions.question import FAIRNESS, Temporal, Termination
from knaster.program.model import Program
from knaster.semantics.threads import Activation, Configuration

if TYPE_CHECKING:
    from knaster.base.limits import Budget

_FIELDS = {"formula", "fair", "states", "initial", "steps", "rows"}


@dataclass(frozen=True, slots=True, eq=False)
class FairTable:
    """The question, the automaton, and the pairs that are reached."""

    program: Program
    question: Termination | Temporal
    automaton: Automaton
    rows: tuple[tuple[Configuration, int], ...]

    def __repr__(self) -> str:
        return f"<FairTable for {self.program.file}: {len(self.rows)} rows>"

    def unreached_places(self) -> None:
        """Return nothing: it is not said which statements no run reaches."""
        return


def to_fields(proof: FairTable, program: Program) -> dict[str, Any]:
    """Return a table as fields of a document."""
    return {
        "fair_table": {
            "formula": None if isinstance(proof.question, Termination) else str(proof.question),
            "fair": proof.question.fair,
            **automaton_to_fields(proof.automaton),
            "rows": [
                [
                    list(map(int, node.shared)),
                    [
                        [[*each[:2], list(map(int, each.frame)), each.calling] for each in stack]
                        for stack in node.stacks
                    ],
                    node.running,
                    node.section,
                    state,
                ]
                for node, state in proof.rows
            ],
        }
    }


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> FairTable:
    """Return the table of a document."""
    data = document["fair_table"]
    has_keys(data, _FIELDS, "'fair_table'")
    expect(data["fair"] in FAIRNESS, "there is no such fairness")
    question = question_of(data["formula"], program, data["fair"])
    rows = tuple(_row(entry, program) for entry in list_of(data["rows"], "rows"))
    return FairTable(program, question, automaton_of(data), rows)


def _row(entry: object, program: Program) -> tuple[Configuration, int]:
    expect(isinstance(entry, list) and len(entry) == 5, "a row has not five parts")
    assert isinstance(entry, list)
    shared, stacks, running, section, state = entry
    expect(_bits(shared, len(program.globals)), "the globals of a row are none")
    expect(type(running) is int and type(section) is bool and type(state) is int, "a row has no numbers")
    threads = tuple(
        tuple(_activation(each, program) for each in list_of(s, "a stack")) for s in list_of(stacks, "rows")
    )
    expect(0 <= running < len(threads), "a row is of no thread")
    return Configuration(tuple(map(bool, shared)), threads, running, section), state


def _activation(entry: object, program: Program) -> Activation:
    expect(isinstance(entry, list) and len(entry) == 4, "an activation has not four parts")
    assert isinstance(entry, list)
    name, location, frame, calling = entry
    known = isinstance(name, str) and any(procedure.name == name for procedure in program.procedures)
    expect(known, "an activation is of no procedure")
    procedure = program.procedure(name)
    expect(type(location) is int and -1 <= location < procedure.size, "an activation stands nowhere")
    expect(_bits(frame, len(procedure.frame if location >= 0 else procedure.parameters), True), "a frame is none")
    expect(calling is None or (type(calling) is int and 0 <= calling < len(procedure.edges)), "a call is none")
    return Activation(name, location, tuple(map(bool, frame)), calling)


def _bits(values: object, count: int, fewer: bool = False) -> bool:
    fits = isinstance(values, list) and all(type(value) is int and value in (0, 1) for value in values)
    return fits and isinstance(values, list) and (len(values) == count or (fewer and not values))
