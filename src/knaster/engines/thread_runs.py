"""Runs of threads as lassos: from the moves of a stem and of a cycle, the traces that are shown and replayed."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.recorder import Recorder
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Call
from knaster.semantics.thread_graph import Move, Node, ThreadGraph
from knaster.semantics.threads import Configuration


def lasso_of_moves(
    graph: ThreadGraph, stem: Sequence[Move], cycle: Sequence[Move], last: Node, question: Termination | Temporal
) -> Lasso:
    """Return the run along a stem and a cycle; without a cycle it rests in the node `last`, where the stem ends."""
    formula, fair = str(question) if isinstance(question, Temporal) else "", question.fair
    first = cycle[0].begun if cycle else _first(graph, last)
    trace, recorder = _record(graph, stem, Recorder(graph.program), first)
    if not cycle:
        follows = recorder.go_on()
        follows.run(recorder.running, trace.segments[-1].paths[-1].end)
        return Lasso(trace, follows.trace(), stays=True, waits=not graph.is_over(last), formula=formula, fair=fair)
    around, _ = _record(graph, cycle, recorder.go_on(), None)
    return Lasso(trace, around, formula=formula, fair=fair)


def _first(graph: ThreadGraph, node: Node) -> Configuration:
    """Return a node in which runs begin, with a thread that has begun."""
    threads = range(len(node.stacks))
    return next(begun for thread in threads for begun in graph.threads.begin(node._replace(running=thread)))


def _record(
    graph: ThreadGraph, moves: Sequence[Move], recorder: Recorder, first: Configuration | None
) -> tuple[Trace, Recorder]:
    """Return the run along moves, and its recorder; where there is no move, it stands in the `first` configuration."""
    threads = graph.threads
    for move in moves:
        if move.is_beginning:
            recorder.run(move.thread + 1, threads.state(move.after))
            continue
        recorder.run(move.thread + 1, threads.state(move.begun))
        ended = not move.after.stacks[move.thread]
        state = threads.state(move.begun if ended else move.after)
        if move.edge is None:
            recorder.come_back(state)
        elif isinstance(move.edge.action, Call):
            recorder.call(move.edge, move.edge.action.procedure, state)
        else:
            recorder.step(move.edge, state)
    if not moves:
        assert first is not None
        recorder.run(first.running + 1, threads.state(first))
    return recorder.trace(), recorder
