"""Who can move, rests or is over, on sets: as the graph of single configurations says."""

from __future__ import annotations

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.bdd.store import Store
from knaster.checkers.threads.thread_letters import ThreadLetters
from knaster.checkers.threads.thread_steps import Steps
from knaster.engines.threads.states.lassos import configuration_set
from knaster.program.layout.lanes import make_lanes
from knaster.semantics.thread_graph import Node, ThreadGraph
from support.thread_questions import QUESTIONS, STARTED

BLOCKS = "decl x := 0; void main_1() begin {} end void main_2() begin skip; end\n"
LOCKED = (
    "decl atomic, x; void init() begin atomic, x := F, F; end\n"
    "void thread1() begin {} end\nvoid thread2() begin skip; x := T; end\n"
)
TEXTS = (
    *dict.fromkeys(text for text, _, _, _ in QUESTIONS),
    LOCKED.format("atomic := T; assume(x); atomic := F;"),
    LOCKED.format("atomic := T; x := T; assume(x); atomic := F;"),
    LOCKED.format("atomic := T; while (T) do assume(!x); x := T; od"),
    BLOCKS.format("atomic_begin; x := 1; assume(x); atomic_end;"),
    BLOCKS.format("x := 1; atomic_begin; x := 0; assume(x); atomic_end;"),
    BLOCKS.format("atomic_begin; while (1) do assume(!x); x := 1; od atomic_end;"),
    STARTED,
)


@pytest.mark.parametrize("text", TEXTS)
def test_as_configuration_by_configuration(text: str) -> None:
    program = knaster.parse(text)
    assert (program.atomic is not None) == ("thread1" in text)
    graph, lanes = ThreadGraph(program), make_lanes(program, int(text is STARTED), False)
    store = Store(lanes.size, 1 << 16)
    letters = ThreadLetters(Steps(lanes, store), {}, Budget())
    todo: list[Node] = list(graph.starts())
    for node in todo:  # grows
        only = configuration_set(store, lanes, graph, node)
        outside = not graph.is_inside(node)
        assert (letters.over & only != store.false) == graph.is_over(node)
        for thread in range(len(node.stacks)) if outside else ():
            assert (letters.can_move[thread] & only != store.false) == graph.can_move(node, thread)
        if outside:
            assert (letters.resting & only != store.false) == graph.rests(node)
        todo += [after for move in graph.moves(node) if (after := graph.node(move.after)) not in todo]
