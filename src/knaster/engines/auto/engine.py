"""Chooses a method and asks it: for C several in turn (`portfolio`), for references by threads and by patterns."""

from __future__ import annotations

from knaster.base.records import replace
from knaster.engines.auto import AutomaticOptions
from knaster.engines.contract import Findings, Task
from knaster.engines.references import ReferenceOptions
from knaster.engines.references.patterns import CARD as PATTERNS
from knaster.engines.references.transactions import CARD as TRANSACTIONS
from knaster.engines.references.transactions import TransactionOptions
from knaster.program.model import Kind
from knaster.program.threads import recursive_procedure

_CHANGES = 500  # places that one call changes: with more of them, what is visible may be less


def auto(task: Task) -> Findings:
    """Answer by the method that fits; `method` in the statistics says which."""
    options = task.options
    assert isinstance(options, AutomaticOptions)
    if task.program.kind is not Kind.REFERENCES:
        from knaster.engines.integers.portfolio import portfolio

        return portfolio(task, options.units)
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
    """Answer about several threads: those that recurse by transactions first, others by all states first."""
    usable = TRANSACTIONS.why_not(task.program, task.question) is None and "transactions" not in task.refused
    ways = (_by_transactions, _by_explicit) if usable else (_by_explicit,)
    first = ways if recursive_procedure(task.program) is not None else ways[::-1]
    found = first[0](task)
    if found.unknown is None or found.unknown.late or found.unknown.enough or len(first) == 1:
        return found
    second = first[1](task)
    return second if second.unknown is None or second.reached > found.reached else found


def _by_transactions(task: Task) -> Findings:
    from knaster.engines.references.transactions.engine import transactions

    assert isinstance(task.options, AutomaticOptions)
    limit = min(task.options.states, TransactionOptions().states)
    return _by("transactions", transactions(replace(task, options=TransactionOptions(limit))))


def _by_explicit(task: Task) -> Findings:
    from knaster.engines.explicit.heap import interleavings

    return _by("explicit", interleavings(task))


def _by_visible(task: Task) -> Findings:
    from knaster.engines.references.visible.engine import visible

    return _by("visible", visible(replace(task, options=ReferenceOptions())))


def _by(method: str, findings: Findings) -> Findings:
    return replace(findings, statistics={**findings.statistics, "method": method}, method=method)
