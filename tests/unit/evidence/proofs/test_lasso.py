"""A run that never ends in a file: edges and inputs, from which the states in between are computed again."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.lasso import from_fields, to_fields
from knaster.frontends.boolean import parse

PROGRAM = parse(
    "decl g;\nvoid main() begin\n  g := T;\n  while (g) do\n    f();\n  od\nend\nvoid f() begin\n  g := !g | g;\nend\n",
    "a.bp",
)
MAIN = PROGRAM.procedure("main")
EDGE = {(edge.source, edge.target): number for number, edge in enumerate(MAIN.edges)}
FIRST, INTO, CALL = EDGE[0, 1], EDGE[1, 2], EDGE[2, 1]
DATA: dict[str, Any] = {
    "paths": [
        ["main", None, [False], [[FIRST, [], None]]],
        ["f", None, [True], [[0, [], None]]],
        ["main", 1, [True], [[INTO, [], None], [CALL, [], 1]]],
    ],
    "stem": [0],
    "cycle": [2],
    "deeper": False,
    "set": None,
    "inputs": [],
    "others": [],
}


def read(data: Any) -> Any:
    return from_fields({"lasso": data}, PROGRAM, 0, Budget())


def test_states_are_computed_again() -> None:
    lasso = read(DATA)
    assert lasso.stem.paths[-1].steps[-1].after == {"g": True} and lasso.stem.location == 1
    assert lasso.cycle.paths[-1].steps[-1].after == {"g": True} and lasso.cycle.location == 1
    assert lasso.recurs is None and not lasso.deeper


def test_what_is_written_is_what_was_read() -> None:
    again = to_fields(read(DATA), PROGRAM)["lasso"]
    assert again == DATA


def test_a_set_to_which_it_comes_back() -> None:
    formula = [["variable", "g"]]
    more = {"set": formula, "inputs": [[FIRST, True]], "others": [["f", 0, formula]]}
    lasso = read({**DATA, **more})
    assert lasso.recurs.inputs == ((FIRST, True),) and lasso.recurs.others[0][0] == ("f", 0)
    assert to_fields(lasso, PROGRAM)["lasso"] == {**DATA, **more}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("deeper",), 0),
        (("stem",), []),
        (("stem",), [3]),
        (("cycle",), [-1]),
        (("paths", 0, 0), "other"),
        (("paths", 0, 1), 99),
        (("paths", 0, 2), []),
        (("paths", 0, 3, 0), [99, [], None]),
        (("paths", 0, 3, 0), [FIRST, [], 0]),  # no call, and something inside
        (("paths", 2, 3, 1), [CALL, [], 0]),  # a run of another procedure inside
        (("paths", 2, 3, 1), [CALL, [], 2]),  # nothing that comes before it
        (("paths", 2, 2), [False]),  # the loop is not entered
        (("inputs",), [[FIRST, True]]),  # of no set
        (("others",), [["f", 0, [["truth", True]]]]),
    ],
)
def test_what_is_no_run(path: tuple[str | int, ...], value: object) -> None:
    data = deepcopy(DATA)
    part: Any = data
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises(ProofError):
        read(data)
