"""Letters at nodes of a graph of runs, and fairness of cycles: weakly what is not always so, strongly what never is."""

from __future__ import annotations

from typing import Any

import knaster
from knaster.checkers.runs.run_letters import is_fair, letter_of
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.properties import property_named
from knaster.evidence.questions.question import Temporal
from knaster.semantics.thread_graph import ThreadGraph

TEXT = "decl x := 1; void main_1() begin while (1) do x := !x; od end void main_2() begin assume(x); L: skip; end\n"


def test_a_thread_that_can_move_now_and_then_is_forgotten_by_a_weakly_fair_cycle() -> None:
    graph = ThreadGraph(knaster.parse(TEXT))
    nodes = list(graph.starts())
    for node in nodes:
        nodes += [m.after for m in graph.moves(node) if m.thread == 0 and graph.node(m.after) not in nodes]
    nodes = [graph.node(node) for node in nodes]
    assert {graph.can_move(node, 1) for node in nodes} == {True, False}
    assert is_fair(graph, "none", nodes, {0}) and is_fair(graph, "weak", nodes, {0})
    assert not is_fair(graph, "strong", nodes, {0}) and is_fair(graph, "strong", nodes, {0, 1})
    able = [node for node in nodes if graph.can_move(node, 1)]
    assert not is_fair(graph, "weak", able, {0})


class Growing:
    """Two nodes, between which a thread is started that can move."""

    def is_inside(self, node: int) -> bool:
        return False

    def count(self, node: int) -> int:
        return node

    def can_move(self, node: int, thread: int) -> bool:
        assert thread < node
        return True


def test_a_thread_that_is_not_there_yet_cannot_move() -> None:
    growing: Any = Growing()
    assert is_fair(growing, "weak", [1, 2], {0}) and not is_fair(growing, "strong", [1, 2], {0})


def test_letters() -> None:
    graph = ThreadGraph(knaster.parse(TEXT))
    question = property_named("F (at(L) & {x} & ended & in(main_2))").question
    assert isinstance(question, Temporal)
    letter = letter_of(graph, graph.starts()[0], meanings_of(graph.program, question))
    assert letter == {"{x}", "in(main_2)"}
