"""The check of an infinite run of threads: every move is one of the graph, it counts, and its word breaks the question.

The file has `paths` (as `paths` reads them), and `stem` and `cycle` as segments (as `run` does).  What is told of a
move are its thread, its edge and the states of the running activation; the graph (`thread_graph`) says where all
others stand.  The cycle leads back to the very node in which it
began; or *deeper* in the stack of the one thread that moves in it, which never comes back below; or the run *stays*
because it is over or, where it *waits*, nobody can move.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from knaster_check.boolean.thread_steps import Stack
from knaster_check.evaluate import State
from knaster_check.paths import Path, replay_paths
from knaster_check.program import Edge, Program, Target, Thread
from knaster_check.refused import Refused, expect, list_of, number_of, object_with
from knaster_check.table import Tick, Verdict
from knaster_check.temporal.graph import is_fair, letter_of
from knaster_check.temporal.refutation import FIELDS, Refutation
from knaster_check.temporal.thread_graph import Node, ThreadGraph


class Event(NamedTuple):
    """What is told of a move: whose it is, its edge (None: back into a caller), the states before and after.

    There is no state before the way back, and none after the end of a thread.
    """

    thread: int  # 0, 1, ...
    edge: Edge | None
    before: State | None
    after: State | None


def check(program: Program, document: Mapping[str, Any], targets: tuple[Target, ...], tick: Tick) -> Verdict:
    """Return that a run which counts never ends, or violates a formula."""
    expect(not targets, "a run that never ends excludes no target")
    if program.kind == "references":
        from knaster_check.heap.lasso import check as check_heap_lasso

        return check_heap_lasso(program, document["run_of_threads"], tick)
    if program.kind == "memory":
        from knaster_check.memory.lasso import check as check_memory_lasso

        return check_memory_lasso(program, document["run_of_threads"], tick)
    expect(program.kind == "boolean" and program.is_threaded, "it is a run of threads")
    data = object_with(document["run_of_threads"], (*FIELDS, "paths"), "'run_of_threads'")
    question = Refutation(program, data)
    paths = replay_paths(program, data["paths"], True, tick)
    stem, cycle = (list(_events(list_of(data[part], part), paths)) for part in ("stem", "cycle"))
    expect(question.stays is (not cycle), "the cycle has no step, or the run stays and goes on")
    run = _Run(ThreadGraph(program), question, tick)
    last = data["stem"][-1][1][-1]
    shared = tuple(bool(paths[last].state[name]) for name in program.globals)
    run.check(stem, cycle, shared)
    return question.verdict(len(stem) + len(cycle))


def _events(segments: Sequence[object], paths: Sequence[Path]) -> Iterator[Event]:
    """Yield the moves of some segments; calls that return are walked through."""
    expect(bool(segments), "a part of a run has no segment")
    for segment in segments:
        thread, numbers = list_of(segment, "a segment", 2)
        own = [paths[number_of(each, "a path", len(paths))] for each in list_of(numbers, "the paths of a segment")]
        expect(bool(own) and number_of(thread, "a thread") > 0, "a segment has no path, or no thread")
        for number, path in enumerate(own):
            if number and own[number - 1].calling is None:
                yield Event(thread - 1, None, None, path.start)
            following = own[number + 1].start if number + 1 < len(own) else None
            expect(path.calling is None or following is not None, "a segment ends with a call that nobody enters")
            yield from _events_of(thread - 1, path, following)


def _events_of(thread: int, path: Path, following: State | None) -> Iterator[Event]:
    todo: list[tuple[Path, int, State | None]] = [(path, 0, None)]  # a path, its next step, and the state afterwards
    while todo:
        here, at, back = todo.pop()
        if at == len(here.steps):
            if back is not None:
                yield Event(thread, None, None, back)
            continue
        edge, state, inside = here.steps[at]
        after = here.steps[at + 1][1] if at + 1 < len(here.steps) else here.state
        todo.append((here, at + 1, back))
        if inside is not None:
            yield Event(thread, edge, state, inside.start)
            todo.append((inside, 0, after))
        elif edge is here.calling:
            yield Event(thread, edge, state, following)
        else:
            ends = isinstance(edge.action, Thread) and edge.action.operation == "end_thread"
            yield Event(thread, edge, state, None if ends else after)


class _Run:
    """A run that is followed on the graph of a program."""

    def __init__(self, graph: ThreadGraph, question: Refutation, tick: Tick) -> None:
        self.graph, self.question, self.tick = graph, question, tick

    def check(self, stem: Sequence[Event], cycle: Sequence[Event], shared: tuple[bool, ...]) -> None:
        """Refuse a run that is none, does not count, or is as it should be."""
        ways = self._follow(self.graph.starts(), stem)
        for end in [node for node in ways[-1] if node.shared == shared]:
            before = self._letters(_nodes_to(ways, end), stem)
            for node in self._with_beginnings(end, {event.thread for event in cycle}):
                around = self._stay(node) if self.question.stays else self._go_around(node, cycle)
                if around is not None and self.question.is_refuted(before, around):
                    return
        raise Refused("the run does not come back to where its cycle began, does not count, or is as it should be")

    def _stay(self, node: Node) -> list[set[str]] | None:
        fits = self.graph.rests(node) and self.graph.is_over(node) is not self.question.waits
        return [letter_of(self.graph, node, self.question.meanings)] if fits else None

    def _go_around(self, node: Node, cycle: Sequence[Event]) -> list[set[str]] | None:
        """Return the letters of the cycle from a node; None where it is no cycle there, or one that does not count."""
        try:
            ways = self._follow([node], cycle)
        except _Stuck:
            return None
        moved = {event.thread for event in cycle}
        for end in ways[-1]:
            nodes = _nodes_to(ways, end)
            comes_back = _gets_deeper(nodes, end, moved) if self.question.deeper else end == node
            if comes_back and is_fair(self.graph, self.question.fair, nodes, moved):
                return self._letters(nodes, cycle)
        return None

    def _follow(self, nodes: Iterable[Node], events: Sequence[Event]) -> list[Before]:
        """Return where a run may stand before each move that is told and after the last, each with a node before it."""
        ways: list[Before] = [dict.fromkeys(nodes)]
        for event in events:
            ways.append({after: node for node in ways[-1] for after in self._after(node, event)})
            if not ways[-1]:
                raise _Stuck(f"thread {event.thread + 1} cannot make a move that the run tells")
        return ways

    def _after(self, node: Node, event: Event) -> Iterator[Node]:
        self.tick()
        for move in self.graph.moves(node):
            if (move.thread, move.edge) != (event.thread, event.edge):
                continue
            if event.before is not None and self.graph.state(node, move.begun) != event.before:
                continue
            stack = move.after.stacks[move.thread]
            if (self.graph.state(move.after, stack) if stack else None) == event.after:
                yield move.after

    def _with_beginnings(self, end: Node, moving: set[int]) -> list[Node]:
        """Return a node, and those in which threads that move no more have begun, with whatever values of locals."""
        todo = [end]
        for node in todo:  # grows
            for thread in range(0 if self.graph.is_inside(node) else len(node.stacks)):
                for move in self.graph.beginnings(node, thread) if thread not in moving else ():
                    if move.after not in todo:
                        todo.append(move.after)
        return todo

    def _letters(self, nodes: Sequence[Node], events: Sequence[Event]) -> list[set[str]]:
        """Return the letters of a run: one before each statement."""
        pairs = zip(nodes, events, strict=True)
        return [letter_of(self.graph, node, self.question.meanings) for node, event in pairs if event.edge is not None]


# mutant: a name of a type
Before = dict[Node, Node | None]  # nodes, each with one from which a move leads there


def _nodes_to(ways: Sequence[Before], end: Node) -> list[Node]:
    """Return the nodes before each move of a run that ends in a node."""
    found = []
    for back in reversed(ways[1:]):
        before = back[end]
        assert before is not None
        found.append(before)
        end = before
    return found[::-1]


def _gets_deeper(nodes: Sequence[Node], end: Node, moved: Collection[int]) -> bool:
    """Tell whether one thread moves, never below where it began, and ends in the same activation with more below it."""
    if len(moved) != 1:
        return False
    (thread,), first = moved, nodes[0]
    before, after = first.stacks[thread], end.stacks[thread]
    above = all(len(node.stacks[thread]) >= len(before) for node in nodes)
    same = first._replace(stacks=_without(first, thread)) == end._replace(stacks=_without(end, thread))
    return same and above and len(after) > len(before) > 0 and before[0][:4] == after[0][:4]


def _without(node: Node, thread: int) -> tuple[Stack, ...]:
    return (*node.stacks[:thread], *node.stacks[thread + 1 :])


class _Stuck(Refused):
    """A move that is told cannot be made."""
