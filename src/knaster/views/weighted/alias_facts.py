"""May- and must-aliases at every place of a C program with pointers, whatever the calling context (Lal 2009, 3.5.3).

Two solutions of the same graph: pointers that may be in the same object, and pointers that may differ.  What cannot
differ is always the same.  Pointers that are not tracked (their address is taken) have what `points_to` says, wherever
control is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from knaster.base.errors import UnsupportedError, UsageError
from knaster.evidence.answers.facts import CALLERS, Alias
from knaster.program.kind import Kind
from knaster.program.model import Place, Procedure, Program, old
from knaster.program.temporaries import is_temporary
from knaster.pushdown.domains.aliases import AliasTransformer
from knaster.pushdown.domains.term_pairs import NULL, OUTSIDE, TermPairs
from knaster.pushdown.icfg import FlowSolution
from knaster.views.weighted.pointer_flow import PointerFlow
from knaster.views.weighted.pointer_terms import Pointer, PointerTerms
from knaster.views.weighted.points_to import Object, PointsTo

MOST = 150  # terms at once: a weight has up to the fourth power of that many bits


class AliasFacts:
    """The aliases of a program."""

    def __init__(self, program: Program) -> None:
        if program.kind is not Kind.MEMORY:
            raise UsageError(
                f"aliases are of pointers, and {program.file} has none; affine, constants, intervals and all fit"
            )
        self.program = program
        self.terms = PointerTerms(program, PointsTo(program))
        count = len(self.terms.shared) + len(self.terms.own)
        if count > MOST:
            raise UnsupportedError(
                f"aliases are computed between {MOST} pointers and objects at most, and there are {count} at once",
                file=program.file,
            )
        self._known: dict[Place, tuple[int, int]] = {}
        self.same, self._same = self._solve(differ=False)
        self.differ, self._differ = self._solve(differ=True)

    def _solve(self, *, differ: bool) -> tuple[TermPairs, FlowSolution[AliasTransformer]]:
        domain = TermPairs(self.terms.shared, self.terms.own, differ=differ)
        flow = PointerFlow(self.program, self.terms, domain)
        return domain, flow.graph().jovp(flow.start(), engine="fast")

    def at(self, place: Place) -> tuple[Alias, ...] | None:
        """Return what pointers are at a place: each with what it always is, or all that it may be in."""
        same, differ = self._rows(place)
        if not same and not differ:
            return None
        found: list[Alias] = []
        told: list[Pointer] = []  # that others are compared with
        for pointer in self._pointers(place[0]):
            equal = self._equal(place[0], pointer, told, differ)
            if equal:
                found.append(Alias(pointer.name, equal, True))
            else:
                found += self._possible(place[0], pointer, told, same)
                told.append(pointer)
        return tuple(found)

    def may_be_same(self, place: Place, left: str, right: str) -> bool:
        """Tell whether two terms may be in the same object at a place."""
        return self.same.has(self._rows(place)[0], left, right)

    def may_differ(self, place: Place, left: str, right: str) -> bool:
        """Tell whether two terms may have different values at a place."""
        return self.differ.has(self._rows(place)[1], left, right)

    def _rows(self, place: Place) -> tuple[int, int]:
        """Return the pairs that may be the same and those that may differ at a place; none where no path leads."""
        if place not in self._known:
            same, differ = self._same.at(place).rows, self._differ.at(place).rows
            self._known[place] = (same[0], differ[0]) if same else (0, 0)
        return self._known[place]

    def _pointers(self, procedure: str) -> Iterator[Pointer]:
        """Yield the pointers that a user has in a procedure."""
        own = self.terms.frames[procedure]
        hidden = {each.name for each in own}
        for pointer in (*(each for each in self.terms.statics if each.name not in hidden), *own):
            if not is_temporary(pointer.name):
                yield pointer

    def _equal(self, procedure: str, pointer: Pointer, others: Sequence[Pointer], differ: int) -> str:
        """Return what a pointer always is; empty where that is nothing."""
        if not pointer.term:
            return ""
        named = [(NULL, NULL)]
        named += [(_address(object), term) for object, term in self.terms.addresses(procedure) if object.sort != "heap"]
        named += [(other.name, other.term) for other in others if other.term]
        return next((name for name, term in named if not self.differ.has(differ, pointer.term, term)), "")

    def _possible(self, procedure: str, pointer: Pointer, others: Sequence[Pointer], same: int) -> Iterator[Alias]:
        """Yield the objects that a pointer may be in, and the pointers that may be in the same."""
        for object in sorted(pointer.targets):
            term = self.terms.address(procedure, object)
            if term != OUTSIDE and (not pointer.term or self.same.has(same, pointer.term, term)):
                yield Alias(pointer.name, _address(object), False)
        outside = self._same.graph.callers[procedure] and any(object.sort == "local" for object in pointer.targets)
        if outside and (not pointer.term or self.same.has(same, pointer.term, OUTSIDE)):
            yield Alias(pointer.name, CALLERS, False)
        for other in others:
            if pointer.targets & other.targets and self._may_meet(pointer, other, same):
                yield Alias(pointer.name, other.name, False)

    def _may_meet(self, pointer: Pointer, other: Pointer, same: int) -> bool:
        return not (pointer.term and other.term) or self.same.has(same, pointer.term, other.term)

    def summary(self, procedure: Procedure) -> tuple[Alias, ...] | None:
        """Return what results and global pointers always are after a call; None where no call returns."""
        weight = self._differ.summary(procedure.name)
        if not weight.rows:
            return None
        results = [
            (f"\\result{'' if len(procedure.results) == 1 else f'[{n}]'}", name)
            for n, name in enumerate(procedure.results)
        ]
        named = [pair for pair in results if pair[1] in self.terms.results]
        named += [(each.name, each.term) for each in self.terms.statics if each.term]
        return tuple(fact for name, term in named for fact in self._after(procedure, name, term, weight))

    def _after(self, procedure: Procedure, name: str, term: str, weight: AliasTransformer) -> Iterator[Alias]:
        """Yield what a term is after a call, where it always has the value that one term had before it."""
        if self.differ.has(weight.rows[0], term, OUTSIDE):
            return
        sources = [pair[0] for pair in self.differ.sources(weight, term, OUTSIDE)]
        if len(sources) == 1 and sources[0] != term:
            yield Alias(name, self._before(procedure, sources[0]), True)

    def _before(self, procedure: Procedure, term: str) -> str:
        """Return how a summary calls what a term was before the call."""
        names = {place: _address(object) for object, place in self.terms.addresses(procedure.name)}
        names |= {each.term: old(each.name) for each in (*self.terms.statics, *self.terms.frames[procedure.name])}
        return names.get(term, term)


def _address(object: Object) -> str:
    return f"&{object.name}"
