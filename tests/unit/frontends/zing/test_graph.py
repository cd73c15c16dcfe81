"""The graph of a method while it is read: labels, atomic regions, scopes that are left, and asserts that fail."""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.frontends.zing.graph import SKIP, Graph, Label
from knaster.program.expression import Var
from knaster.program.types import BOOL
from support.zing_text import read

HERE = Span(1, 1)


def test_what_is_open_leads_to_the_next_step() -> None:
    graph = Graph()
    yes, no = graph.branch(Var("b"), HERE)
    label = Label(None, 0)
    graph.labels["L"] = label
    graph.open, graph.waiting = [yes, no], [label]
    graph.step(SKIP, HERE)
    graph.leave((), HERE)
    procedure = graph.build("p", (), [], {"b": BOOL}, HERE)
    assert [(edge.source, edge.target) for edge in procedure.edges] == [(0, 1), (0, 1), (1, 2), (2, 3)]
    assert (procedure.entry, procedure.exit, procedure.labels) == (0, 3, (("L", 1),))


def test_asserts_fail_behind_the_exit() -> None:
    main = read("assert(true); assert(false);").procedure("main")
    assert main.exit == 3 and main.failures == (4, 5)
    assert [(edge.source, edge.target) for edge in main.edges] == [(0, 1), (0, 4), (1, 2), (1, 5), (2, 3)]


def test_steps_inside_an_atomic_block_keep_on() -> None:
    main = read("; atomic { ; ; } ;").procedure("main")
    assert [edge.keeps for edge in main.edges] == [False, True, True, False, False, False]


def test_a_jump_out_of_an_atomic_block_ends_it() -> None:
    main = read("atomic { ; goto L; } L: ;").procedure("main")
    jump = next(edge for edge in main.edges if edge.source == 1)
    assert not jump.keeps and jump.target == dict(main.labels)["L"]


def test_edges_forget_the_variables_of_the_blocks_that_they_leave() -> None:
    main = read("int a; { int b; { int c; ; } ; } ;").procedure("main")
    assert [edge.forgets for edge in main.edges] == [("c",), ("b",), (), ()]
    main = read("{ int b; { int c; goto L; } } L: ;").procedure("main")
    assert main.edges[0].forgets == ("c", "b")
