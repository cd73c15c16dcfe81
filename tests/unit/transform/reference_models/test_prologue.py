"""The prologue: it chooses what is not said of the start, and nobody runs before it has started the last thread."""

from __future__ import annotations

from knaster.frontends.languages import load
from knaster.program.expression import TRUE, Var
from knaster.program.model import Assume, Call, Concurrent, Procedure
from knaster.program.objects import Choose
from knaster.transform.reference_models.entry_values import entry_values
from knaster.transform.reference_models.prologue import fixed_globals, prologue

TWO = "void main_1() begin skip; end void main_2() begin decl l; if (l) then skip; fi end"


def made(text: str) -> Procedure:
    program = load(text + "\n")
    return prologue(program, {each.name: entry_values(each) for each in program.procedures})


def test_what_is_said_is_fixed_and_the_rest_is_chosen() -> None:
    text = f"decl a, b, c, d; init (a & !b & (c | a)); {TWO}"
    assert fixed_globals(load(text + "\n")) == {"a": True, "b": False}
    edges = made(text).edges
    chosen = [edge.action.place for edge in edges if isinstance(edge.action, Choose)]
    assert chosen[:2] == [Var("c"), Var("d")] and len(chosen) == 3  # and the local of a thread
    assert any(isinstance(edge.action, Assume) and edge.action.condition != TRUE for edge in edges)
    assert [edge.keeps for edge in edges] == [True] * (len(edges) - 2) + [False, False]
    assert sum(isinstance(edge.action, Concurrent) for edge in edges) == 2


def test_what_is_said_twice_is_no_start() -> None:
    edges = made(f"decl a; init (a & !a); {TWO}").edges
    assert any(isinstance(edge.action, Assume) for edge in edges)


def test_a_sequential_program_is_called() -> None:
    edges = made("decl a; void main() begin a := T; end").edges
    assert isinstance(edges[0].action, Call) and len(edges) == 2
