"""A model checker written as a formula: the program's template relations given to a file of the calculus.

La Torre, Madhusudan, Parlato, Analyzing Recursive Programs using a Fixed-point Calculus, PLDI 2009, section 4.  The
algorithms are in `formulas/`; anybody's file will do that defines `bool Reached(Module mod, Counter pc)` from the
relations of `templates`.  `knaster show FILE --as relations` prints those, so that program and algorithm together are
one file for `knaster solve`.
"""

from __future__ import annotations

import re
import time
from importlib.resources import files
from pathlib import Path

from knaster.calculus.allocate import allocate
from knaster.calculus.compile import Compiler
from knaster.calculus.fixpoint import STRATEGIES, Diverged, Solver
from knaster.calculus.formula import Predicate
from knaster.calculus.lexer import Source
from knaster.calculus.system import System, load_file, parse
from knaster.engines.formulas.templates import RELATIONS, Templates, templates
from knaster.errors import UsageError
from knaster.results.verdict import Budget, Findings, Method, OutOfBudget, Query, Target
from knaster.symbolic.bdd import Bdd, Store
from knaster.symbolic.encode import SymbolicProgram

ALGORITHMS = {
    "summary": "summary.mu",
    "entry-forward": "entry_forward.mu",
    "entry-forward-opt": "entry_forward_opt.mu",
}
_RELATIONS = "the relations of the program"


def fixpoint(symbolic: SymbolicProgram, query: Query, budget: Budget, method: Method) -> Findings:
    """Decide every target by evaluating a file of the calculus."""
    started = time.perf_counter()
    if method.strategy not in STRATEGIES:
        raise UsageError(f"unknown strategy '{method.strategy}'; choose one of {', '.join(STRATEGIES)}")
    program = templates(symbolic.program, symbolic.entry)
    system = _read(program, query, method.algorithm)
    closed = [request.formula for request in system.requests if request.formula is not None]
    allocation = allocate(system.variables, system.predicates.values(), closed)
    store = Store(allocation.count, symbolic.store.capacity)
    compiler = Compiler(store, allocation, system.predicates)

    def tick() -> None:
        budget.check()
        store.collect()

    def observe(name: str, count: int, value: Bdd) -> None:
        if count % 256 == 0:
            budget.tell(f"{name}: round {count}")

    solver = Solver(system.predicates, compiler, method.strategy, tick, observe)
    reached: frozenset[Target] = frozenset()
    reason = ""
    try:
        value = solver.value("Reached")
        bits = [allocation.levels[parameter.number] for parameter in system.predicates["Reached"].parameters]
        reached = frozenset(t for t in query.targets if _holds(store, value, bits, program.place(t)))
    except OutOfBudget as spent:
        reason = str(spent)
    except Diverged as repeated:
        raise UsageError(
            f"{method.algorithm}: the rounds of '{repeated.predicate.name}' repeat and never become stable"
        ) from None
    statistics = {
        "fixpoint_seconds": time.perf_counter() - started,
        "iterations": sum(solver.rounds.values()),
        **{f"iterations_{name}": count for name, count in sorted(solver.rounds.items())},
        "bdd_nodes": store.nodes,
        "bdd_variables": store.variables,
    }
    return Findings(reached, reason, statistics)


def algorithm_text(algorithm: str) -> tuple[str, str]:
    """Return the name of an algorithm's file and its text."""
    if algorithm in ALGORITHMS:
        file = files("knaster.engines.formulas") / ALGORITHMS[algorithm]
        return ALGORITHMS[algorithm], file.read_text(encoding="utf-8")
    try:
        return algorithm, Path(algorithm).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        known = ", ".join(ALGORITHMS)
        reason = error.strerror or str(error)
        raise UsageError(f"no algorithm '{algorithm}' ({reason}); choose one of {known}, or name a file") from None


def _read(program: Templates, query: Query, algorithm: str) -> System:
    """Return the algorithm's system, with the relations that it mentions in front of it."""
    name, text = algorithm_text(algorithm)
    needed = [relation for relation in RELATIONS if re.search(rf"\b{relation}\b", text)]
    relations = Source(_RELATIONS, program.text(query.targets, needed))

    def load(wanted: str, asking: str) -> Source | None:
        return relations if wanted == _RELATIONS else load_file(wanted, asking)

    system = parse(f'#load "{_RELATIONS}"; {text}', file=name, load=load)
    if not _answers(system.predicates.get("Reached")):
        wanted = "bool Reached(Module mod, Counter pc)"
        raise UsageError(f"{name}: define '{wanted}', the locations that are found reachable")
    return system


def _answers(predicate: Predicate | None) -> bool:
    if predicate is None or predicate.body is None:
        return False
    return [parameter.type.name for parameter in predicate.parameters] == ["Module", "Counter"]


def _holds(store: Store, value: Bdd, bits: list[tuple[int, ...]], codes: tuple[int, int]) -> bool:
    """Tell whether a relation holds of values given by their codes, most significant bit first."""
    literals = {
        level: bool(code >> (len(levels) - 1 - index) & 1)
        for levels, code in zip(bits, codes, strict=True)
        for index, level in enumerate(levels)
    }
    return value & store.assignment(literals) != store.false
