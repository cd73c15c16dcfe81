"""A table of states between transactions: why a program with references and threads never fails in some way.

The start is in it, and every transaction of every thread leads from one of its states to another.  It says which
statics are locks, who holds which, which statics and classes are not protected by being constant or by a lock, and to
which of such channels several threads send, or receive from.
`checkers.heap.transactions.transaction_table` checks it.

Qadeer, Rajamani and Rehof, Summarizing Procedures in Concurrent Programs (POPL 2004).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from knaster.base.records import dataclass
from knaster.evidence.proofs.heap import state_table
from knaster.evidence.proofs.heap.state_table import StateRow
from knaster.evidence.proofs.heap.values import expect_type
from knaster.evidence.proofs.reading import expect, has_keys, list_of
from knaster.program.model import Kind, Program

if TYPE_CHECKING:
    from knaster.base.limits import Budget

Held = tuple[tuple[str, ...], ...]  # the locks of each thread


@dataclass(frozen=True, slots=True, eq=False)
class TransactionTable:
    """All states between transactions, and what is assumed about locks, data and channels; a class is `class NAME`.

    `crowded` has `send CHANNEL` and `receive CHANNEL`, where a channel is a static that always names it, or a class.
    """

    program: Program
    rows: tuple[StateRow, ...]
    held: tuple[Held, ...]  # for each row
    locks: tuple[str, ...]
    unprotected: tuple[str, ...]
    crowded: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def unreached_places(self) -> None:
        """Statements inside transactions are in no row, so it is not known which are never reached."""

    def __repr__(self) -> str:
        return f"<TransactionTable of {self.program.file}: {len(self.rows)} states>"


def to_fields(proof: TransactionTable, program: Program) -> dict[str, Any]:
    """Return a table as fields of a document."""
    states = [state_table.state_to_json(row) for row in proof.rows]
    held = [[list(locks) for locks in row] for row in proof.held]
    named = {name: list(getattr(proof, name)) for name in ("locks", "unprotected", "crowded")}
    return {"table": {"boundaries": states, "held": held, **named}}


def from_fields(document: Mapping[str, Any], program: Program, nodes: int, budget: Budget) -> TransactionTable:
    """Return the table of a document."""
    expect(program.kind is Kind.REFERENCES, "it has a table, and the program has no references")
    data = document["table"]
    has_keys(data, {"boundaries", "held", "locks", "unprotected", "crowded"}, "'table'")
    rows = tuple(state_table.state_of_json(row) for row in list_of(data["boundaries"], "states"))
    held = tuple(tuple(_names(locks) for locks in expect_type(row, list)) for row in list_of(data["held"], "locks"))
    named = [_names(data[name]) for name in ("locks", "unprotected", "crowded")]
    return TransactionTable(program, rows, held, *named)


def _names(data: object) -> tuple[str, ...]:
    return tuple(expect_type(name, str) for name in expect_type(data, list))
