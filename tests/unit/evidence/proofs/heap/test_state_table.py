"""A table of states: its form in a file, whole and within a bound."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.heap.state_table import Activation, StateRow, StateTable, from_fields, to_fields
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.evidence.questions.question import Bound
from knaster.frontends.boolean import parse as parse_boolean
from knaster.program.types import Reference
from support.zing_text import read

PROGRAM = read("C c; c = new C; async other();", "static void other() { }")
CELL = Reference("C", 1)
ROW = StateRow(1, (2, UNREAD), ((Activation("main", 1, True, (CELL,)),), ()), {CELL: (0, None)})
DATA = [1, [2, "?"], [[["main", 1, True, ["C#1"]]], []], {"C#1": [0, None]}]


def fields_of(table: StateTable) -> dict[str, Any]:
    found: dict[str, Any] = to_fields(table, PROGRAM)
    return found


def test_whole() -> None:
    table = StateTable(PROGRAM, (ROW,), reduced=True)
    assert fields_of(table) == {"table": {"reduced": True, "states": [DATA]}}
    again = from_fields(fields_of(table), PROGRAM, 0, Budget())
    assert (again.rows, again.reduced, again.bound, again.ran, again.size) == ((ROW,), True, None, (), 1)


def test_within_a_bound() -> None:
    table = StateTable(PROGRAM, (ROW,), False, Bound("switches", 2), ((1, 2),))
    fields = fields_of(table)
    assert fields == {"table": {"reduced": False, "states": [DATA], "switches": 2, "ran": [[1, 2]]}}
    again = from_fields(fields, PROGRAM, 0, Budget())
    assert (again.reduced, again.bound, again.ran) == (False, Bound("switches", 2), ((1, 2),))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("reduced",), 1),
        (("states", 0, 0), True),
        (("states", 0, 1), None),
        (("states", 0, 2, 0, 0, 1), "1"),
        (("states", 0, 2, 0, 0, 2), 0),
        (("states", 0, 2, 0, 0), ["main", 1, True]),
        (("states", 0, 3), []),
        (("switches",), -1),
        (("switches",), True),
        (("ran", 0), [1]),
        (("ran", 0), [1, -1]),
    ],
)
def test_what_is_no_table(path: tuple[str | int, ...], value: object) -> None:
    fields = deepcopy(fields_of(StateTable(PROGRAM, (ROW,), False, Bound("switches", 2), ((1, 2),))))
    part: Any = fields["table"]
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises(ProofError):
        from_fields(fields, PROGRAM, 0, Budget())


def test_a_program_without_references_has_none() -> None:
    fields = fields_of(StateTable(PROGRAM, (), True))
    with pytest.raises(ProofError, match="no references"):
        from_fields(fields, parse_boolean("void main() begin skip; end", "a.bp"), 0, Budget())


def test_a_bound_of_nothing_and_what_is_said_of_it() -> None:
    table = StateTable(PROGRAM, (ROW,), False, Bound("switches", 0), ((0, 0),))
    assert from_fields(fields_of(table), PROGRAM, 0, Budget()).bound == Bound("switches", 0)
    assert repr(table) == f"<StateTable of {PROGRAM.file}: 1 states with {table.bound}>"
    assert repr(StateTable(PROGRAM, (ROW,), False)) == f"<StateTable of {PROGRAM.file}: 1 states>"
