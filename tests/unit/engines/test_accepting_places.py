"""Accepting steps as places: each is left by one step that does nothing."""

from __future__ import annotations

from knaster.base.limits import Budget
from knaster.engines.accepting_places import passing_places
from knaster.evidence.questions.question import Termination
from knaster.frontends.boolean import parse
from knaster.program.model import Assume, Call


def test_loops_and_recursive_calls() -> None:
    text = "decl g; void main() begin while (g) do g := *; od f(); end void f() begin if (*) then f(); fi end\n"
    found = passing_places(parse(text, "t.bp", "default", None), Termination(), Budget())
    assert len(found.places) == 2 and found.states == 1
    for name, location in found.places:
        (edge,) = found.program.procedure(name).leaving[location]
        assert isinstance(edge.action, Assume) and found.after((name, location)) == (name, edge.target)
    recursive = [place for place in found.places if place[0] == "f"]
    (behind,) = found.program.procedure("f").leaving[found.after(recursive[0])[1]]
    assert isinstance(behind.action, Call)
