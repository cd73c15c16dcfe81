"""The graph of a function of C while it is read: jumps join locations, branches and failures are numbered last."""

from __future__ import annotations

from knaster.base.errors import Span
from knaster.frontends.c.lower.graph import Graph
from knaster.program.expression import FALSE, TRUE, Var
from knaster.program.model import Assign, Assume

HERE = Span(1, 1)


def ends(graph: Graph) -> list[tuple[int, int]]:
    return [(edge.source, edge.target) for edge in graph.finish()[2]]


def test_a_jump_joins_two_places() -> None:
    graph = Graph()
    graph.emit(Assign(("x",), (TRUE,)), HERE)
    graph.jump(graph.exit)
    assert graph.here is None and ends(graph) == [(0, 1)] and graph.finish()[:2] == (0, 1)


def test_an_empty_function_has_an_edge() -> None:
    graph = Graph()
    graph.jump(graph.exit)
    assert ends(graph) == [(0, 1)]


def test_a_branch_on_a_constant_is_none() -> None:
    graph = Graph()
    yes, no = graph.new(), graph.new()
    graph.branch(TRUE, yes, no, HERE)
    graph.place(yes)
    graph.emit(Assume(Var("x")), HERE, graph.exit)
    assert ends(graph) == [(0, 1)]
    graph = Graph()
    failure = graph.new()
    graph.failures.append(failure)
    graph.branch(FALSE, graph.exit, failure, HERE)
    assert ends(graph) == [(0, 1), (0, 2)] and graph.finish()[4] == (2,)


def test_a_loop() -> None:
    graph = Graph()
    head, body = graph.new(), graph.new()
    graph.place(head)
    graph.branch(Var("x"), body, graph.exit, HERE)
    graph.place(body)
    graph.emit(Assign(("x",), (FALSE,)), HERE)
    graph.jump(head)
    assert ends(graph) == [(0, 1), (0, 2), (1, 0)]


def test_a_run_that_stops_goes_nowhere() -> None:
    graph = Graph()
    graph.stop(HERE)
    graph.labels.append(("L", graph.current()))
    graph.jump(graph.exit)
    entry, leave, edges, labels, _ = graph.finish()
    assert (
        (entry, leave) == (0, 2)
        and [(edge.source, edge.target) for edge in edges] == [(0, 1)]
        and labels == (("L", 2),)
    )
