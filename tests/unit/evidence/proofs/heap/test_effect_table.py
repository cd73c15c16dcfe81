"""A table of effects: the calls of a program with one thread, in a file and back."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.heap.effect_table import EffectRow, EffectTable, PathRow, RootRow, from_fields, to_fields
from knaster.evidence.proofs.heap.values import UNREAD
from knaster.program.types import Reference
from support.zing_text import read

PROGRAM = read("C c; c = new C;")
CELL = Reference("C", 1)
PATH = PathRow(3, True, (CELL,), (2,), {CELL: (1, None)}, 0)
EFFECT = EffectRow((True,), "Wrong", (UNREAD,), {})
ROOT = RootRow("main", False, (5,), (UNREAD,), {CELL: UNREAD}, (CELL,), (PATH,), (EFFECT, EFFECT))
TABLE = EffectTable(PROGRAM, (ROOT,))
DATA = {
    "procedure": "main",
    "base": False,
    "formals": [5],
    "statics": ["?"],
    "cells": {"C#1": "?"},
    "held": ["C#1"],
    "paths": [[3, True, ["C#1"], [2], {"C#1": [1, None]}, 0]],
    "effects": [[[True], "Wrong", ["?"], {}]] * 2,
}


def test_both_ways() -> None:
    assert to_fields(TABLE, PROGRAM) == {"table": {"roots": [DATA]}}
    assert from_fields({"table": {"roots": [DATA]}}, PROGRAM, 0, Budget()).roots == (ROOT,)
    assert TABLE.size == 4


def test_any_cell_may_be_held() -> None:
    (root,) = from_fields({"table": {"roots": [{**DATA, "held": None}]}}, PROGRAM, 0, Budget()).roots
    assert root.held is None


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("procedure",), 1),
        (("base",), 0),
        (("held",), [1]),
        (("cells",), {"C": []}),
        (("paths", 0, 0), None),
        (("paths", 0, 1), 1),
        (("paths", 0, 5), "0"),
        (("paths", 0), []),
        (("effects", 0, 1), 7),
        (("effects", 0), [[], None, []]),
        (("more",), 1),
    ],
)
def test_what_is_no_table(path: tuple[str | int, ...], value: object) -> None:
    root: Any = deepcopy(DATA)
    part = root
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises(ProofError):
        from_fields({"table": {"roots": [root]}}, PROGRAM, 0, Budget())
