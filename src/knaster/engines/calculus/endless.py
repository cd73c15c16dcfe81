"""Decides termination and formulas by a file of the calculus: `fair.mu` on the relations of the product.

The formula says from which initial states a run begins that passes an accepting place again and again.
"""

from __future__ import annotations

import time

from knaster.base.limits import OutOfBudget
from knaster.calculus.answers.evaluation import Session
from knaster.engines.accepting_places import passing_places
from knaster.engines.calculus.relations import Relations
from knaster.engines.calculus.system import read_algorithm
from knaster.engines.calculus.templates import templates
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.answers.answer import Diverges, Terminates
from knaster.evidence.questions.question import Target, Temporal, Termination
from knaster.views.symbolic.encoding import encode


def endless(task: Task, algorithm: str, strategy: str) -> Findings:
    """Decide whether every run is as the question asks; evidence is derived by whoever wants it."""
    started, question = time.perf_counter(), task.question
    assert isinstance(question, Temporal | Termination)
    found = passing_places(task.program, question, task.budget)
    numbers = templates(found.program)
    system, needed = read_algorithm(numbers, algorithm)
    symbolic = encode(found.program, nodes=task.nodes)
    targets = [Target("accepting", *place, 0) for place in found.places]
    relations = Relations(symbolic, numbers, targets).bodies(needed)
    statistics: dict[str, int | float | str] = {"automaton_states": found.states}
    try:
        session = Session(system, relations, strategy, task.budget.check, store=symbolic.store)
        relation = session.relation("Reached")
        run = found.program.procedure(found.program.threads[0])
        wrong = (numbers.modules[run.name], run.entry) in relation
    except OutOfBudget as spent:
        return Findings(frozenset(), Undecided.because(spent), statistics)
    statistics |= {"fixpoint_seconds": time.perf_counter() - started, **session.statistics}
    return Findings(frozenset(), None, statistics, ends=Diverges(None) if wrong else Terminates(None))
