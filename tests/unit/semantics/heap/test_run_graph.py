"""Models as a graph: names of cells do not count, failures end a run, and who can only come to a false assume waits."""

from __future__ import annotations

import pytest

from knaster.base.limits import OutOfBudget
from knaster.frontends.zing import parse
from knaster.semantics.heap.run_graph import HeapGraph, HeapNode


def graph(body: str, other: str = "") -> HeapGraph:
    second = f"activate static void two() {{ {other} }}" if other else ""
    main = f"static C g; static bool x; activate static void one() {{ {body} }} {second}"
    return HeapGraph(parse(f"class C {{ C f; }}; class Main {{ {main} }};", "t.zing"))


def everything(found: HeapGraph) -> list[HeapNode]:
    nodes = list(found.starts())
    for node in nodes:
        nodes += [move.after for move in found.moves(node) if move.after not in nodes]
    return nodes


def test_names_of_cells_and_garbage_do_not_count() -> None:
    assert len(everything(graph("while (true) { g = new C; }"))) <= 5


def test_a_step_that_fails_is_taken_and_ends_the_run() -> None:
    for body in ("g.f = null;", "assert(x);", "atomic { x = true; select { wait(!x) -> ; } }"):
        found = graph(body, "x = x;")
        ends = [node for node in everything(found) if node.failed]
        assert ends and all(found.is_over(node) and found.rests(node) for node in ends)
        assert not any(list(found.moves(node)) or list(found.places(node)) for node in ends)


def test_a_run_to_a_false_assume_is_none() -> None:
    found = graph("assume(x);")
    start, *others = everything(found)
    assert not others and not found.rests(start) and not found.can_move(start, 0)


def test_who_can_only_come_to_a_false_assume_cannot_move() -> None:
    found = graph("atomic { x = !x; assume(x); }", "x = true;")
    start = found.starts()[0]
    assert found.can_move(start, 0) and found.can_move(start, 1)
    (after,) = [move.after for move in found.moves(start) if move.thread == 1]
    assert not found.can_move(after, 0) and len(list(found.moves(after))) == 2  # it may begin, and is no run then


def test_waits_where_one_may_end_are_ends() -> None:
    found = graph("select end { wait(x) -> ; }")
    assert found.is_over(found.starts()[0])
    found = graph("select { wait(x) -> ; }")
    assert found.rests(found.starts()[0]) and not found.is_over(found.starts()[0])


def test_the_second_of_three_threads() -> None:
    """Its step fails, and it can only come to a false assume."""
    text = "class C { C f; }; class Main { static C g; static bool x; activate static void one() { x = x; }"
    for body, able in (("g.f = null;", True), ("atomic { x = x; assume(false); }", False)):
        middle = f"activate static void two() {{ {body} }} activate static void three() {{ x = x; }}"
        found = HeapGraph(parse(f"{text} {middle} }};", "t.zing"))
        start = found.starts()[0]
        assert [found.can_move(start, thread) for thread in range(3)] == [True, able, True]
        (move,) = [each for each in found.moves(start) if each.thread == 1]
        assert move.after.failed is able
        assert move.edge in found.program.procedure("two").edges


def test_a_region_of_the_second_of_three_threads_that_recurses() -> None:
    idle = "activate static void {0}() {{ x = x; }} "
    text = "class Main { static bool x; static void f() { f(); } " + idle.format("one")
    found = HeapGraph(parse(text + "activate static void two() { atomic { f(); } } " + idle.format("three") + "};"))
    with pytest.raises(OutOfBudget, match="recurses"):
        found.can_move(found.starts()[0], 1)


def test_how_large_a_node_is() -> None:
    found = graph("C a; a = new C; g = a; x = true;", "x = false;")
    assert found.size(found.starts()[0]) == 5  # two statics, a local and two frames
    assert {found.size(node) for node in everything(found)} == {4, 5, 6, 7}


def test_who_stands_before_a_statement() -> None:
    found = graph("x = true;", "x = false; x = true;")
    ended = [node for node in everything(found) if not node.configuration.threads[0]]
    places = [[thread for thread, _ in found.places(node)] for node in ended]
    assert [1] in places and all(each in ([1], []) for each in places)
