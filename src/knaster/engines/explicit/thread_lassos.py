"""Decides termination and formulas of small programs with threads: a fair run that is not as asked, or all pairs."""

from __future__ import annotations

import time
from collections.abc import Collection

from knaster.automata.ltl import Formula
from knaster.automata.words import Word, holds
from knaster.base.limits import OutOfBudget
from knaster.engines.contract import Findings, Task, Undecided
from knaster.engines.explicit import ExplicitOptions
from knaster.engines.explicit.heap_lassos import fair_states, heap_lasso
from knaster.engines.explicit.thread_product import Arc, ThreadProduct
from knaster.engines.thread_runs import lasso_of_moves
from knaster.engines.vacuous_formulas import candidates_of, remarks_about
from knaster.engines.violations import automaton_against
from knaster.evidence.answers.answer import Diverges, Terminates
from knaster.evidence.proofs.fair_table import FairTable
from knaster.evidence.proofs.heap.fair_states import FairStates
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.product import EVERYTHING
from knaster.evidence.questions.question import Temporal, Termination
from knaster.evidence.traces.lasso import Lasso
from knaster.program.model import Kind
from knaster.program.threads import recursive_procedure
from knaster.semantics.run_graph import run_graph
from knaster.semantics.thread_graph import Move, ThreadGraph

Way = list[tuple[int, Arc]]


def find_thread_lasso(task: Task) -> Findings:
    """Decide whether every run of threads, or every fair one, is as the question asks."""
    started, question, options = time.perf_counter(), task.question, task.options
    assert isinstance(question, Temporal | Termination) and isinstance(options, ExplicitOptions)
    with_heap = task.program.kind is Kind.REFERENCES
    if not with_heap and (recursive := recursive_procedure(task.program)) is not None:
        why = f"'{recursive}' calls itself, and infinite runs of threads that recurse are not decided yet"
        return Findings(frozenset(), Undecided(why), {})
    automaton, meanings = EVERYTHING, {}
    if isinstance(question, Temporal):
        automaton = automaton_against(question.formula, task.budget)
        meanings = meanings_of(task.program, question)
    product = ThreadProduct(run_graph(task.program), automaton, meanings, rests=isinstance(question, Temporal))
    unknown: Undecided | None = None
    component = None
    try:
        product.explore(options.states, task.budget.check)
        component = product.fair_component(question.fair)
    except OutOfBudget as spent:
        unknown = Undecided.because(spent, f"{len(product.pairs)} states seen")
    statistics: dict[str, int | float | str] = {
        "fixpoint_seconds": time.perf_counter() - started,
        "automaton_states": automaton.states,
        "states": len(product.pairs),
    }
    if unknown is not None:
        return Findings(frozenset(), unknown, statistics)
    if component is not None:
        stem, cycle = _ways(product, set(component), question.fair)
        lasso = (heap_lasso if with_heap else thread_lasso)(product, stem, cycle, question)
        return Findings(frozenset(), None, statistics, ends=Diverges(lasso))
    remarks = _remarks(product, question, options.states, task) if isinstance(question, Temporal) else ()
    proof: FairTable | FairStates = (
        fair_states(product, question)
        if with_heap
        else FairTable(task.program, question, automaton, tuple(product.pairs))
    )
    return Findings(frozenset(), None, statistics, ends=Terminates(proof), rows=len(product.pairs), remarks=remarks)


def _remarks(product: ThreadProduct, question: Temporal, limit: int, task: Task) -> tuple[str, ...]:
    """Return what never happens, beside the automaton or, where that has stopped, in any run."""

    def happens(letters: Collection[frozenset[str]], formula: Formula) -> bool:
        return any(holds(formula, Word((), (letter,))) for letter in letters)

    seen = product.letters()
    left = [each for each in candidates_of(question.formula) if not happens(seen, each[0])]
    if left:
        alone = ThreadProduct(product.graph, EVERYTHING, product.meanings, rests=False)
        try:
            alone.explore(limit, task.budget.check)
        except OutOfBudget:
            task.budget.check()
            return ()
        seen = alone.letters()
    return remarks_about([each for each in left if not happens(seen, each[0])])


def _ways(product: ThreadProduct, component: set[int], fair: str) -> tuple[Way, Way]:
    """Return a stem and a cycle; where a bad prefix is enough, the stem begins with a shortest one that can go on."""
    first = product.bad_prefix()
    ahead = None if first is None else product.fair_component(fair, first)
    if first is None or ahead is None:
        return ways_in(product, component, fair)
    _, cycle = ways_in(product, set(ahead), fair)
    rest = range(len(product.pairs))
    goals = {cycle[0][0]} if cycle else {n for n in ahead if any(arc.move is None for arc in product.arcs[n])}
    onward = [] if first in goals else product.way_within(first, rest, lambda _, arc: arc.target in goals)
    return product.way_to(first) + onward, cycle


def ways_in(product: ThreadProduct, component: set[int], fair: str) -> tuple[Way, Way]:
    """Return a stem and a cycle of a run that goes around in a component and counts; no cycle where a run rests."""
    for number in sorted(component):
        if any(arc.move is None and arc.target in component for arc in product.arcs[number]):
            return product.way_to(number), []
    first = min(component)
    return product.way_to(first), _cycle(product, component, first, fair)


def thread_lasso(product: ThreadProduct, stem: Way, cycle: Way, question: Termination | Temporal) -> Lasso:
    """Return the run of threads along a stem and a cycle; without a cycle it rests where the stem ends."""
    graph = product.graph
    assert isinstance(graph, ThreadGraph)
    last = product.pairs[stem[-1][1].target if stem else 0][0]
    return lasso_of_moves(graph, _moves(stem), _moves(cycle), last, question)


def _moves(way: Way) -> list[Move]:
    return [arc.move for _, arc in way if arc.move is not None]


def _cycle(product: ThreadProduct, component: set[int], first: int, fair: str) -> Way:
    """Return a way from a pair back to it: with an accepting step, and with what shows that it is fair."""
    graph = product.graph
    outside = [number for number in component if not graph.is_inside(product.pairs[number][0])]
    way = product.way_within(first, component, lambda _, arc: arc.accepts)
    if fair != "none" and outside:
        threads = {thread for number in outside for thread in range(graph.count(product.pairs[number][0]))}
        for thread in sorted(threads):
            where = {n for n in outside if not product.can_move(n, thread)} if fair == "weak" else set[int]()
            passed = {number for number, _ in way} & where
            if passed or any(arc.move is not None and arc.move.thread == thread for _, arc in way):
                continue
            more = product.way_within(
                way[-1][1].target,
                component,
                lambda number, arc, thread=thread, where=where: (  # type: ignore[misc]
                    number in where or (arc.move is not None and arc.move.thread == thread)
                ),
            )
            way += more
    last = way[-1][1].target
    return way if last == first else way + product.way_within(last, component, lambda _, arc: arc.target == first)
