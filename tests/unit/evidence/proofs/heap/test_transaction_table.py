"""A table of states between transactions: its form in a file."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.heap.state_table import Activation, StateRow
from knaster.evidence.proofs.heap.transaction_table import TransactionTable, from_fields, to_fields
from knaster.frontends.boolean import parse as parse_boolean
from knaster.program.types import Reference
from support.zing_text import read

PROGRAM = read("C c; c = new C; async other();", "static void other() { }")
CELL = Reference("C", 1)
ROW = StateRow(0, (2,), ((Activation("main", 1, False, (CELL,)),), ()), {CELL: (0, None)})
DATA = [0, [2], [[["main", 1, False, ["C#1"]]], []], {"C#1": [0, None]}]
TABLE = TransactionTable(PROGRAM, (ROW,), ((("C.s",), ()),), ("C.s",), ("class C",), ("send C.c",))
FIELDS = {
    "boundaries": [DATA],
    "held": [[["C.s"], []]],
    "locks": ["C.s"],
    "unprotected": ["class C"],
    "crowded": ["send C.c"],
}


def test_there_and_back() -> None:
    assert to_fields(TABLE, PROGRAM) == {"table": FIELDS}
    again = from_fields({"table": FIELDS}, PROGRAM, 0, Budget())
    assert (again.rows, again.held, again.locks, again.unprotected, again.crowded) == (
        TABLE.rows,
        TABLE.held,
        TABLE.locks,
        TABLE.unprotected,
        TABLE.crowded,
    )
    assert again.size == 1 and "1 states" in repr(again)


@pytest.mark.parametrize(
    ("path", "value"),
    [(("locks",), 1), (("locks", 0), 1), (("held",), {}), (("held", 0, 0), "m"), (("boundaries", 0, 0), True)],
)
def test_what_is_no_table(path: tuple[str | int, ...], value: object) -> None:
    fields: Any = deepcopy(FIELDS)
    part = fields
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises(ProofError):
        from_fields({"table": fields}, PROGRAM, 0, Budget())


def test_a_program_without_references_has_none() -> None:
    with pytest.raises(ProofError, match="no references"):
        from_fields({"table": FIELDS}, parse_boolean("void main() begin skip; end", "a.bp"), 0, Budget())
