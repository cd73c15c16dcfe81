"""Proves that no run of a program with memory comes to some targets: by shapes of which every step leads to others."""

from __future__ import annotations

import time

from knaster.base.errors import UnsupportedError
from knaster.base.limits import OutOfBudget
from knaster.engines.contract import Findings, Spent, Task, Undecided
from knaster.engines.references.shapes import ShapeOptions
from knaster.engines.references.shapes.exploration import Exploration
from knaster.evidence.proofs.memory.memory_shapes import MemoryShapes
from knaster.evidence.questions.question import Target
from knaster.evidence.traces.memory_runs import is_asked, kinds_of, site_kinds, strict_kinds
from knaster.semantics.memory.failure import LEAK, LOST, OVERFLOW
from knaster.semantics.memory.machine import Strict
from knaster.semantics.memory.shapes.shape import Unfit
from knaster.semantics.memory.sites import Sites, site_at

OPEN = "shapes of the heap come to it, and they may say too little of it"


def shapes(task: Task) -> Findings:
    """Look for shapes that all runs stay in; what they never come to is unreachable."""
    started = time.perf_counter()
    options = task.options if isinstance(task.options, ShapeOptions) else ShapeOptions()
    proving = _Proving(task, options.shapes)
    unknown: Undecided | None = None
    try:
        proving.run()
    except OutOfBudget as spent:
        unknown = Undecided.because(spent)
    except (Unfit, UnsupportedError) as why:
        unknown = Undecided(f"shapes of the heap do not fit: {why}")
    except (RecursionError, MemoryError):
        unknown = Undecided("shapes need too much memory")
    doubtful = dict.fromkeys(proving.doubtful, OPEN)
    if unknown is None and len(doubtful) == len(task.targets):
        unknown = Undecided(OPEN)
    seconds = time.perf_counter() - started
    return Findings(
        frozenset(),
        unknown,
        {"shapes_seconds": seconds, "shapes": proving.count, "segments": proving.segments},
        proof=proving.proof if unknown is None else None,
        doubtful=doubtful if unknown is None else {},
        spent=Spent(states=proving.count, exhausted=unknown is not None),
    )


class _Proving:
    """Explorations, each with fewer targets that still may be proved.

    A step that ends runs only because it is asked for does so while no shape comes to it.
    """

    def __init__(self, task: Task, most: int) -> None:
        self.task, self.most = task, most
        self.doubtful: dict[Target, None] = {}
        self.count = 0
        self.sites, self.listed = Sites(task.program), site_kinds(task.targets)
        self.found: Exploration | None = None

    def run(self) -> None:
        """Explore until what is asked for is known; raise `Unfit` where that cannot be."""
        for target in self.task.targets:
            for kind in kinds_of(target):
                if kind in (LEAK, LOST, OVERFLOW):
                    raise Unfit(f"'{kind}' is not seen by shapes")
        while True:
            open = [target for target in self.task.targets if target not in self.doubtful]
            strict = strict_kinds(open)
            if not open or self._explore(open, strict):
                return

    def _explore(self, open: list[Target], strict: Strict) -> bool:
        """Explore; tell whether nothing that ended runs because it is asked for was met."""
        places = frozenset(target.place for target in open if target.has_place)
        exploration = self.found = Exploration(
            self.task.program, places, strict, self.most - self.count, self.task.budget.check
        )
        try:
            exploration.run()
        finally:
            self.count += exploration.count
        if why := self.sites.why_unlisted(self.listed, exploration.undefined):
            raise Unfit(why)
        for target in open:
            asked = any(is_asked(target, kind, span) for kind, span in exploration.faults)
            if target.place in exploration.passed if target.has_place else asked:
                self.doubtful[target] = None
        return not any(site_at(kind, span) in strict or kind in strict for kind, span in exploration.faults)

    @property
    def segments(self) -> int:
        """How many shapes have lists of any length."""
        entries = self.found.entries.values() if self.found is not None else ()
        return sum(any(node.is_segment for _, node in shape.nodes) for entry in entries for shape in entry.rows)

    def proof(self) -> MemoryShapes:
        """Return the shapes as a proof."""
        assert self.found is not None
        entries = tuple([tuple(entry.rows) for entry in self.found.entries.values()])
        return MemoryShapes(self.task.program, entries, tuple(sorted(self.found.forgotten.items())))
