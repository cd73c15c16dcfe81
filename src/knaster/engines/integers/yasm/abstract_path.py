"""Follows a may solution to a path from the start to a target, at which refinement looks.

It follows a least solution of `equations` backwards in time: each minterm was added because of one that was there
before.  A call that is stepped over has a path of its own, found once for each question and first minterm.
"""

from __future__ import annotations

from collections.abc import Callable

from knaster.base.trampoline import Steps, run
from knaster.engines.integers.yasm.equations import Mixed, Solution
from knaster.program.model import Place
from knaster.views.abstraction.interpolants import Link, Point, Tree
from knaster.views.abstraction.relations import Abstraction, Minterm
from knaster.views.steps.paths import CallPath


def abstract_path(over: Mixed, found: Solution, targets: frozenset[Place]) -> Tree:
    """Return a path of the may side to a target.  Requires: some run of the may side starts in the solution."""
    walking = _Walk(over)
    abstraction = over.pre.abstraction
    entry = abstraction.paths.entries[abstraction.paths.main]
    first = min(found.sets[entry] & abstraction.initial(), key=lambda minterm: (found.time[entry, minterm], minterm))
    start: Point = (None, entry, first)
    end = run(walking.follow(start, found, lambda place: place in targets))
    return Tree(start, (end,), {point: (link,) for point, link in walking.links.items()})


class _Walk:
    def __init__(self, over: Mixed) -> None:
        self.over = over
        self.abstraction: Abstraction = over.pre.abstraction
        self.paths = over.paths
        self.links: dict[Point, Link] = {}

    def follow(self, point: Point, found: Solution, done: Callable[[Place], bool]) -> Steps[Point]:
        """Follow a solution from a point; return where it ends."""
        while not done(point[1]):
            if point not in self.links:
                site = self.paths.calls.get(point[1])
                if site is None:
                    self.links[point] = self._best_path(point, found)
                else:
                    self.links[point] = yield self._best_call(point, site, found)
            point = self.links[point].target
        return point

    def _best_path(self, point: Point, found: Solution) -> Link:
        run, place, minterm = point
        best = None
        for number, path in enumerate(self.paths.leaving[place]):
            target = (place[0], path.target)
            for after in self.abstraction.after(path).get(minterm, frozenset()) & found.sets[target]:
                rank = (found.time[target, after], number, after)
                if best is None or rank < best[0]:
                    best = (rank, Link(path, (run, target, after)))
        assert best is not None
        return best[1]

    def _best_call(self, point: Point, site: CallPath, found: Solution) -> Steps[Link]:
        run, place, minterm = point
        ((entry, exits),) = found.reasons[place, minterm].items()
        first = self.paths.entries[site.callee]
        if exits is None:
            return Link(site, (run, first, entry))
        question = (site.callee, exits)
        leave = self.paths.exits[site.callee]
        inside: Point = ((question, entry), first, entry)  # two runs must not meet: what one returns the other asks for
        left: Point = yield self.follow(inside, self.over.tables[question], lambda here: here == leave)
        target = (place[0], site.target)
        possible = self.abstraction.returns(site)[minterm, entry][left[2]] & found.sets[target]
        after: Minterm = min(possible, key=lambda minterm: (found.time[target, minterm], minterm))
        return Link(site, (run, target, after), inside, left)
