"""The check of an infinite run with references: every step is taken again, it counts, and its word breaks the question.

The file has `stem` and `cycle` as pairs of a thread and the alternative that its step takes, and the thread that is
`last`.  The cycle leads back to the same state up to the names of cells; or, of one thread, *deeper*: to a frame that
sees the same, above the one in which it began and never left; or the run *stays*: everybody waits or has ended, or the
next step of the last thread fails.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from knaster_check.heap.form import form_of
from knaster_check.heap.graph import HeapGraph, Node
from knaster_check.program import Program
from knaster_check.refused import Refused, Unsupported, expect, list_of, number_of, object_with
from knaster_check.table import Tick, Verdict
from knaster_check.temporal.graph import is_fair, letter_of
from knaster_check.temporal.refutation import FIELDS, Refutation

Passed = list[tuple[Node, int]]  # where a run stands before each of its steps, and who (0, 1, ...) takes it


def check(program: Program, data: Mapping[str, Any], tick: Tick) -> Verdict:
    """Return that a run which counts never ends, or violates a formula."""
    object_with(data, (*FIELDS, "last"), "'run_of_threads'")
    question, graph = Refutation(program, data), HeapGraph(program, tick)
    try:
        (start,) = graph.starts()
        stem, here = _follow(graph, start, data["stem"])
        last = number_of(data["last"], "the last thread", graph.count(here) + 1)
        expect(last > 0, "no thread is the last")
        cycle, end = _follow(graph, here, data["cycle"])
        expect(question.stays is (not cycle), "the cycle has no step, or the run stays and goes on")
        if question.stays:
            words, around = _stay(graph, here, question, last)
        else:
            back = _gets_deeper([node for node, _ in cycle], end) if question.deeper else end == here
            expect(back, "the cycle ends in another state")
            fair = is_fair(graph, question.fair, [node for node, _ in cycle], {thread for _, thread in cycle})
            expect(fair, "the run does not count")
            words, around = [], [node for node, _ in cycle]
        before = [*(node for node, _ in stem), *words]
        letters = [[letter_of(graph, node, question.meanings) for node in nodes] for nodes in (before, around)]
    except RecursionError:
        raise Unsupported("an expression is too deep") from None
    expect(question.is_refuted(*letters), "the formula holds on the run")
    return question.verdict(len(stem) + len(cycle))


def _follow(graph: HeapGraph, here: Node, data: object) -> tuple[Passed, Node]:
    """Return where a run stands before each of some steps and who takes it, and after the last."""
    passed: Passed = []
    for row in list_of(data, "steps"):
        thread, alternative = (number_of(part, "a step") for part in list_of(row, "a step", 2))
        passed.append((here, thread - 1))
        ways = [move for move in graph.moves(here) if (move.thread + 1, move.alternative) == (thread, alternative)]
        if not ways or (ways[0].after.failed and ways[0].after.memory is here.memory):
            raise Refused(f"thread {thread} cannot take a step")
        here = ways[0].after
    return passed, here


def _gets_deeper(nodes: Sequence[Node], end: Node) -> bool:
    """Tell whether the only thread never leaves its first frame, and ends in one above that sees the same."""
    if any(len(node.memory.threads) != 1 for node in (*nodes, end)):
        return False
    depths = [len(node.memory.threads[0]) for node in (*nodes, end)]
    return min(depths) == depths[0] < depths[-1] and _sight(nodes[0]) == _sight(end)


def _sight(node: Node) -> Hashable:
    """Return what the last frame of the only thread sees, up to the names of cells."""
    alone = node.memory.copy()
    alone.threads[0] = alone.threads[0][-1:]
    return form_of(alone), node.inside


def _stay(graph: HeapGraph, here: Node, question: Refutation, last: int) -> tuple[list[Node], list[Node]]:
    """Return the node before a step that fails, if one does, and where the run stays."""
    if graph.rests(here):
        expect(graph.is_over(here) is not question.waits, "the run is wrong about its end")
        return [], [here]
    end = Node(here.memory, 0, True)
    fails = any(move.thread + 1 == last and move.after == end for move in graph.moves(here))
    expect(fails and not question.waits, "a run that is said to stay can go on")
    return [here], [end]
