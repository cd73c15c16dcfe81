"""Models as graphs for questions about infinite runs: regions, false assumptions, and who can move."""

from __future__ import annotations

from knaster.evidence.proofs.kernel_text import program_to_kernel
from knaster.frontends.zing import parse
from knaster_check import read_program
from knaster_check.heap.graph import HeapGraph, Move, Node
from knaster_check.work import nothing

ROOM = "class Main {{ static int x; static bool stop; activate static void main() {{ {} }} {} }};"


def graph_of(main: str, more: str = "") -> tuple[HeapGraph, Node]:
    graph = HeapGraph(read_program(program_to_kernel(parse(ROOM.format(main, more), "a.zing"))), nothing)
    (start,) = graph.starts()
    return graph, start


def only(graph: HeapGraph, here: Node) -> Move:
    (move,) = graph.moves(here)
    return move


def test_regions() -> None:
    graph, start = graph_of("atomic { x = 1; x = 2; } x = 3;")
    first = only(graph, start).after
    inside = first if first.inside else only(graph, first).after
    assert inside.inside == 1 and graph.is_inside(inside) and not graph.is_inside(start)


def test_a_failure_is_outside_of_regions() -> None:
    graph, here = graph_of("atomic { x = 1; assert(x == 2); x = 3; }")
    while not here.failed:
        here = only(graph, here).after
    assert here.inside == 0 and graph.rests(here) and graph.is_over(here) and not list(graph.moves(here))


def test_a_false_assumption_is_no_step() -> None:
    graph, here = graph_of("x = 1; assume(x == 2); x = 3;")
    here = only(graph, here).after
    assert not list(graph.moves(here)) and not graph.can_move(here, 0)


def test_who_can_move() -> None:
    waits = "static void other() { select { wait(stop) -> x = 1; } }"
    graph, here = graph_of("async other(); x = 2; x = 3;", waits)
    here = only(graph, here).after
    while not here.memory.statics.get("Main.x"):
        (here,) = (move.after for move in graph.moves(here) if move.thread == 0)
    assert graph.count(here) == 2 and [graph.can_move(here, thread) for thread in (0, 1)] == [True, False]
