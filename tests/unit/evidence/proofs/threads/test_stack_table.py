"""A table of stacks: letters and sets are listed once, and rows have their numbers."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.threads.stack_table import (
    ContextRow,
    Letter,
    Moment,
    StackSet,
    StackTable,
    _letter,
    _stack_set,
    from_fields,
    to_fields,
)
from knaster.frontends.boolean import parse
from knaster.program.model import Call
from knaster.semantics.threads import UNBEGUN, Activation

PROGRAM = parse("decl g;\nvoid main() begin\n  decl x;\n  f();\n  g := x;\nend\nvoid f() begin\n  skip;\nend\n", "a.bp")
(CALLING,) = [n for n, edge in enumerate(PROGRAM.procedure("main").edges) if isinstance(edge.action, Call)]
BEFORE = Letter(Activation("main", UNBEGUN, ()), True)
WAITING = Letter(Activation("main", 0, (True,), CALLING), True)
INNER = Letter(Activation("f", 0, ()), False)
UNBEGUN_STACK = StackSet(({BEFORE: 1}, {}), (False, True))
CALLED = StackSet(({INNER: 1}, {WAITING: 2}, {}), (False, False, True))
ROW = ContextRow(0, (UNBEGUN_STACK,), {Moment((True,), False, False): CALLED, Moment((False,), True, False): CALLED})
TABLE = StackTable(PROGRAM, (ROW,))
DATA = {
    "letters": [
        ["main", UNBEGUN, [], None, True],
        ["f", 0, [], None, False],
        ["main", 0, [True], CALLING, True],
    ],
    "sets": [[[[[0, 1]], []], [False, True]], [[[[1, 1]], [[2, 2]], []], [False, False, True]]],
    "rows": [[0, [0], [[[True], False, False, 1], [[False], True, False, 1]]]],
}


def test_both_ways() -> None:
    assert to_fields(TABLE, PROGRAM) == {"stacks": DATA}
    assert from_fields({"stacks": DATA}, PROGRAM, 0, Budget()).rows == (ROW,)


def test_a_running_thread_stands_at_the_top_of_its_stack() -> None:
    assert TABLE.places() == {("f", 0)}
    assert TABLE.unreached_places() == (("main", 0), ("main", 1))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("letters", 1, 0), "g"),
        (("letters", 1, 1), 99),
        (("letters", 1, 1), -2),
        (("letters", 1, 2), [True]),  # f has no variables
        (("letters", 2, 3), 1),  # that edge is no call
        (("letters", 2, 1), 1),  # the call is made elsewhere
        (("letters", 1, 4), 0),
        (("sets", 0, 0, 0, 0), [3, 1]),
        (("sets", 0, 0, 0, 0), [0, 2]),
        (("sets", 0, 0, 0), [[0, 1], [0, 1]]),
        (("sets", 0, 1), [False]),
        (("sets", 0), [[], []]),
        (("rows", 0, 0), 1),
        (("rows", 0, 1), []),
        (("rows", 0, 1), [2]),
        (("rows", 0, 2, 0, 0), []),
        (("rows", 0, 2, 1), [[True], False, False, 1]),  # the same moment again
        (("rows", 0, 2, 0, 3), -1),
    ],
)
def test_what_is_no_table(path: tuple[str | int, ...], value: object) -> None:
    data: Any = deepcopy(DATA)
    part = data
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises(ProofError):
        from_fields({"stacks": data}, PROGRAM, 0, Budget())


MAIN = PROGRAM.procedure("main")


@pytest.mark.parametrize(
    ("letter", "message"),
    [
        (["main", MAIN.size - 1, [True], None, True], ""),
        (["main", MAIN.size, [True], None, True], "a letter has no place"),
        (["main", UNBEGUN - 1, [True], None, True], "a letter has no place"),
        (["main", 0, [True], len(MAIN.edges), True], "a letter waits for no call"),
        (["main", 0, [True], -1, True], "a letter waits for no call"),
    ],
)
def test_letters(letter: Any, message: str) -> None:
    procedures = {procedure.name: procedure for procedure in PROGRAM.procedures}
    if message:
        with pytest.raises(ProofError, match=message):
            _letter(letter, procedures)
    else:
        assert _letter(letter, procedures).activation.location == letter[1]


def test_moves_lead_to_states_the_first_too() -> None:
    looping = _stack_set([[[[0, 0]]], [True]], [INNER])
    assert looping.moves == ({INNER: 0},)
    for move in ([0, 1], [0, -1], [1, 0], [-1, 0], [0]):
        with pytest.raises(ProofError, match="a move of a set of stacks is none"):
            _stack_set([[[move]], [True]], [INNER])
