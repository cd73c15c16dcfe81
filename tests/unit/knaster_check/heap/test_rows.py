"""Rows of tables are read without trust: values of their types, over cells that are there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.zing import parse
from knaster_check import Refused, read_program
from knaster_check.heap.machine import Machine
from knaster_check.heap.memory import UNREAD
from knaster_check.heap.rows import Rows, read_cells, read_slots, read_state
from knaster_check.program import Reference
from support.kernel_heap import table_document
from support.small_models import THREADS, model

PROGRAM = read_program(program_to_kernel(parse(model("x = 1;"))))
CELL, POST = Reference("C", 1), Reference("Post", 1)
PAIR = ("struct", "P", (("a", ("int", 32, True)), ("b", ("bool",))))


@pytest.mark.parametrize(
    ("value", "type", "fits"),
    [
        (True, ("bool",), True),
        (1, ("bool",), False),
        (1, ("int", 32, True), True),
        (True, ("int", 32, True), False),
        (None, ("int", 32, True), False),
        (None, ("pointer", "C"), True),
        (CELL, ("pointer", "C"), True),
        (Reference("C", 2), ("pointer", "C"), False),
        (1, ("pointer", "C"), False),
        ((1, True), PAIR, True),
        ((1, 1), PAIR, False),
        ((1,), PAIR, False),
        ((1, True, 1), PAIR, False),
        ((), PAIR, False),
        (1, PAIR, False),
        (0, ("float",), False),
    ],
)
def test_values_of_types(value: Any, type: Any, fits: bool) -> None:
    assert Rows(PROGRAM, {CELL: (0, None)}, False)._fits(value, type) is fits


@pytest.mark.parametrize(
    ("cells", "partial", "good"),
    [
        ({POST: UNREAD}, True, True),
        ({POST: UNREAD}, False, False),
        ({CELL: UNREAD}, True, False),
        ({POST: (1, 2)}, False, True),
        ({POST: (1, True)}, False, False),
        ({CELL: (1, None)}, False, True),
        ({CELL: (1, CELL)}, False, True),
        ({CELL: (UNREAD, None)}, True, True),
        ({CELL: (UNREAD, None)}, False, False),
        ({CELL: (1,)}, False, False),
        ({Reference("Row", 1): (1, 2, 3)}, False, True),
        ({Reference("Row", 1): (1, 2)}, False, False),
        ({Reference("Any", 1): (1, 2)}, False, True),
        ({Reference("Nothing", 1): ()}, False, False),
    ],
)
def test_cells(cells: Any, partial: bool, good: bool) -> None:
    if good:
        assert Rows(PROGRAM, cells, partial).cells == cells
        return
    with pytest.raises(Refused):
        Rows(PROGRAM, cells, partial)


def test_what_is_written_is_read() -> None:
    assert read_slots([1, "?", "C#1", None]) == (1, UNREAD, CELL, None)
    assert read_cells({"C#1": [1, None], "Post#1": "?"}) == {CELL: (1, None), POST: UNREAD}
    wrongs: list[Any] = [[], {"C": []}, {"1": []}]
    for wrong in wrongs:
        with pytest.raises(Refused):
            read_cells(wrong)


def test_who_chooses_has_not_ended() -> None:
    program = parse(THREADS["the second chooses"])
    machine = Machine(read_program(program_to_kernel(program)))
    document = table_document(program, "explicit")
    assert document is not None
    rows = [row for row in json.loads(json.dumps(document))["table"]["states"] if row[0] == 2 and len(row[2]) == 3]
    assert any(not row[2][2] for row in rows)  # the third thread has ended
    for row in rows:
        assert read_state(machine, row)[1] == 2
        for other, reason in ((4, "chooses that is none"), (9, "chooses that is none")):
            with pytest.raises(Refused, match=reason):
                read_state(machine, [other, *row[1:]])
        row[2][1] = []
        with pytest.raises(Refused, match="chooses that is finished"):
            read_state(machine, row)
