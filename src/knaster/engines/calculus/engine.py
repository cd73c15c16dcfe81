"""Decides targets by evaluating a file of the fixed-point calculus on the template relations of a program.

La Torre, Madhusudan, Parlato, Analyzing Recursive Programs using a Fixed-point Calculus, PLDI 2009, section 4.  The
algorithms are the `.mu` files of this folder; anybody's file will do that defines `bool Reached(Module mod, Counter
pc)` from the relations of `templates`.  `knaster show FILE --as relations` prints those, so that program and algorithm
together are one file for `knaster solve`.
"""

from __future__ import annotations

import re
import time
from importlib.resources import files
from pathlib import Path

from knaster.base.errors import UsageError
from knaster.base.limits import OutOfBudget
from knaster.calculus.answers.evaluation import Session
from knaster.calculus.fixpoints.fixpoint import Diverged
from knaster.calculus.language.formula import Predicate
from knaster.calculus.language.lexer import Source
from knaster.calculus.language.system import System, load_file, parse
from knaster.engines.calculus import CalculusOptions
from knaster.engines.calculus.relations import Relations
from knaster.engines.calculus.templates import RELATIONS, Templates, templates
from knaster.engines.contract import Findings, Task, Undecided
from knaster.evidence.questions.question import Target

ALGORITHMS = {
    "summary": "summary.mu",
    "entry-forward": "entry_forward.mu",
    "entry-forward-opt": "entry_forward_opt.mu",
}
_RELATIONS = "the relations of the program"


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
    program = templates(task.program)
    system, needed = _read(program, options.algorithm)
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


def algorithm_text(algorithm: str) -> tuple[str, str]:
    """Return the name of an algorithm's file and its text."""
    if algorithm in ALGORITHMS:
        file = files("knaster.engines.calculus") / ALGORITHMS[algorithm]
        return ALGORITHMS[algorithm], file.read_text(encoding="utf-8")
    try:
        return algorithm, Path(algorithm).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        known = ", ".join(ALGORITHMS)
        reason = error.strerror or str(error)
        raise UsageError(f"no algorithm '{algorithm}' ({reason}); choose one of {known}, or name a file") from None


def _read(program: Templates, algorithm: str) -> tuple[System, list[str]]:
    """Return the algorithm's system and the relations that it mentions, which stand in front of it without bodies."""
    name, text = algorithm_text(algorithm)
    needed = [relation for relation in RELATIONS if re.search(rf"\b{relation}\b", text)]
    relations = Source(_RELATIONS, program.declarations(needed))

    def load(wanted: str, asking: str) -> Source | None:
        return relations if wanted == _RELATIONS else load_file(wanted, asking)

    system = parse(f'#load "{_RELATIONS}"; {text}', file=name, load=load)
    if not _answers(system.predicates.get("Reached")):
        wanted = "bool Reached(Module mod, Counter pc)"
        raise UsageError(f"{name}: define '{wanted}', the locations that are found reachable")
    return system, needed


def _answers(predicate: Predicate | None) -> bool:
    if predicate is None or predicate.body is None:
        return False
    return [parameter.type.name for parameter in predicate.parameters] == ["Module", "Counter"]
