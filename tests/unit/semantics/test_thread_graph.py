"""Threads as a graph: who can move, where a run rests, and what lies inside a section."""

from __future__ import annotations

from knaster.frontends.boolean import parse
from knaster.semantics.thread_graph import Node, ThreadGraph


def graph(text: str) -> ThreadGraph:
    return ThreadGraph(parse(text, "t.bp", "default", None))


def everything(found: ThreadGraph) -> list[Node]:
    nodes = list(found.starts())
    for node in nodes:
        nodes += [after for move in found.moves(node) if (after := found.node(move.after)) not in nodes]
    return nodes


WAITS = "decl x := 0; void main_1() begin assume(x); end void main_2() begin skip; end"


def test_a_run_rests_where_nobody_can_move() -> None:
    found = graph(WAITS)
    resting = [node for node in everything(found) if found.rests(node)]
    assert resting and not any(found.is_over(node) for node in resting)
    assert all(not found.can_move(node, thread) for node in resting for thread in (0, 1))


def test_a_run_is_over_where_all_threads_have_ended_or_an_assertion_failed() -> None:
    found = graph("decl x; void main_1() begin assert(x); end void main_2() begin skip; end")
    over = [node for node in everything(found) if found.is_over(node)]
    assert {found.has_failed(node) for node in over} == {True, False}
    assert all(found.rests(node) and not list(found.places(node)) for node in over)
    assert not any(list(found.moves(node)) for node in over if found.has_failed(node))


def test_whoever_blocks_inside_a_section_cannot_move_before_it() -> None:
    text = "decl x := 0; void main_1() begin atomic_begin; skip; assume({0}); atomic_end; end "
    text += "void main_2() begin skip; end"
    for condition, able in (("x", False), ("!x", True)):
        found = graph(text.format(condition))
        start = found.starts()[0]
        assert found.can_move(start, 0) == able
        assert any(found.is_inside(node) for node in everything(found))


def test_whoever_stays_in_a_section_for_ever_can_move() -> None:
    found = graph(
        "void main_1() begin atomic_begin; while (1) do skip; od atomic_end; end void main_2() begin skip; end"
    )
    assert found.can_move(found.starts()[0], 0)


def test_coming_back_is_silent_and_stands_nowhere() -> None:
    found = graph("void main_1() begin f(); end void main_2() begin skip; end void f() begin skip; end")
    nodes = everything(found)
    silent = [(node, move) for node in nodes for move in found.moves(node) if move.is_silent]
    assert silent and all(move.thread not in dict(found.places(node)) for node, move in silent)


def test_a_thread_begins_alone_only_where_its_locals_decide_whether_it_can_move() -> None:
    other = "void main_2() begin skip; end"
    for first, count in (("assume(l);", 2), ("l := T;", 0), ("skip;", 0), ("atomic_begin; assume(l); atomic_end;", 2),
                         ("enforce(T | l); skip;", 2), ("f(l);", 2),
                         ("l := * constrain 'l;", 0), ("x := T constrain l;", 2)):  # fmt: skip
        found = graph(f"decl x; void main_1() begin decl l; {first} end {other} void f(a) begin enforce(a); skip; end")
        start = next(node for node in found.starts() if not node.stacks[0][-1].frame)
        assert len(list(found.beginnings(start, 0))) == count
        moves = list(found.moves(start))
        assert [move.is_beginning for move in moves if move.thread == 0] == [
            move.is_silent for move in moves if move.thread == 0
        ]


def test_who_runs_is_remembered_inside_a_section_only() -> None:
    found = graph("void main_1() begin skip; end void main_2() begin atomic_begin; skip; atomic_end; skip; end")
    nodes = everything(found)
    assert {node.running for node in nodes if found.is_inside(node)} == {1}
    assert {node.running for node in nodes if not found.is_inside(node)} == {0}
    assert {found.node(node._replace(running=1)).running for node in nodes if not found.is_inside(node)} == {0}


def test_how_large_a_node_is_and_who_has_ended() -> None:
    found = graph("void main_1() begin f(); end void f() begin end_thread; end void main_2() begin skip; end")
    nodes = everything(found)
    assert {found.size(node) for node in nodes} == {2, 3, 4}
    ended = [node for node in nodes if not node.stacks[0]]
    assert ended and all(thread == 1 for node in ended for thread, _ in found.places(node))
