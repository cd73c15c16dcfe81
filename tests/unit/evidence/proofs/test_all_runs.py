"""All runs as a set of states: its form in a file, what it leaves unreached, and what is no state."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.base.errors import ProofError
from knaster.base.limits import Budget
from knaster.evidence.proofs.all_runs import AllRuns, from_fields, to_fields
from knaster.frontends.boolean import parse as parse_boolean
from knaster.frontends.c import parse

PROGRAM = parse("int main(void) { int x = 1; if (x > 1) { x = 7; } return 0; }\n", "a.c")
(MAIN,) = PROGRAM.procedures
STATES = (("main", (), MAIN.entry, (0, 0)), ("main", (), MAIN.exit, (1, 0)))
ROWS = [["main", [], MAIN.entry, [0, 0]], ["main", [], MAIN.exit, [1, 0]]]
FIELDS: dict[str, Any] = {"runs": {"states": ROWS, "dead": []}}


def test_both_ways() -> None:
    written = to_fields(AllRuns(PROGRAM, STATES), PROGRAM)["runs"]
    assert written["states"] == ROWS and ["main", MAIN.exit, ["x", "@0"]] in written["dead"]
    again = from_fields(FIELDS, PROGRAM, 0, Budget())
    assert again == AllRuns(PROGRAM, STATES) and repr(again) == "<AllRuns of a.c: 2 states>"


def test_between_the_states_runs_are_walked() -> None:
    """Nobody is at the assignment of 7, although the proof has states of the entry and the exit only."""
    (place,) = AllRuns(PROGRAM, STATES).unreached_places()
    (edge,) = MAIN.leaving[place[1]]
    assert place[0] == "main" and "7" in str(edge.action)


@pytest.mark.parametrize(
    "state",
    [
        ["main", [], 0],
        ["other", [], 0, [0, 0]],
        ["main", [], -1, [0, 0]],
        ["main", [], MAIN.size, [0, 0]],
        ["main", [], True, [0, 0]],
        ["main", [], 0, ["x"]],
        ["main", None, 0, [0, 0]],
    ],
)
def test_what_is_no_state(state: Any) -> None:
    with pytest.raises(ProofError):
        from_fields({"runs": {"states": [state], "dead": []}}, PROGRAM, 0, Budget())


def test_a_boolean_program_has_no_such_states() -> None:
    with pytest.raises(ProofError, match="no integers"):
        from_fields(FIELDS, parse_boolean("void main() begin skip; end", "a.bp"), 0, Budget())


def test_dead_variables_are_those_that_decide_nothing_any_more() -> None:
    program = parse("int main(void) { int x = 1, y = 2, z; z = x + y; if (y > 1) { z = 7; } return z; }\n", "a.c")
    main = program.procedure("main")
    dead = {(name, at): names for name, at, names in to_fields(AllRuns(program, ()), program)["runs"]["dead"]}
    sums = next(edge for edge in main.edges if "z" in str(edge.action) and "x" in str(edge.action))
    assert {"x", "z"} <= set(dead["main", sums.source]) and "y" not in dead["main", sums.source]
    assert set(dead["main", main.exit]) >= {"x", "y", "z"}
