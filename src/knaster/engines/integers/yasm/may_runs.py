"""Finds runs from may sets: executions that stay in them on the way to a target.

Every run to a target stays in RS of the may side, and in T[f, Q] inside a call that returns in Q; inputs are chosen so
that it stays there, nearer to the target where that is possible.  Where the sets are not exact the run may get lost;
where the program reads no inputs it cannot.  Calls with the same values are run once.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.limits import OutOfBudget
from knaster.engines.integers.yasm.equations import Mixed, Solution
from knaster.engines.integers.yasm.must_runs import Astray, MustRuns, SolvedSets
from knaster.evidence.traces.trace import Trace
from knaster.program.model import Place
from knaster.program.state import Undefined
from knaster.smt.signs import Undecided
from knaster.views.abstraction.preimage import NONE
from knaster.views.abstraction.relations import Minterm

MOST = 2_000  # steps between cut points


def find_may_run(over: Mixed, may: Solution, targets: frozenset[Place], tick: Callable[[], None]) -> Trace | None:
    """Return a run to a target; None where the guesses lead to none."""
    for inside in (False, True):
        why = _CallChoice(over, may, inside)
        running = MustRuns(over.pre.abstraction, why.table, tick, why, MOST)
        try:
            return running.trace(may, targets)
        except (Astray, Undefined, Undecided, _Nowhere):
            continue
    return None


class _Nowhere(OutOfBudget):
    """A call leads neither over itself nor into itself."""


class _CallChoice:
    """How a guess goes on at a call: over it where that leads on, or into it; the other way round with `inside`."""

    def __init__(self, over: Mixed, may: Solution, inside: bool) -> None:
        self.over = over
        self.may = may
        self.inside = inside

    def table(self, procedure: str, exits: frozenset[Minterm]) -> Solution:
        """Return T[f, Q]."""
        self.over.answer(procedure, exits)
        return self.over.tables[procedure, exits]

    def __call__(self, found: SolvedSets, place: Place, minterm: Minterm, entry: Minterm) -> frozenset[Minterm] | None:
        site, abstraction = self.over.paths.calls[place], self.over.pre.abstraction
        within = found is self.may and entry in self.may.sets[self.over.paths.entries[site.callee]]
        if within and self.inside:
            return None
        goal = found.sets.get((site.procedure, site.target), NONE)
        leaving = abstraction.returns(site).get((minterm, entry), {})
        exits = frozenset(leave for leave, after in leaving.items() if after & goal)
        if exits and entry in self.over.answer(site.callee, exits):
            return exits
        if within:
            return None
        raise _Nowhere("a call leads nowhere")
