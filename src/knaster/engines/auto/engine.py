"""Chooses a method and asks it: for C several in turn (`portfolio`), for references by threads and by patterns."""

from __future__ import annotations

from knaster.base.records import replace
from knaster.engines.auto import AutomaticOptions
from knaster.engines.contract import Findings, Task
from knaster.engines.references import ReferenceOptions
from knaster.engines.references.patterns import CARD as PATTERNS
from knaster.program.model import Kind

_CHANGES = 500  # places that one call changes: with more of them, what is visible may be less


def auto(task: Task) -> Findings:
    """Answer by the method that fits; `method` in the statistics says which."""
    options = task.options
    assert isinstance(options, AutomaticOptions)
    if task.program.kind is not Kind.REFERENCES:
        from knaster.engines.integers.portfolio import portfolio

        return portfolio(task, options.units)
    if PATTERNS.why_not(task.program, task.question) is not None or {"patterns", "visible"} <= task.refused:
        from knaster.engines.explicit.heap import interleavings

        return _by("explicit", interleavings(task))
    if "patterns" in task.refused:
        return _by_visible(task)
    from knaster.engines.references.patterns.engine import patterns

    found = patterns(replace(task, options=ReferenceOptions(options.edges, changes=_CHANGES)))
    if found.spent.exhausted and "visible" not in task.refused:
        second = _by_visible(task)
        if second.unknown is None or second.reached >= found.reached:
            return second
    return _by("patterns", found)


def _by_visible(task: Task) -> Findings:
    from knaster.engines.references.visible.engine import visible

    return _by("visible", visible(replace(task, options=ReferenceOptions())))


def _by(method: str, findings: Findings) -> Findings:
    return replace(findings, statistics={**findings.statistics, "method": method}, method=method)
