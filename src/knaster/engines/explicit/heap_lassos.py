"""Runs of models with references that are not as asked: from a cycle in the graph of pairs, its lasso."""

from __future__ import annotations

from collections.abc import Sequence

from knaster.engines.explicit.thread_product import Arc, ThreadProduct
from knaster.evidence.proofs.heap.fair_states import FairState, FairStates
from knaster.evidence.proofs.heap.state_table import Activation, StateRow
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.heap_recorder import HeapRecorder
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Trace
from knaster.program.types import Reference, Value
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.interpreter import Machine
from knaster.semantics.heap.run_graph import HeapMove, HeapNode

Way = Sequence[tuple[int, Arc]]


def heap_lasso(product: ThreadProduct, stem: Way, cycle: Way, question: Temporal | Termination) -> Lasso:
    """Return the run along a stem and a cycle; without a cycle it rests where the stem ends."""
    machine = Machine(product.graph.program)
    recorder = HeapRecorder(machine, machine.start())
    before = _record(recorder, _moves(stem), cycle)
    formula = str(question) if isinstance(question, Temporal) else ""
    if not cycle:
        last = stem[-1][1].target if stem else 0
        waits = not product.graph.is_over(product.pairs[last][0])
        return Lasso(before, recorder.stand_still(), stays=True, waits=waits, formula=formula, fair=question.fair)
    follows = recorder.go_on()
    around = _record(follows, _moves(cycle), ())
    return Lasso(before, around, formula=formula, fair=question.fair)


def _moves(way: Way) -> list[HeapMove]:
    """Return the moves of a way; where the run rests there are none."""
    return [arc.move for _, arc in way if arc.move is not None]


def _record(recorder: HeapRecorder, moves: Sequence[HeapMove], following: Way) -> Trace:
    """Take moves, and return their trace; without any the thread that moves afterwards stands there."""
    for move in moves:
        recorder.run(move.thread + 1)
        if not _fails(move):
            recorder.step(move.alternative)
    if not moves and following:
        recorder.run(following[0][1].move.thread + 1)
    return recorder.trace()


def _fails(move: HeapMove) -> bool:
    """Tell whether the interpreter refuses the step: one into the place behind a failed assertion it takes."""
    here = move.after
    frames = here.configuration.threads[move.thread]
    return here.failed and bool(frames) and frames[-1].location == move.edge.source


def fair_states(product: ThreadProduct, question: Temporal | Termination) -> FairStates:
    """Return the table of all pairs; runs that have failed are no rows of it."""
    rows = [_row(node, state) for node, state in product.pairs if not node.failed]
    return FairStates(product.graph.program, question, product.automaton, tuple(rows))


def _row(node: HeapNode, state: int) -> FairState:
    configuration = node.configuration
    threads = tuple(
        tuple(Activation(f.procedure, f.location, f.base, tuple(f.values.values())) for f in frames)
        for frames in configuration.threads
    )
    row = StateRow(node.inside, tuple(configuration.statics.values()), threads, _cells(configuration))
    return FairState(row, state)


def _cells(configuration: Configuration) -> dict[Reference, tuple[Value, ...]]:
    """Return the cells that can be reached."""
    todo: list[Value] = [*configuration.statics.values()]
    todo += [value for frames in configuration.threads for frame in frames for value in frame.values.values()]
    found: dict[Reference, tuple[Value, ...]] = {}
    while todo:
        value = todo.pop()
        if not isinstance(value, tuple | Reference):
            continue
        if not isinstance(value, Reference):
            todo += value
        elif value not in found:
            found[value] = configuration.heap[value]
            todo += found[value]
    return {cell: found[cell] for cell in configuration.heap if cell in found}
