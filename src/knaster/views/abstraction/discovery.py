"""Discovers predicates that decide the steps at which may and must differ.

A. Gurfinkel and M. Chechik, Why Waste a Perfectly Good Abstraction? (TACAS 2006): where some states of a minterm have
a step and others have not, the atoms of its weakest precondition tell them apart.  The precondition is that of the
paths that leave the place: their guards, and the predicates behind them.  At a call it is what the callee's entry
speaks of; predicates behind a call become predicates of the callee's exit, where what the caller keeps and passes is
known by the value that the parameter had.  At loop heads what held on the way in is tried as well, and short
predicates first: going backwards through a loop, preconditions grow without end.  For runs that never end it is asked,
too, whether what a predicate is about grows on the way back: one bound on the change stands for many on the sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from knaster.base.graphs import postorder
from knaster.program.algebra import atoms, substitute
from knaster.program.expression import TRUE, Expr, Var, variables
from knaster.program.expression import postorder as expressions
from knaster.program.model import Place, old
from knaster.program.traversal import callees_first
from knaster.semantics.python_code import loop_heads
from knaster.views.abstraction.normal_form import growth, solve_for
from knaster.views.abstraction.predicates import Placement
from knaster.views.abstraction.preimage import Sets
from knaster.views.steps.paths import CallPath, Paths, StepPath

NEW_AT_ONCE = 4  # predicates of one place in one round
MOST_AT = 12  # predicates of one place


class Discovery:
    """Finds predicates for the places where may and must differ."""

    def __init__(self, paths: Paths, placement: Placement, endless: bool = False) -> None:
        self.endless = endless
        self.paths = paths
        self.placement = placement
        self._known: dict[tuple[int, Expr], list[Expr]] = {}  # by shape: paths and calls share no number
        self._wants: dict[tuple[int, Expr, tuple[Expr, ...]], tuple[list[Expr], list[Expr]]] = {}
        self._sizes: dict[Expr, int] = {}
        first = [procedure.name for procedure in callees_first(paths.program) if procedure.name in paths.points]
        later = {name: list(postorder([paths.entries[name]], self._successors)) for name in first}
        inward = [place for name in first for place in later[name]]
        outward = [place for name in reversed(first) for place in later[name]]
        self.orders = (inward, outward)
        self.entering: dict[Place, list[StepPath]] = {}  # the paths that lead to each loop head
        heads = {(p.name, location) for p in paths.program.procedures for location in loop_heads(p)}
        for some in paths.leaving.values():
            for path in some:
                if path.ends[1] in heads:
                    self.entering.setdefault(path.ends[1], []).append(path)

    def _successors(self, place: Place) -> list[Place]:
        site = self.paths.calls.get(place)
        targets = [site.target] if site is not None else [path.target for path in self.paths.leaving[place]]
        return [(place[0], target) for target in targets]

    def gaps(self, over: Sets, under: Sets) -> frozenset[Place]:
        """Return the places where some minterm is in one set and not in the other."""
        return frozenset(place for place, minterms in over.items() if minterms - under.get(place, frozenset()))

    def refine(self, places: frozenset[Place], most: int = NEW_AT_ONCE) -> int:
        """Add predicates at some places, and inside callees whose exits get some; return how many are new."""
        room = {place: min(most, MOST_AT - len(self.placement.at.get(place, ()))) for place in self.paths.places()}
        found, wanted = 0, set(places)
        for order in self.orders:
            for place in order:
                if place not in wanted:
                    continue
                for where, predicate in self._suggest(place):
                    if room[where] > 0 and self.placement.add(where, predicate):
                        room[where] -= 1
                        found += 1
                        if where[0] != place[0]:
                            wanted |= {(where[0], location) for location in self.paths.points[where[0]]}
        return found

    def _suggest(self, place: Place) -> Iterator[tuple[Place, Expr]]:
        """Yield predicates that a place, or the exit of a callee, could use."""
        site = self.paths.calls.get(place)
        if site is not None:
            yield from self._at_call(place, site)
            return
        for path in self.paths.leaving[place]:
            yield from ((place, atom) for atom in self._guard(path))
        found: dict[Expr, int] = {}
        for path in self.paths.leaving[place]:
            for predicate in self.placement.at.get((place[0], path.target), ()):
                for atom in self._before(path, predicate):
                    found.setdefault(atom, self._size(atom))
        for atom in self._growth(place) if self.endless else ():
            found.setdefault(atom, self._size(atom))
        for path in self.entering.get(place, ()):
            for atom in _conditions_behind(path):
                found.setdefault(atom, self._size(atom))
        yield from ((place, atom) for atom in sorted(found, key=found.__getitem__))

    def _growth(self, place: Place) -> Iterator[Expr]:
        """Yield whether what predicates are about grows on the paths that lead back to a place."""
        for path in self.paths.leaving[place]:
            if path.target == place[1]:
                for predicate in self.placement.at.get(place, ()):
                    yield from growth(predicate, path.before(predicate))

    def _guard(self, path: StepPath) -> list[Expr]:
        """Return the atoms of the guard of a path; paths of one shape share them."""
        key = (path.shape, TRUE)
        if key not in self._known:
            self._known[key] = [atom for part in path.guard for atom in atoms(part)]
        return self._known[key]

    def _size(self, expr: Expr) -> int:
        """Return the number of nodes of an expression."""
        if expr not in self._sizes:
            self._sizes[expr] = sum(1 for _ in expressions(expr))
        return self._sizes[expr]

    def _before(self, path: StepPath, predicate: Expr) -> list[Expr]:
        """Return the atoms of the weakest precondition of a predicate; paths of one shape share them."""
        key = (path.shape, predicate)
        if key not in self._known:
            self._known[key] = atoms(path.before(predicate))
        return self._known[key]

    def _at_call(self, place: Place, site: CallPath) -> Iterator[tuple[Place, Expr]]:
        entry, leave = self.paths.entries[site.callee], self.paths.exits[site.callee]
        for predicate in self.placement.at.get(entry, ()):
            key = (site.shape, predicate)
            if key not in self._known:
                self._known[key] = atoms(substitute(predicate, site.arguments))
            yield from ((place, atom) for atom in self._known[key])
        for predicate in self.placement.at.get((site.procedure, site.target), ()):
            here, there = self._behind(site, predicate)
            yield from ((place, atom) for atom in here)
            yield from ((leave, seen) for seen in there)

    def _behind(self, site: CallPath, predicate: Expr) -> tuple[list[Expr], list[Expr]]:
        """Return what a predicate behind a call wants before it and at the callee's exit; calls of a shape share it."""
        key = (site.shape, predicate, self.placement.at.get(self.paths.exits[site.callee], ()))
        if key not in self._wants:
            if site.results.keys().isdisjoint(variables(predicate)):
                self._wants[key] = ([predicate], [])
            else:
                here = [atom for known in self._through(site, predicate) for atom in atoms(known)]
                self._wants[key] = (here, list(seen_by_callee(self.paths, site, predicate)))
        return self._wants[key]

    def _through(self, site: CallPath, predicate: Expr) -> Iterator[Expr]:
        """Yield a predicate behind a call in words of the state before it, by what equations say of the results."""
        given: dict[str, Expr] = {old(name): Var(name) for name in self.paths.program.globals}
        given |= {old(name): value for name, value in site.arguments.items()}
        values: dict[str, Expr] = {}
        for equation in self.placement.at.get(self.paths.exits[site.callee], ()):
            for name, result in site.results.items():
                value = solve_for(equation, result)
                if value is not None and variables(value) <= given.keys():
                    values.setdefault(name, substitute(value, given))
        if variables(predicate) & site.results.keys() <= values.keys():
            yield substitute(predicate, values)


def _conditions_behind(path: StepPath) -> Iterator[Expr]:
    """Yield what held on a path in words of the state behind it, as far as that has words for it."""
    now: dict[str, Expr] = {}
    for name, value in path.update.items():
        if isinstance(value, Var):
            now.setdefault(value.name, Var(name))
    for part in path.guard:
        for atom in atoms(part):
            if all(name in now or (name not in path.update and name[0] != "?") for name in variables(atom)):
                yield substitute(atom, now)


def seen_by_callee(paths: Paths, site: CallPath, predicate: Expr) -> Iterator[Expr]:
    """Yield a predicate behind a call in the words of the callee's exit, where it has words for it."""
    values: dict[str, Expr] = {name: Var(result) for name, result in site.results.items()}
    for name, argument in site.arguments.items():
        if isinstance(argument, Var) and argument.name not in values:
            values[argument.name] = Var(old(name))
    kept: Mapping[str, Expr] = {name: Var(name) for name in paths.program.globals if name not in values}
    values = {**kept, **values}
    if variables(predicate) <= values.keys():
        yield substitute(predicate, values)
