"""Chooses a method and asks it: for C several in turn (`portfolio`), for references by threads and by patterns."""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.options import Options
from knaster.base.records import replace
from knaster.engines.auto import AutomaticOptions
from knaster.engines.contract import Findings, Task
from knaster.engines.references import ReferenceOptions
from knaster.engines.references.patterns import CARD as PATTERNS
from knaster.engines.references.transactions import CARD as TRANSACTIONS
from knaster.engines.references.transactions import TransactionOptions
from knaster.evidence.questions.question import Reach
from knaster.program.model import Kind
from knaster.program.threads import recursive_procedure

_FEW = 1000  # states of all threads, where threads recurse, before transactions are tried
_PATHS = 10_000  # path edges of one call, where infinite runs are looked for
_CHANGES = 500  # places that one call changes: with more of them, what is visible may be less


def auto(task: Task) -> Findings:
    """Answer by the method that fits; `method` in the statistics says which."""
    options = task.options
    assert isinstance(options, AutomaticOptions)
    if task.program.kind is Kind.MEMORY and task.program.is_threaded:
        from knaster.engines.auto.thread_methods import by_states_and_reductions

        return by_states_and_reductions(task)
    if task.program.kind is Kind.MEMORY:
        from knaster.engines.auto.memory_methods import by_runs_and_shapes

        return by_runs_and_shapes(task)
    if task.program.kind is not Kind.REFERENCES:
        from knaster.engines.integers.portfolio import portfolio

        return portfolio(task, options.units)
    if not isinstance(task.question, Reach):
        return _about_runs(task)
    if options.random or options.fingerprints or options.search != "breadth":
        return _by_explicit(task, options.states)
    if PATTERNS.why_not(task.program, task.question) is not None or {"patterns", "visible"} <= task.refused:
        return _threads(task)
    if "patterns" in task.refused:
        return _by_visible(task)
    from knaster.engines.references.patterns.engine import patterns

    found = patterns(replace(task, options=ReferenceOptions(options.edges, changes=_CHANGES)))
    if found.spent.exhausted and "visible" not in task.refused:
        second = _by_visible(task)
        if second.unknown is None or second.reached >= found.reached:
            return second
    return _by("patterns", found)


def _threads(task: Task) -> Findings:
    """Answer about several threads: by all states, and by transactions where those are too many or threads recurse."""
    options = task.options
    assert isinstance(options, AutomaticOptions)
    ways = [(_by_explicit, options.states)]
    if TRANSACTIONS.why_not(task.program, task.question) is None and "transactions" not in task.refused:
        last = min(options.states, TransactionOptions().states)
        if recursive_procedure(task.program) is not None:  # perhaps without end: the states are counted last
            ways = [(_by_explicit, min(_FEW, options.states)), (_by_transactions, last), *ways]
        else:
            ways.append((_by_transactions, last))
    best: Findings | None = None
    for way, states in ways:
        found = way(task, states)
        if found.unknown is None or found.unknown.late or found.unknown.enough:
            return found
        if found.method == "explicit" and "states was reached" not in found.unknown.reason:
            return found  # it is not the number of states that stands in the way
        if best is None or (len(found.reached), found.method == "explicit") > (len(best.reached), False):
            best = found
    assert best is not None
    return best


def _about_runs(task: Task) -> Findings:
    """Answer how runs end, or whether a formula holds: by all states, and by summaries where those are too many."""
    options, budgeted = task.options, ReferenceOptions(_PATHS, changes=_CHANGES)
    assert isinstance(options, AutomaticOptions)
    ways: list[tuple[str, Options]] = [("explicit", options)]
    if PATTERNS.why_not(task.program, task.question) is None:
        ways = [*ways, ("visible", budgeted), ("patterns", budgeted)]
        if recursive_procedure(task.program) is not None:  # perhaps without end: the states are counted last
            ways = [("explicit", replace(options, states=min(_FEW, options.states))), *ways[1:], *ways[:1]]
    known: dict[str, Findings] = {}
    for name, how in ways:
        if name in task.refused:
            continue
        found = known[name] = _by(name, _run_method(name)(replace(task, options=how)))
        if found.unknown is None or found.unknown.late:
            return found
    return known.get("explicit") or next(iter(known.values()))


def _run_method(name: str) -> Callable[[Task], Findings]:
    """Return how a method answers a question about all runs."""
    if name == "visible":
        from knaster.engines.references.visible.engine import visible

        return visible
    if name == "patterns":
        from knaster.engines.references.patterns.engine import patterns

        return patterns
    from knaster.engines.explicit.thread_lassos import find_thread_lasso

    return find_thread_lasso


def _by_transactions(task: Task, states: int) -> Findings:
    from knaster.engines.references.transactions.engine import transactions

    return _by("transactions", transactions(replace(task, options=TransactionOptions(states))))


def _by_explicit(task: Task, states: int) -> Findings:
    from knaster.engines.explicit.heap import interleavings

    return _by("explicit", interleavings(replace(task, options=replace(task.options, states=states))))


def _by_visible(task: Task) -> Findings:
    from knaster.engines.references.visible.engine import visible

    return _by("visible", visible(replace(task, options=ReferenceOptions())))


def _by(method: str, findings: Findings) -> Findings:
    return replace(findings, statistics={**findings.statistics, "method": method}, method=method)
