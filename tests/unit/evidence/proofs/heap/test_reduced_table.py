"""A table that leaves out the order of threads and turns that can wait: its form in a file."""

from __future__ import annotations

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.heap.reduced_table import ReducedTable, from_fields, to_fields
from knaster.evidence.proofs.heap.state_table import Activation, StateRow
from knaster.frontends.boolean import parse as parse_boolean
from knaster.program.types import Reference
from support.zing_text import read

PROGRAM = read("C c; c = new C; async other();", "static void other() { }")
CELL = Reference("C", 1)
ROW = StateRow(0, (2,), ((Activation("main", 1, False, (CELL,)),), ()), {CELL: (0, None)})
DATA = [0, [2], [[["main", 1, False, ["C#1"]]], []], {"C#1": [0, None]}]
FIELDS = {"representatives": [DATA], "symmetric": True, "chosen": [1]}


def test_there_and_back() -> None:
    table = ReducedTable(PROGRAM, (ROW,), True, (1,))
    assert to_fields(table, PROGRAM) == {"table": FIELDS}
    again = from_fields({"table": FIELDS}, PROGRAM, 0, Budget())
    assert (again.rows, again.symmetric, again.chosen) == (table.rows, True, (1,))
    assert again.size == 1 and "1 states" in repr(again)


@pytest.mark.parametrize("wrong", [{"symmetric": 1}, {"chosen": [True]}, {"chosen": 1}, {"representatives": {}}])
def test_what_is_no_table(wrong: dict[str, object]) -> None:
    with pytest.raises(ProofError):
        from_fields({"table": {**FIELDS, **wrong}}, PROGRAM, 0, Budget())


def test_a_program_without_references_has_none() -> None:
    with pytest.raises(ProofError, match="no references"):
        from_fields({"table": FIELDS}, parse_boolean("void main() begin skip; end", "a.bp"), 0, Budget())
