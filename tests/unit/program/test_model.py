"""What the model says once: the arguments of a call, its results, the edges that leave a location, the size."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from knaster.program.expression import FALSE, TRUE, Var
from knaster.program.model import (
    Assume,
    Call,
    Concurrent,
    Edge,
    Procedure,
    Program,
    Return,
    ThreadOperation,
    old,
)

CALLEE = Procedure("f", ("a", "b"), ("@0", "@1"), (), 0, 1, (Edge(0, Return((TRUE, FALSE)), 1),))


def test_a_call_binds_each_parameter_to_its_argument() -> None:
    call = Call("f", (TRUE, Var("x")), ("x", None))
    assert list(call.bindings(CALLEE)) == [("a", TRUE), ("b", Var("x"))]
    start = Concurrent(ThreadOperation.START, procedure="f", arguments=(Var("y"), FALSE))
    assert list(start.bindings(CALLEE)) == [("a", Var("y")), ("b", FALSE)]
    with pytest.raises(ValueError):
        list(Call("f", (TRUE,)).bindings(CALLEE))


@pytest.mark.parametrize(
    ("targets", "results"),
    [
        ((), []),  # a bare call
        (("x", "y"), [("x", "@0"), ("y", "@1")]),
        ((None, "y"), [("y", "@1")]),
        ((None, None), []),
    ],
)
def test_a_call_gives_its_results_to_those_who_take_them(
    targets: tuple[str | None, ...], results: list[tuple[str, str]]
) -> None:
    assert Call("f", (TRUE, TRUE), targets).results(CALLEE) == results


BRANCHES = (Edge(0, Assume(Var("g")), 1), Edge(0, Assume(TRUE), 3), Edge(1, Assume(TRUE), 0), Edge(1, Return(()), 2))
MAIN = Procedure("main", (), (), (), 0, 2, BRANCHES)


def test_edges_leave_locations_in_the_order_of_the_text() -> None:
    assert MAIN.leaving == {0: BRANCHES[:2], 1: BRANCHES[2:]}
    assert MAIN.leaving is MAIN.leaving
    assert MAIN.leaving.get(2, ()) == MAIN.leaving.get(99, ()) == ()


def test_an_edited_procedure_has_its_own_edges() -> None:
    assert MAIN.leaving[1]
    assert replace(MAIN, edges=BRANCHES[:2]).leaving == {0: BRANCHES[:2]}


def test_what_was_looked_up_changes_no_comparison_and_survives_pickle() -> None:
    fresh = replace(MAIN)
    assert MAIN.leaving and fresh == MAIN and hash(fresh) == hash(MAIN) and repr(fresh) == repr(MAIN)
    assert pickle.loads(pickle.dumps(MAIN)).leaving == MAIN.leaving


def test_the_size_of_a_program_counts_edges() -> None:
    program = Program(("g",), (MAIN, CALLEE))
    assert program.size == 5 and Program((), ()).size == 0
    assert repr(program) == "<Program <text>: 2 procedures, 5 edges>"


def test_the_value_at_the_entry_has_a_name_that_no_text_has() -> None:
    assert old("x") == "\\old(x)"
