"""The check of an infinite run of a model with references: replayed step by step, and read as a word.

The cycle leads from where the stem stops back to the same state up to the names of cells; or, of one thread, into a
deeper frame that sees the same, and never leaves the one in which it began; or the run stays there: everybody waits or
has ended, or the next step of the thread that ran last fails.  Fairness is counted as for threads.
"""

from __future__ import annotations

from collections.abc import Hashable

from knaster.automata.words import Word, holds
from knaster.base.errors import InternalError
from knaster.checkers.runs.replay_heap import steps_of
from knaster.checkers.runs.run_letters import is_fair, letter_of
from knaster.evidence.questions.letters import Meanings, meanings_of
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.trace import Step, Trace
from knaster.program.model import Program
from knaster.semantics.heap.canonical_form import canonical
from knaster.semantics.heap.configuration import Configuration
from knaster.semantics.heap.failure import Fails
from knaster.semantics.heap.interpreter import FailedAssume, Machine
from knaster.semantics.heap.run_graph import HeapGraph, HeapNode

Passed = list[tuple[HeapNode, int]]  # where a run stands before each of its steps, and who takes it


def check_heap_lasso(lasso: Lasso, program: Program, question: Termination | Temporal) -> None:
    """Raise `InternalError` unless a lasso is a fair run of a model that is not as the question asks."""
    graph = HeapGraph(program)
    meanings = meanings_of(program, question) if isinstance(question, Temporal) else {}
    if lasso.recurs is not None or (lasso.deeper and lasso.stays):
        raise InternalError("a run with references has a cycle that comes back to the same state")
    word, around = _read(graph, lasso, meanings)
    if lasso.stays and isinstance(question, Termination):
        raise InternalError("a run that ends does not refute that every run does")
    if not lasso.stays and not is_fair(graph, question.fair, [node for node, _ in around], {who for _, who in around}):
        raise InternalError("the run is not fair")
    if isinstance(question, Temporal) and holds(question.formula, word):
        raise InternalError("the formula holds on the run that is said to violate it")


def heap_word_of(lasso: Lasso, program: Program, meanings: Meanings) -> Word:
    """Return the word of a run of a model that was checked."""
    return _read(HeapGraph(program), lasso, meanings)[0]


def fails_at_its_end(lasso: Lasso, program: Program) -> bool:
    """Tell whether the next step of a run that stays, and was checked, fails."""
    graph = HeapGraph(program)
    return not graph.rests(_follow(graph, graph.starts()[0], lasso.stem)[1])


def _read(graph: HeapGraph, lasso: Lasso, meanings: Meanings) -> tuple[Word, Passed]:
    """Replay a run; return its word, and where it stands before each step of its cycle."""
    before, here = _follow(graph, graph.starts()[0], lasso.stem)
    stem = tuple(letter_of(graph, node, meanings) for node, _ in before)
    around, end = _follow(graph, here, lasso.cycle)
    if lasso.stays:
        if around:
            raise InternalError("a run that stays goes on")
        resting, failing = _rest(graph, here, lasso)
        more = (letter_of(graph, here, meanings),) if failing else ()
        return Word((*stem, *more), (letter_of(graph, resting, meanings),)), []
    if not around or lasso.waits:
        raise InternalError("the cycle of a run has no step")
    if lasso.deeper:
        _see_deeper(here, [node for node, _ in around], end)
    elif end != here:
        raise InternalError("the cycle ends in another state than that in which it began")
    return Word(stem, tuple(letter_of(graph, node, meanings) for node, _ in around)), around


def _see_deeper(begin: HeapNode, around: list[HeapNode], end: HeapNode) -> None:
    """Raise unless a cycle never leaves the frame in which it begins, and ends in a deeper one that sees the same."""
    depths = [sum(map(len, node.configuration.threads)) for node in (*around, end)]
    if len(begin.configuration.threads) != 1 or min(depths) < depths[0] or depths[-1] <= depths[0]:
        raise InternalError("the cycle leaves the frame in which it begins, or does not end in a deeper one")
    if _visible(begin) != _visible(end):
        raise InternalError("the cycle ends in a frame that sees something else than the one in which it began")


def _visible(node: HeapNode) -> Hashable:
    """Return what the running frame of the only thread sees, up to the names of cells."""
    configuration = node.configuration
    alone = Configuration(configuration.statics, configuration.heap, [configuration.threads[0][-1:]])
    return canonical(alone, node.inside)


def _rest(graph: HeapGraph, here: HeapNode, lasso: Lasso) -> tuple[HeapNode, bool]:
    """Return where a run stays, and whether a step that fails leads there."""
    if graph.rests(here):
        if lasso.waits == graph.is_over(here):
            raise InternalError("the run is wrong about its end")
        return here, False
    thread = lasso.stem.segments[-1].thread
    end = HeapNode(here.configuration, 0, True)
    if lasso.waits or not any(move.thread + 1 == thread and move.after == end for move in graph.moves(here)):
        raise InternalError("a run that is said to stay can go on")
    return end, True


def _follow(graph: HeapGraph, here: HeapNode, trace: Trace) -> tuple[Passed, HeapNode]:
    """Return where a run stands before each step of a trace and who takes it, and after the last."""
    passed: Passed = []
    for thread, step in steps_of(trace):
        passed.append((here, thread - 1))
        here = _take(graph.machine, here, thread, step)
    return passed, here


def _take(machine: Machine, here: HeapNode, thread: int, step: Step) -> HeapNode:
    after, line = here.configuration.copy(), step.edge.span.line
    exists = 1 <= thread <= len(after.threads)
    may_move = thread == here.inside if here.inside else exists and machine.runnable(after, thread)
    if here.failed or not may_move:
        raise InternalError(f"thread {thread} cannot move at line {line}")
    frame = after.threads[thread - 1][-1]
    try:
        values = list(machine.alternatives(after, thread))
        event = machine.step(after, thread, values.index(step.inputs[0]) if step.inputs else 0)
    except (Fails, FailedAssume, ValueError) as error:
        raise InternalError(f"line {line} cannot be passed: {error}") from None
    if event.edge != step.edge:
        raise InternalError(f"the run takes another edge at line {line}")
    if not event.entered and not event.returned and after.state(frame) != step.after:
        raise InternalError(f"the state after line {line} is another one")
    failed = machine.failure_of(after, thread) is not None
    return HeapNode(after, thread if event.keeps and not failed else 0, failed)
