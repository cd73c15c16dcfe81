"""Nodes and moves of the graph of turns: who stands where, who moved, where runs end, and why it is not all."""

from __future__ import annotations

import pytest

from knaster.frontends.languages import load
from knaster.program.model import Program
from knaster.semantics.memory.threads.run_graph import MemoryGraph, MemoryMove, MemoryNode

pytest.importorskip("clang.cindex")

HEAD = """#include <pthread.h>
int x, y; pthread_mutex_t m; pthread_t t; float __VERIFIER_nondet_float(void); void far(void);
"""


def graph(thread: str, main: str) -> MemoryGraph:
    text = f"{HEAD}void *f(void *a) {{ {thread} return 0; }}\nint main() {{ {main} return 0; }}\n"
    program = load(text, file="p.c")
    assert isinstance(program, Program)
    return MemoryGraph(program)


def walk(found: MemoryGraph) -> dict[MemoryNode, list[MemoryMove]]:
    """Return the moves of every node."""
    (start,) = found.starts()
    moves: dict[MemoryNode, list[MemoryMove]] = {}
    todo = [start]
    while todo:
        node = todo.pop()
        if node not in moves:
            moves[node] = found.moves(node)
            todo += [move.after for move in moves[node]]
    return moves


CREATE = "pthread_create(&t, 0, f, 0);"


def test_nodes_know_where_threads_stand() -> None:
    found = graph("x = 1; x = 2;", f"{CREATE} y = 1; y = 2;")
    (start,) = found.starts()
    main = found.program.procedure("main")
    machine = start.machine
    assert machine is not None
    assert list(found.places(start)) == [(0, ("main", main.entry))] and found.count(start) == 1
    assert found.size(start) == len(machine.objects) + sum(len(each.cells) for each in machine.objects.values())
    assert found.node(start) is start and not found.is_inside(start) and not found.is_over(start)
    assert found.shared(start) == {}
    nodes = walk(found)
    assert found.starts() == [start]  # the same node
    both = [node for node in nodes if found.count(node) == 2]
    assert {number for node in both for number, _ in found.places(node)} == {0, 1}
    assert any([number for number, _ in found.places(node)] == [0] for node in both)  # the other one has ended
    for node in both:
        for number, (procedure, _) in found.places(node):
            assert procedure == ("main", "f")[number]


def test_a_move_is_one_of_the_thread_whose_place_it_changes() -> None:
    found = graph("x = 1; x = 2;", f"{CREATE} y = 1; y = 2;")
    nodes = walk(found)
    moved = set()
    for node, moves in nodes.items():
        for move in moves:
            assert move.steps > 0 and not move.is_silent
            before, after = dict(node.places), dict(move.after.places)
            assert {number for number in before if before[number] != after.get(number)} == {move.thread}
            assert found.can_move(node, move.thread) and not found.can_move(node, 2) and not found.rests(node)
            moved.add(move.thread)
    assert moved == {0, 1}


def test_a_turn_that_ends_the_run_leads_nowhere_and_is_one_nevertheless() -> None:
    found = graph("", "pthread_mutex_lock(&m);")
    nodes = walk(found)
    last = [node for node, moves in nodes.items() if not moves]
    assert last and all(found.can_move(node, 0) and not found.rests(node) for node in last)


def test_who_waits_for_ever_rests() -> None:
    found = graph("", "pthread_mutex_lock(&m); pthread_mutex_lock(&m);")
    assert [found.rests(node) for node, moves in walk(found).items() if not moves] == [True]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("if (__VERIFIER_nondet_float() > 1) x = 1;", "inputs that were tried"),
        ("void (*l)(void) = far; l();", "nobody defines"),
        ("x = 1;", ""),
    ],
)
def test_the_first_reason_why_it_is_not_all_is_told(body: str, said: str) -> None:
    found = graph(body, CREATE)
    walk(found)
    assert said in found.why and bool(found.why) is bool(said)
    again = graph(body, CREATE)
    again.why = "another reason"
    walk(again)
    assert again.why == "another reason"
