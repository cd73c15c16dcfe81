"""Runs that end well: none of them has been at a target."""

from __future__ import annotations

import pytest

import knaster
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.validate import validate
from knaster.semantics.explore import reachable_locations
from knaster.transform.passing_runs import add_end


@pytest.mark.parametrize(
    ("body", "passes"),
    [
        ("if (*) then ERROR: skip; fi", True),
        ("ERROR: skip;", False),
        ("assume(F); ERROR: skip;", False),
        ("skip; if (F) then ERROR: skip; fi", True),
    ],
)
def test_ends(body: str, passes: bool) -> None:
    program = knaster.parse(f"void main() begin\n {body} end\n")
    whole, end = add_end(program, resolve_targets(program, "ERROR"))
    assert validate(whole, end.procedure) == []
    assert (end.place in reachable_locations(whole, end.procedure)) is passes
    kept = {id(edge) for edge in program.procedure("main").edges}
    assert all(id(edge) in kept for edge in whole.procedure("main").edges)
