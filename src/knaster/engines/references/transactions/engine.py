"""Decides by summaries inside transactions: the fixed point, again where an assumption about data has not held.

Qadeer, Rajamani and Rehof, Summarizing Procedures in Concurrent Programs (POPL 2004).
"""

from __future__ import annotations

import time
from typing import Any

from knaster.base.limits import OutOfBudget
from knaster.engines.contract import STOPPED, Findings, Spent, Task, Undecided
from knaster.engines.references.transactions import TransactionOptions
from knaster.engines.references.transactions.channel_texts import find_channels
from knaster.engines.references.transactions.derivation import Node
from knaster.engines.references.transactions.discipline import Broken, Discipline
from knaster.engines.references.transactions.lock_texts import find_locks
from knaster.engines.references.transactions.runs import Way, piece_of_block, piece_of_end, piece_of_way, run_by
from knaster.engines.references.transactions.search import Search
from knaster.engines.references.transactions.walk import Path
from knaster.evidence.proofs.heap.transaction_table import TransactionTable
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.heap_runs import record_run
from knaster.program.threads import most_started
from knaster.semantics.heap.decisions import Run, Turn
from knaster.semantics.heap.failure import DEADLOCK, ENDLESS
from knaster.semantics.heap.goals import Goals
from knaster.views.heap.bounded_paths import end_in_words
from knaster.views.heap.memory_layout import Layout
from knaster.views.heap.proof_tables import state_row


def transactions(task: Task) -> Findings:
    """Decide every target by the states between transactions, and summaries inside them."""
    asked = _Asked(task)
    started = time.perf_counter()
    unknown: Undecided | None = None
    exhausted = False
    try:
        asked.run()
    except _Done:
        unknown = STOPPED
    except OutOfBudget as error:
        exhausted, unknown = True, Undecided.because(error, asked.size())
    except KeyboardInterrupt:
        raise KeyboardInterrupt(asked.size()) from None
    spent = time.perf_counter() - started
    counts = {"fixpoint_seconds": spent, **asked.counts()}
    statistics: dict[str, int | float | str] = {**counts, **asked.why_it_ends(unknown is None)}
    return Findings(
        frozenset(asked.hits),
        unknown,
        statistics,
        traces=lambda targets: {t: record_run(task.program, asked.run_to(t), t) for t in targets},
        proof=asked.table if unknown is None else None,
        spent=Spent(exhausted=exhausted),
        rows=len(asked.search.states.states),
    )


class _Done(Exception):
    """Everything that was asked for is found."""


class _Asked:
    """A question, and the search that answers it."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.options = task.options
        self.layout = Layout(task.program)
        self.discipline = Discipline(find_locks(self.layout), find_channels(self.layout))
        self.goals: Goals[Target] = Goals(
            self.layout.procedure_numbers, [(target, target.place, target.kind) for target in task.targets]
        )
        self.hits: dict[Target, Any] = {}  # how each was reached
        self.search = self.begin()

    def begin(self) -> Search:
        """Return a new search with what is assumed now."""
        assert isinstance(self.options, TransactionOptions)
        limits = self.options.states, self.options.edges, self.options.calls
        self.hits = {}
        return Search(self.layout, self.discipline, limits, self.meet, self.fail)

    def run(self) -> None:
        """Search until no assumption breaks."""
        while True:
            try:
                self.search.run(self.task.budget.check)
                return
            except Broken:
                self.search = self.begin()

    def meet(self, path: Path) -> None:
        """Hear that a way stands somewhere."""
        if found := self.goals.places[path.root.key.frame[0]].get(path.location):
            self.hit(found, Way(path.node, path.decisions, path.steps))

    def fail(self, kind: str, how: Any) -> None:
        """Hear of a failure."""
        if isinstance(how, Path):
            how = Way(how.node, how.decisions, how.steps)
        self.hit(self.goals.kinds.get(kind, ()), (kind, how))

    def hit(self, targets: Any, how: Any) -> None:
        """Note that targets are reached."""
        for target in targets:
            self.hits.setdefault(target, how)
        if self.hits and (self.task.first or len(self.hits) == len(self.task.targets)):
            raise _Done

    def run_to(self, target: Target) -> Run:
        """Return the decisions of a run that reaches a target."""
        states, how = self.search.states, self.hits[target]
        if isinstance(how, Way):
            return run_by(states, [piece_of_way(how)])
        kind, how = how
        if kind == DEADLOCK:
            _, ends = how
            return (*run_by(states, [piece_of_block(*end) for end in ends]), Turn(0, 0))
        if kind == ENDLESS and isinstance(how, Node):
            return run_by(states, [piece_of_way(Way(how, (), how.steps))], endless=True)
        return run_by(states, [piece_of_way(how) if isinstance(how, Way) else piece_of_end(*how)])

    def table(self) -> TransactionTable:
        """Return the states between transactions as a proof."""
        states, names, layout = self.search.states, self.task.program.globals, self.layout
        rows = tuple(state_row(layout, states.state(number)) for number in range(len(states.states)))
        held = tuple(
            tuple(tuple(self.lock_name(lock) for lock in sorted(mine)) for mine in threads)
            for _, threads in states.states
        )
        unprotected = [
            names[number] if not sort else f"class {layout.classes[number].cell.name}"
            for sort, number in sorted(self.discipline.racy)
        ]
        locks = tuple(self.lock_name(lock) for lock in sorted(self.discipline.texts.locks))
        crowded = [
            f"{use.value} {names[number] if not sort else f'class {layout.classes[number].cell.name}'}"
            for use, (sort, number) in self.discipline.crowded
        ]
        return TransactionTable(self.task.program, rows, held, locks, tuple(unprotected), tuple(sorted(crowded)))

    def lock_name(self, lock: int) -> str:
        """Return the static that is a lock, or the one that names its cell, with the field."""
        static, field = self.discipline.texts.cells.get(lock, (lock, ""))
        name = self.task.program.globals[static]
        return f"{name}.{field}" if field else name

    def size(self) -> str:
        """Say how far the search has come."""
        deepest = max(map(len, self.search.states.interned.stacks.parts), default=0)
        states, calls = len(self.search.states.states), len(self.search.summaries.roots)
        return f"{states} states between transactions and {calls} calls seen, deepest stack between them {deepest}"

    def why_it_ends(self, complete: bool) -> dict[str, str]:
        """Return what statistics say where this check surely ends, whatever the limits: Theorem 3 of the report.

        Types bound the paths in the heap, the text the number of threads.  Stacks between transactions are bounded
        where nobody recurses; where somebody does, a complete search has seen whether a transaction ends inside.
        """
        if most_started(self.task.program) is None:
            return {}
        if not self.search.summaries.recursive:
            return end_in_words(self.task.program)
        if not complete or self.cuts_recursion():
            return {}
        return end_in_words(self.task.program, "every recursive call is inside a transaction")

    def cuts_recursion(self) -> bool:
        """Tell whether a transaction has ended inside a recursive call: two frames wait that lead to each other."""
        recursive = self.search.summaries.recursive
        for stack in self.search.states.interned.stacks.parts:
            groups = [recursive[frame[0]] for frame in stack if frame[0] in recursive]
            if len(groups) != len(set(groups)):
                return True
        return False

    def counts(self) -> dict[str, int]:
        """Return what was counted."""
        roots = self.search.summaries.roots.values()
        return {
            "states": len(self.search.states.states),
            "roots": len(roots),
            "path_edges": self.search.summaries.path_edges,
            "effects": sum(len(root.effects) for root in roots),
            "cuts": sum(len(root.cuts) for root in roots),
            "breaks": self.discipline.breaks,
        }
