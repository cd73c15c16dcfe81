"""Procedures with references: every edge is there, what is several steps keeps others away, and bits are forgotten."""

from __future__ import annotations

from knaster.frontends.languages import load
from knaster.program.model import Assume, Call, Procedure
from knaster.program.objects import Choose, Join, Store
from knaster.transform.reference_models.entry_values import entry_values
from knaster.transform.reference_models.procedures import ReferenceProcedure
from knaster.transform.reference_models.section_flags import section_flags

OTHER = "void main_2() begin skip; end\nbool f(p) begin decl l; return l; end\n"


def made(body: str) -> Procedure:
    program = load(f"decl g, h;\nvoid main_1() begin decl a; {body} end\n{OTHER}")
    begins = {each.name: entry_values(each) for each in program.procedures}
    own = program.procedure("main_1")
    procedure, points = ReferenceProcedure(program, own, section_flags(program)["main_1"], begins).finish()
    origins = {id(edge.origin) for edge in procedure.edges}
    assert all(id(edge) in origins for edge in own.edges)
    assert list(points.values()) == list(range(len(points))) and sorted(points) == list(points)
    return procedure


def test_a_condition_is_waited_for_and_a_branch_is_none() -> None:
    assert any(isinstance(edge.action, Join) for edge in made("assume(g);").edges)
    assert not any(isinstance(edge.action, Join) for edge in made("if (g) then h := T; fi").edges)


def test_values_that_change_places_are_kept_aside() -> None:
    stores = [edge for edge in made("g, h := h, g;").edges if isinstance(edge.action, Store)]
    assert [edge.keeps for edge in stores] == [True, True, True, False]
    assert stores[-1].forgets and stores[-1].origin is not None and stores[0].origin is None
    assert len([edge for edge in made("g, h := T, g;").edges if isinstance(edge.action, Store)]) == 4
    assert len([edge for edge in made("g, h := h, T;").edges if isinstance(edge.action, Store)]) == 2


def test_choices_are_made_before_and_forgotten_behind() -> None:
    edges = made("g := f(* & a);").edges
    chosen = [edge.action.place for edge in edges if isinstance(edge.action, Choose)]
    (call,) = (edge for edge in edges if isinstance(edge.action, Call))
    assert isinstance(call.action, Call) and len(call.action.arguments) == 2  # p, and any value of l
    assert len(chosen) == 2 and set(call.forgets) == {place.name for place in chosen}  # type: ignore[union-attr]


def test_inside_a_section_every_edge_keeps() -> None:
    procedure = made("atomic_begin; if (*) then g := T; else goto L; fi L: h := F; atomic_end;")
    inside = [edge for edge in procedure.edges if edge.origin is not None or isinstance(edge.action, Assume | Choose)]
    ends = [edge for edge in inside if not edge.keeps]
    assert [edge.span.line for edge in ends] == [2] * len(ends) and len(ends) == 1
