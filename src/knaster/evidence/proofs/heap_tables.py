"""Tables of programs with references in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.checkers.heap.tables import certify_table
from knaster.evidence.proofs.heap_tables_heap_table import EffectTable, StateTable
from knaster.evidence.proofs.heap_tables_table_text import table_of_json, table_to_json
from knaster.evidence.questions.question import Target
from knaster.program.model import Kind, Program

_BROKEN = (LookupError, AssertionError, TypeError, ValueError, AttributeError, RecursionError)


def to_fields(proof: StateTable | EffectTable) -> dict[str, Any]:
    """Return a table as fields of a document."""
    return {"table": table_to_json(proof)}


def check(document: Mapping[str, Any], program: Program, targets: Sequence[Target], nodes: int, budget: Budget) -> None:
    """Raise `InternalError` or `ProofError` unless the targets are unreachable by this table."""
    if program.kind is not Kind.REFERENCES:
        raise ProofError("this is no proof: it has a table, and the program has no references")
    try:
        certify_table(table_of_json(document["table"], program), program, targets, budget)
    except _BROKEN:  # the interpreter cannot go on from what is no state
        raise ProofError("the proof does not hold: the program cannot run from one of its rows") from None
