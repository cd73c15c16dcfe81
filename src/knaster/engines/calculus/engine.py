"""Decides targets by evaluating a file of the fixed-point calculus on the template relations of a program.

La Torre, Madhusudan, Parlato, Analyzing Recursive Programs using a Fixed-point Calculus, PLDI 2009, section 4.  The
algorithms are the `.mu` files of this folder; anybody's file will do that defines `bool Reached(Module mod, Counter
pc)` from the relations of `templates`.  `knaster show FILE --as relations` prints those, so that program and algorithm
together are one file for `knaster solve`.
"""

from __future__ import annotations

import time

from knaster.base.errors import UsageError
from knaster.base.limits import OutOfBudget
from knaster.calculus.answers.evaluation import Session
from knaster.calculus.fixpoints.fixpoint import Diverged
from knaster.engines.calculus import CalculusOptions
from knaster.engines.calculus.relations import Relations
from knaster.engines.calculus.system import ABOUT_RUNS, ALGORITHMS, read_algorithm
from knaster.engines.calculus.templates import templates
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.questions.question import Reach, Target


def calculus(task: Task) -> Findings:
    """Decide every target by evaluating a file of the calculus."""
    started = time.perf_counter()
    options = task.options
    assert isinstance(options, CalculusOptions)
    if task.program.is_threaded:
        from knaster.engines.calculus.threads import reach

        if options.algorithm != CalculusOptions.algorithm:
            raise UsageError(f"'{options.algorithm}' is a formula for sequential programs; leave --algorithm out")
        return reach(task, options.strategy)
    if not isinstance(task.question, Reach):
        from knaster.engines.calculus.endless import endless

        if options.algorithm not in (CalculusOptions.algorithm, *ABOUT_RUNS):
            raise UsageError(f"'{options.algorithm}' is a formula for reachability; leave --algorithm out")
        return endless(task, "fair", options.strategy)
    if options.algorithm in ABOUT_RUNS:
        raise UsageError(f"'{options.algorithm}' is a formula for questions about all runs; name one with --property")
    program = templates(task.program)
    system, needed = read_algorithm(program, options.algorithm)
    symbolic = task.symbolic()
    relations = Relations(symbolic, program, task.targets).bodies(needed)
    session = Session(system, relations, options.strategy, task.budget.check, store=symbolic.store)
    reached: frozenset[Target] = frozenset()
    unknown: Undecided | None = None
    try:
        relation = session.relation("Reached")
        reached = frozenset(target for target in task.targets if program.place(target) in relation)
    except OutOfBudget as spent:
        unknown = Undecided.because(spent)
    except Diverged as repeated:
        message = f"the rounds of '{repeated.predicate.name}' repeat and never become stable"
        raise UsageError(f"{options.algorithm}: {message}") from None
    statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        **session.statistics,
        **{f"rounds_{name}": count for name, count in sorted(session.rounds.items())},
    }
    author = "" if options.algorithm in ALGORITHMS else "your formula"
    return Findings(reached, unknown, statistics, author=author)
