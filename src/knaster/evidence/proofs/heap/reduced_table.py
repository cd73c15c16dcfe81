"""A table of states that leaves more out: why a program with references and threads never fails in some way.

One state stands for all that differ in the order of their threads, where the table is `symmetric`; and from a state
in which one thread is chosen only the moves of that thread lead to states of the table.  As in a reduced table of
states (`state_table`), no thread is about to do what nobody else can notice.  `checkers.heap.reduced_table` checks it.

P. Godefroid, Partial-Order Methods for the Verification of Concurrent Systems (LNCS 1032, 1996); C. N. Ip and D. L.
Dill, Better Verification Through Symmetry (FMSD 9, 1996).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.heap import state_table
from knaster.evidence.proofs.heap.state_table import StateRow
from knaster.evidence.proofs.heap.values import expect_type
from knaster.evidence.proofs.reading import expect, has_keys, list_of, numbers
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget


@dataclass(frozen=True, slots=True, eq=False)
class ReducedTable:
    """States, whether the order of threads is left out, and for each state the thread that alone moves (0: all)."""

    program: Program
    rows: tuple[StateRow, ...]
    symmetric: bool
    chosen: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def unreached_places(self) -> None:
        """Statements inside atomic regions are in no row, so it is not known which are never reached."""

    def __repr__(self) -> str:
        return f"<ReducedTable of {self.program.file}: {len(self.rows)} states>"


def to_fields(proof: ReducedTable, program: Program) -> dict[str, Any]:
    """Return a table as fields of a document."""
    states = [state_table.state_to_json(row) for row in proof.rows]
    return {"table": {"representatives": states, "symmetric": proof.symmetric, "chosen": list(proof.chosen)}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> ReducedTable:
    """Return the table of a document."""
    expect(program.kind is Kind.REFERENCES, "it has a table, and the program has no references")
    data = document["table"]
    has_keys(data, {"representatives", "symmetric", "chosen"}, "'table'")
    rows = tuple(state_table.state_of_json(row) for row in list_of(data["representatives"], "states"))
    return ReducedTable(program, rows, expect_type(data["symmetric"], bool), tuple(numbers(data["chosen"])))
