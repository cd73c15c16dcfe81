"""The part of a program that is left: the same places, without what does not matter."""

from __future__ import annotations

from knaster.frontends.languages import load
from knaster.program.expression import TRUE
from knaster.program.model import Assume, Call, Return
from knaster.program.validate import validate
from knaster.transform.cones.cone import find_cone
from knaster.transform.cones.part import keep_cone

TEXT = """int in(void);
int a, b;
int pick(int p, int q) { b = q; return p; }
void other(void) { b = 1; }
int main(void) { a = pick(in(), 3); other(); assert(a); return 0; }
"""


def test_a_part_has_the_places_of_the_program_and_less_of_everything_else() -> None:
    whole = load(TEXT, file="x.c")
    part = keep_cone(whole, find_cone(whole, [("main", whole.procedure("main").failures[0])]))
    assert part.globals == ("a",) and [procedure.name for procedure in part.procedures] == ["pick", "main"]
    pick, main = part.procedures
    assert pick.parameters == ("p",) and pick.results == ("@0",)
    assert main.size == whole.procedure("main").size and len(main.edges) == len(whole.procedure("main").edges)
    calls = [edge.action for edge in main.edges if isinstance(edge.action, Call)]
    assert [(call.procedure, len(call.arguments)) for call in calls] == [("pick", 1)]
    assert Assume(TRUE) in [edge.action for edge in main.edges]
    assert Return(()) in [edge.action for edge in main.edges]  # nobody reads what main returns
    assert all(edge.origin is not None for edge in main.edges)
    validate(part)
