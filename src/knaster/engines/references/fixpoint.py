"""Makes findings of a fixed point over the tables of a program with references, for `patterns` and `visible`."""

from __future__ import annotations

import time
from collections.abc import Callable

from knaster.base.limits import OutOfBudget
from knaster.engines.contract import STOPPED, Findings, Spent, Task, Undecided
from knaster.engines.references import ReferenceOptions
from knaster.engines.references.searches import Search
from knaster.evidence.proofs.heap.effect_table import EffectTable
from knaster.evidence.questions.question import Reach, Target
from knaster.evidence.traces.heap_runs import record_run
from knaster.views.heap.bounded_paths import end_in_words
from knaster.views.heap.proof_tables import effect_table
from knaster.views.heap.summary_tables import Done, Tables, TooMany


def by_effects(task: Task, search: Callable[[Tables[Target]], Search]) -> Findings:
    """Decide every target by path edges and effects, as `search` finds them, or how runs end."""
    if not isinstance(task.question, Reach):
        from knaster.engines.references.endless import find_endless_run

        return find_endless_run(task, search)
    options = task.options
    assert isinstance(options, ReferenceOptions)
    started = time.perf_counter()
    enough = 1 if task.first else len(task.targets)
    targets = [(target, target.place, target.kind) for target in task.targets]
    tables: Tables[Target] = Tables(task.program, targets, enough, options.edges, options.calls, options.changes)
    unknown: Undecided | None = None
    exhausted = False
    searching = search(tables)
    try:
        searching.run(task.budget.check)
        tables.find_endless()
    except Done:
        unknown = STOPPED
    except (OutOfBudget, TooMany) as spent:
        exhausted = isinstance(spent, TooMany)
        unknown = Undecided.because(spent, tables.size())
    except KeyboardInterrupt:
        raise KeyboardInterrupt(tables.size()) from None
    statistics: dict[str, int | float | str] = {
        "fixpoint_seconds": time.perf_counter() - started,
        "roots": len(tables.roots),
        "path_edges": tables.path_edges,
        "effects": sum(len(root.effects) for root in tables.roots),
        "limited": int(exhausted),
        **end_in_words(task.program),
    }

    def table() -> EffectTable:
        return effect_table(tables.layout, tables.roots, searching.read())

    return Findings(
        frozenset(tables.hits),
        unknown,
        statistics,
        traces=lambda targets: {t: record_run(task.program, tables.run_to(t), t) for t in targets},
        proof=table if unknown is None else None,
        table=table,
        spent=Spent(exhausted=exhausted),
        rows=tables.path_edges + len(tables.roots) + sum(len(root.effects) for root in tables.roots),
    )
