"""Decides whether every run of threads of C ends: a cycle among their states that counts, or all states without one.

A cycle is looked for among few states first, and among those that were seen where they are too many.  The run is
replayed here already: inputs have the values nearest to 0 with which a cycle can be gone around a few times, and where
these come back as others nothing is said.
"""

from __future__ import annotations

import time

from knaster.base.errors import InternalError
from knaster.base.limits import OutOfBudget
from knaster.engines.contract import Findings, Spent, Task, Undecided
from knaster.engines.explicit import ExplicitOptions
from knaster.engines.explicit.thread_lassos import Way, ways_in
from knaster.engines.explicit.thread_product import ThreadProduct
from knaster.evidence.answers.answer import Diverges, Terminates
from knaster.evidence.proofs.memory.memory_states import MemoryStates
from knaster.evidence.questions.product import EVERYTHING
from knaster.evidence.questions.question import Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.evidence.traces.memory_threads import TakenTurn, record_lasso
from knaster.semantics.memory.threads.run_graph import MemoryGraph

FEW = 1_000  # states, among which a cycle is looked for first
REPETITIONS = 4  # of a cycle, for which inputs are chosen


def find_memory_lasso(task: Task) -> Findings:
    """Decide whether every run of threads of C ends, or every fair one."""
    started, question = time.perf_counter(), task.question
    assert isinstance(task.options, ExplicitOptions)
    if not isinstance(question, Termination):
        return Findings(frozenset(), Undecided("formulas about programs with memory are not decided"), {})
    states = task.options.states
    graph, product, unknown = _explore(task, min(FEW, states))
    lasso = _lasso(product, question)
    if unknown is not None and lasso is None and states > FEW and not unknown.late:
        graph, product, unknown = _explore(task, states)
        lasso = _lasso(product, question)
    count = len(product.pairs)
    statistics = {"search_seconds": time.perf_counter() - started, "states": count}
    spent = Spent(states=count, exhausted=unknown is not None)
    if isinstance(lasso, Lasso):
        return Findings(frozenset(), None, statistics, ends=Diverges(lasso), spent=spent)
    if unknown is None and lasso is not None:
        unknown = Undecided(lasso)
    if unknown is None and graph.why:
        unknown = Undecided(graph.why)
    proof = MemoryStates(task.program, count, fair=question.fair)
    return Findings(
        frozenset(), unknown, statistics, ends=Terminates(proof) if unknown is None else None, rows=count, spent=spent
    )


def _explore(task: Task, states: int) -> tuple[MemoryGraph, ThreadProduct, Undecided | None]:
    """Return the states that were seen, and why these may not be all."""
    graph = MemoryGraph(task.program)
    product = ThreadProduct(graph, EVERYTHING, {}, rests=False)
    unknown: Undecided | None = None
    try:
        product.explore(states, task.budget.check)
    except OutOfBudget as spent:
        unknown = Undecided.because(spent, f"{len(product.pairs):,} states seen")
    except (RecursionError, MemoryError):
        unknown = Undecided("the states need too much memory")
    product.arcs += [[] for _ in range(len(product.pairs) - len(product.arcs))]
    return graph, product, unknown


def _lasso(product: ThreadProduct, question: Termination) -> Lasso | str | None:
    """Return a run that never ends and counts; why it is none where there seems to be one, None where there is none."""
    component = product.fair_component(question.fair)
    if component is None:
        return None
    stem, cycle = ways_in(product, set(component), question.fair)
    first = product.pairs[stem[0][0] if stem else cycle[0][0]][0]
    begin: list[TakenTurn] = [(1, 0, first.digits)]
    try:
        before, around = record_lasso(product.graph.program, [*begin, *_turns(stem)], _turns(cycle), REPETITIONS)
        lasso = Lasso(before, around, fair=question.fair)
        _replay(product, lasso, question)
    except OutOfBudget as spent:
        return str(spent)
    except InternalError:
        return "threads come back to a place for ever, perhaps with other values"
    return lasso


def _replay(product: ThreadProduct, lasso: Lasso, question: Termination) -> None:
    from knaster.checkers.memory.memory_lasso import check_memory_lasso

    check_memory_lasso(lasso, product.graph.program, question)


def _turns(way: Way) -> list[TakenTurn]:
    return [(arc.move.thread + 1, arc.move.steps, arc.move.digits) for _, arc in way if arc.move is not None]
