"""Decides termination and formulas: a run that is not as asked, or ranks that show that there is none."""

from __future__ import annotations

import time
from collections.abc import Iterator

from knaster.base.limits import OutOfBudget
from knaster.bdd.store import Bdd
from knaster.engines.boolean.ranks.fixpoint import find_chain
from knaster.engines.boolean.ranks.heads import Heads
from knaster.engines.boolean.ranks.lassos import find_lasso
from knaster.engines.boolean.ranks.vacuity import remarks_on
from knaster.engines.card import SymbolicOptions
from knaster.engines.contract import Findings, Task, Undecided
from knaster.engines.violations import automaton_against
from knaster.evidence.answers.answer import Diverges, Terminates
from knaster.evidence.proofs.ranks import Ranks, product_for
from knaster.evidence.questions.letters import meanings_of
from knaster.evidence.questions.product import EVERYTHING
from knaster.evidence.questions.question import Temporal, Termination
from knaster.program.model import Place
from knaster.views.summaries.path_edges import Summaries
from knaster.views.symbolic.encoding import encode


def ranks(task: Task) -> Findings:
    """Decide whether every run of a sequential Boolean program is as the question asks."""
    started, question = time.perf_counter(), task.question
    assert isinstance(question, Temporal | Termination)
    automaton = EVERYTHING
    if isinstance(question, Temporal):
        automaton = automaton_against(question.formula, task.budget)
    product = product_for(task.program, question, automaton)
    options = task.options if isinstance(task.options, SymbolicOptions) else SymbolicOptions()
    statistics: dict[str, int | float | str] = {"automaton_states": automaton.states}
    try:
        symbolic = encode(product.program, nodes=task.nodes, **options.encoding())
        engine = Summaries(symbolic, task.budget)
        engine.demand(symbolic.entry, symbolic.initial())
        engine.run()
        heads = Heads(product, symbolic, engine)
        chain = find_chain(heads, task.budget)
        statistics |= {"rounds": len(chain) - 1, "bdd_nodes": symbolic.store.nodes, "heads": len(heads.reached)}
        statistics["fixpoint_seconds"] = time.perf_counter() - started
        remarks: tuple[str, ...] = ()
        if isinstance(question, Temporal) and not chain[-1]:
            remarks = remarks_on(question.formula, meanings_of(task.program, question), heads, task.budget)
        if chain[-1]:
            formula = str(question) if isinstance(question, Temporal) else ""
            lasso = find_lasso(heads, chain[-1], task.budget, formula)
            return Findings(frozenset(), None, statistics, ends=Diverges(lasso))
    except OutOfBudget as spent:
        return Findings(frozenset(), Undecided.because(spent), statistics)
    sets: dict[Place, tuple[Bdd, ...]] = {
        place: tuple(_sets_of(chain, place)) for place in heads.reached if place in chain[1]
    }
    proof = Ranks(task.program, question, automaton, engine.certificate(), sets)
    return Findings(frozenset(), None, statistics, ends=Terminates(proof), remarks=remarks)


def _sets_of(chain: list[dict[Place, Bdd]], place: Place) -> Iterator[Bdd]:
    """Yield Z1, Z2, ... of a place, as far as they are not empty."""
    for sets in chain[1:]:
        if place not in sets:
            return
        yield sets[place]
