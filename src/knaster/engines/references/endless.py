"""Decides termination and formulas of models of one thread by summaries: infinite runs as cycles among path edges.

Seed 004's NT on effects: where the fixed point over the model (beside the automaton, for a formula) ends, its table is
a finite graph of steps, calls that return and calls that do not (`checkers.heap.effect_arcs`); a run that is not as
asked is a cycle with an accepting row, otherwise the table is the proof.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from knaster.automata.automaton import Automaton
from knaster.base.limits import OutOfBudget
from knaster.base.records import replace
from knaster.checkers.heap.effect_arcs import Arcs, Row
from knaster.checkers.heap.effect_table import check_effect_table
from knaster.checkers.heap.fair_effects import failures
from knaster.engines.contract import Findings, Spent, Task, Undecided
from knaster.engines.references import ReferenceOptions
from knaster.engines.references.endless_runs import lasso_through
from knaster.engines.references.searches import Search
from knaster.engines.violations import automaton_against
from knaster.evidence.answers.answer import Diverges, Terminates
from knaster.evidence.proofs.heap.effect_table import EffectTable
from knaster.evidence.proofs.heap.fair_effects import FairEffects
from knaster.evidence.questions.heap_product import ACCEPTED, heap_product, why_no_product
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.product import EVERYTHING
from knaster.evidence.questions.question import Target, Temporal, Termination
from knaster.program.model import Program
from knaster.views.heap.proof_tables import effect_table
from knaster.views.heap.summary_tables import Done, Tables, TooMany

Statistics = dict[str, int | float | str]


def find_endless_run(task: Task, search: Callable[[Tables[Target]], Search]) -> Findings:
    """Decide whether every run is as the question asks, by the fixed point that `search` is."""
    question, started = task.question, time.perf_counter()
    assert isinstance(question, Temporal | Termination)
    if why := why_no_product(task.program, isinstance(question, Temporal)):
        return Findings(frozenset(), Undecided(f"summaries do not follow infinite runs here: {why}"), {})
    automaton, product = EVERYTHING, task.program
    if isinstance(question, Temporal):
        automaton = automaton_against(question.formula, task.budget)
        product = heap_product(task.program, automaton, meanings_of(task.program, question))
    targets = failures() if isinstance(question, Temporal) else ()
    tables, unknown, table = _explore(task, product, targets, search)
    statistics: Statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        "automaton_states": automaton.states,
        "roots": len(tables.roots),
        "path_edges": tables.path_edges,
        "effects": sum(len(root.effects) for root in tables.roots),
        "limited": int(unknown is not None),
    }
    if table is None:
        assert unknown is not None
        return Findings(frozenset(), unknown, statistics, spent=Spent(exhausted=True))
    return _conclude(task, automaton, table, statistics)


def _explore(
    task: Task, product: Program, targets: tuple[Target, ...], search: Callable[[Tables[Target]], Search]
) -> tuple[Tables[Target], Undecided | None, EffectTable | None]:
    """Return the tables of the product, and why they are not complete, or all of them in one."""
    options = task.options
    assert isinstance(options, ReferenceOptions)
    asked = [(target, target.place, target.kind) for target in targets]
    tables: Tables[Target] = Tables(product, asked, 1, options.edges, options.calls, options.changes)
    searching = search(tables)
    try:
        searching.run(task.budget.check)
    except Done:
        (hit,) = tables.hits
        return tables, Undecided(f"a step may fail ({hit.name}), and how the run ends then is not followed"), None
    except (OutOfBudget, TooMany) as spent:
        return tables, Undecided.because(spent, tables.size()), None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(tables.size()) from None
    return tables, None, effect_table(tables.layout, tables.roots, searching.read())


def _conclude(task: Task, automaton: Automaton, table: EffectTable, statistics: Statistics) -> Findings:
    question, arcs = task.question, Arcs()
    assert isinstance(question, Temporal | Termination)
    check_effect_table(table, table.program, (), task.budget, arcs)
    accepts = None
    if isinstance(question, Temporal):
        number = table.program.globals.index(ACCEPTED)

        def accepts(row: Row) -> bool:
            return table.roots[row[0]].paths[row[1]].statics[number] is True

    component = arcs.endless_component(accepts)
    if component is None:
        proof = FairEffects(task.program, question, automaton, EffectTable(task.program, table.roots))
        return Findings(frozenset(), None, statistics, ends=Terminates(proof), rows=table.size)
    try:
        lasso = lasso_through(task.program, table, arcs, set(component), accepts, question)
    except OutOfBudget as spent:
        return Findings(frozenset(), Undecided.because(spent), statistics)
    return Findings(frozenset(), None, statistics, ends=Diverges(replace(lasso, fair=question.fair)))
