"""Computes the relations of an exact predicate abstraction: which minterms can hold before a step and after it.

Gurfinkel, Wei and Chechik, Model Checking Recursive Programs with Exact Predicate Abstraction (ATVA 2008), section
5.  A *minterm* at a cut point is a sign for each predicate there that some state has; those that no state has are
never made, because they would satisfy every claim about all their states.  Everything here is about *some* pairs of
states (may); `covered` alone speaks of *all* states of a minterm (must), by a solver.  Calls are two relations: from
the caller's minterm to that of the callee's entry, and from both and the minterm of the callee's exit to the caller's
afterwards. There predicates over caller and callee are related as the values are: nothing has to be split into what
the call changes and what it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from knaster.base.records import dataclass
from knaster.program.algebra import decision, literal_of, substitute
from knaster.program.expression import TRUE, Expr, Var, variables
from knaster.program.model import Place, old
from knaster.program.types import Type
from knaster.smt.signs import Oracle, Signs, Step, Vector
from knaster.views.abstraction.normal_form import normal_form
from knaster.views.steps.paths import CallPath, Paths, StepPath

Minterm = Vector
Predicates = tuple[Expr, ...]
Returns = Mapping[tuple[Minterm, Minterm], Mapping[Minterm, frozenset[Minterm]]]
Found = TypeVar("Found")
_INSIDE = "callee "  # before the names of a callee's state at its exit


@dataclass(frozen=True, slots=True)
class Bits:
    """Signs of several lists of predicates at once: which literal each predicate is, and with which sign.

    A predicate that is the same for every state has no literal (None) and a sign.
    """

    signs: Signs
    lists: tuple[tuple[tuple[int | None, bool], ...], ...]

    def rows(self) -> Iterable[tuple[Minterm, ...]]:
        """Yield the minterms of all lists, combination by combination."""
        for vector in self.signs.vectors():
            yield tuple(tuple(sign if at is None else vector[at] == sign for at, sign in part) for part in self.lists)


Memory = dict[object, Any]  # what was found for equal steps and predicates, whichever procedure and round it was


class Abstraction:
    """The relations between minterms for given predicates; what `memory` has is not asked again."""

    def __init__(self, paths: Paths, oracle: Oracle, predicates: Mapping[Place, Predicates], memory: Memory) -> None:
        self.paths = paths
        self.oracle = oracle
        self.predicates = predicates
        self.memory = memory
        self._near: dict[tuple[object, ...], Any] = {}  # the same by place, which is quicker

    def _remember(self, kind: str, shape: object, places: tuple[Place, ...], make: Callable[[], Found]) -> Found:
        """Return what is remembered of a step of some shape between places with their predicates, or make it."""
        near = (kind, shape, places)
        found = self._near.get(near)
        if found is None:
            key = (kind, shape, *map(self.at, places))
            found = self.memory.get(key)
            if found is None:
                found = self.memory[key] = make()
            self._near[near] = found
        return found

    def at(self, place: Place) -> Predicates:
        """Return the predicates of a cut point."""
        return self.predicates.get(place, ())

    def bits(self, given: Iterable[Expr], lists: Iterable[Iterable[Expr]], types: Mapping[str, Type]) -> Bits:
        """Return the signs that lists of expressions can have together where something holds."""
        numbers: dict[Expr, int] = {}
        found = []
        for exprs in lists:
            part: list[tuple[int | None, bool]] = []
            for expr in exprs:
                literal, sign = normal_form(expr)
                part.append((None if literal == TRUE else numbers.setdefault(literal, len(numbers)), sign))
            found.append(tuple(part))
        given = tuple(given)
        spoken = {name for expr in (*given, *numbers) for name in variables(expr)}
        return Bits(self.oracle.signs(given, tuple(numbers), {n: types[n] for n in spoken}), tuple(found))

    # The states of a minterm

    def meaning(self, place: Place, minterm: Minterm) -> tuple[Expr, ...]:
        """Return the predicates of a minterm with their signs."""
        return tuple(literal_of(p, sign) for p, sign in zip(self.at(place), minterm, strict=True))

    def union(self, place: Place, minterms: Iterable[Minterm]) -> Expr:
        """Return what holds in the states of some minterms."""
        some = frozenset(minterms)
        shape = (self.paths.scopes[place[0]], some)
        return self._remember("union", shape, (place,), lambda: decision(some, self.at(place), self.minterms(place)))

    def minterms(self, place: Place) -> frozenset[Minterm]:
        """Return the minterms that some state has."""

        def make() -> frozenset[Minterm]:
            bits = self.bits((), [self.at(place)], self.paths.types[place[0]])
            return frozenset(row[0] for row in bits.rows())

        return self._remember("minterms", self.paths.scopes[place[0]], (place,), make)

    def initial(self) -> frozenset[Minterm]:
        """Return the minterms of the states in which the program starts."""
        entry = self.paths.entries[self.paths.main]
        found = self.bits((self.paths.program.init,), [self.at(entry)], self.paths.types[self.paths.main])
        return frozenset(row[0] for row in found.rows())

    # Steps

    def path_bits(self, path: StepPath) -> Bits:
        """Return what can hold before a path, and after it."""
        source, target = path.ends

        def make() -> Bits:
            after = [path.before(predicate) for predicate in self.at(target)]
            return self.bits(path.guard, [self.at(source), after], self.types(path))

        return self._remember("path", path.shape, path.ends, make)

    def types(self, path: StepPath) -> dict[str, Type]:
        """Return the types of the state before a path and of its inputs."""
        return {**self.paths.types[path.procedure], **{entry.name: entry.type for entry in path.inputs}}

    def after(self, path: StepPath) -> Mapping[Minterm, frozenset[Minterm]]:
        """Return the minterms after a path by those before it."""
        return self._remember("after", path.shape, path.ends, lambda: _by_first(self.path_bits(path).rows()))

    def entry_bits(self, site: CallPath) -> Bits:
        """Return what can hold in the caller and at the entry of the callee."""
        source, entry, *_ = self._ends(site)

        def make() -> Bits:
            passed = [substitute(predicate, site.arguments) for predicate in self.at(entry)]
            return self.bits(site.guard, [self.at(source), passed], self.paths.types[site.procedure])

        return self._remember("entry", site.shape, (source, entry), make)

    def _ends(self, site: CallPath) -> tuple[Place, ...]:
        """Return the places of a call: where it stands, the callee's entry and exit, where the caller goes on."""
        entry, leave = self.paths.entries[site.callee], self.paths.exits[site.callee]
        return (site.procedure, site.source), entry, leave, (site.procedure, site.target)

    def entries(self, site: CallPath) -> Mapping[Minterm, frozenset[Minterm]]:
        """Return the minterms at the entry of a callee by those of the caller."""
        ends = self._ends(site)[:2]
        return self._remember("entries", site.shape, ends, lambda: _by_first(self.entry_bits(site).rows()))

    def return_bits(self, site: CallPath) -> Bits:
        """Return what can hold in the caller before a call, at the callee's entry and exit, and in the caller after it.

        A global that the callee never writes has one value at all four places.
        """
        return self._remember("return", site.shape, self._ends(site), lambda: self._return_bits(site))

    def _return_bits(self, site: CallPath) -> Bits:
        types, inner = self.paths.types[site.procedure], self.paths.types[site.callee]
        globals = self.paths.program.globals
        kept: dict[str, Expr] = {name: Var(name) for name in globals if name not in site.results}
        leaving: dict[str, Expr] = {name: Var(_INSIDE + name) for name in inner} | kept
        leaving |= {old(name): Var(name) for name in globals}
        leaving |= {old(name): argument for name, argument in site.arguments.items()}
        after = {name: leaving[result] for name, result in site.results.items()}
        passed = [substitute(predicate, site.arguments) for predicate in self.at(self.paths.entries[site.callee])]
        left = [substitute(predicate, leaving) for predicate in self.at(self.paths.exits[site.callee])]
        later = [substitute(predicate, after) for predicate in self.at((site.procedure, site.target))]
        spoken = {**types, **{_INSIDE + name: type for name, type in inner.items()}}
        return self.bits(site.guard, [self.at((site.procedure, site.source)), passed, left, later], spoken)

    def returns(self, site: CallPath) -> Returns:
        """Return, for the caller's minterm and the callee's first one, what follows from each minterm at its exit."""
        return self._remember("returns", site.shape, self._ends(site), lambda: self._returns(site))

    def _returns(self, site: CallPath) -> Returns:
        found: dict[tuple[Minterm, Minterm], dict[Minterm, set[Minterm]]] = {}
        for before, entry, leave, after in self.return_bits(site).rows():
            found.setdefault((before, entry), {}).setdefault(leave, set()).add(after)
        return {key: {leave: frozenset(after) for leave, after in inner.items()} for key, inner in found.items()}

    # All states of a minterm

    def is_determined(self, place: Place) -> bool:
        """Tell whether at most one path can be taken, with one outcome, as far as predicates see it."""
        shape, places = self._around(place)
        return self._remember("determined", shape, places, lambda: self._is_determined(place))

    def _around(self, place: Place) -> tuple[object, tuple[Place, ...]]:
        """Return what the paths that leave a place do, and the places at their ends."""
        leaving = self.paths.leaving[place]
        return tuple(path.shape for path in leaving), (place, *((place[0], path.target) for path in leaving))

    def _is_determined(self, place: Place) -> bool:
        leaving = self.paths.leaving[place]
        for path in leaving:
            inputs = {entry.name for entry in path.inputs}
            spoken = [*path.guard, *(path.before(p) for p in self.at((path.procedure, path.target)))]
            if inputs and any(inputs & variables(expr) for expr in spoken):
                return False
            if not self.oracle.is_exact(spoken, self.types(path)):
                return False
        pairs = [(one, other) for index, one in enumerate(leaving) for other in leaving[:index]]
        return not any(self.oracle.possible((*one.guard, *other.guard), self.types(one)) for one, other in pairs)

    def moves_on(self, place: Place, minterm: Minterm) -> bool:
        """Tell whether every state of a minterm has a step."""
        goals = {path.target: TRUE for path in self.paths.leaving[place]}
        shape, _ = self._around(place)
        return self._remember("moves", (shape, minterm), (place,), lambda: self._is_covered(place, minterm, goals))

    def is_covered(self, place: Place, minterm: Minterm, goals: Mapping[Place, frozenset[Minterm]]) -> bool:
        """Tell whether every state of a minterm has a step into a state of the goals."""
        targets = {path.target for path in self.paths.leaving[place]}
        unions = {t: self.union((place[0], t), goals.get((place[0], t), frozenset())) for t in targets}
        return self._is_covered(place, minterm, unions)

    def _is_covered(self, place: Place, minterm: Minterm, goals: Mapping[int, Expr]) -> bool:
        steps = []
        for path in self.paths.leaving[place]:
            goal = path.before(goals[path.target])
            if self.oracle.is_exact((*path.guard, goal), self.types(path)):
                steps.append(Step(path.guard, goal, tuple((entry.name, entry.type) for entry in path.inputs)))
        return self.oracle.covers(self.meaning(place, minterm), tuple(steps), self.paths.types[place[0]])


def _by_first(pairs: Iterable[tuple[Minterm, ...]]) -> dict[Minterm, frozenset[Minterm]]:
    found: dict[Minterm, set[Minterm]] = {}
    for first, second in pairs:
        found.setdefault(first, set()).add(second)
    return {first: frozenset(seconds) for first, seconds in found.items()}
