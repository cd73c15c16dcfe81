"""Runs described by derivations: a place is a transition, or a pair of the product with the asked set, in one version.

A version of a place is made of the derivations up to it, each of which was a change of its weight.  A derivation refers
to earlier versions only, so every run is finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from knaster.base.named_tuples import NamedTuple
from knaster.pushdown.automaton import Automaton
from knaster.pushdown.numbering import NONE
from knaster.pushdown.runs.run_search import Bound, Emit, Enter, Leave, Read, RunSearch, Wanted
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.derivations import AllDerivations, Derivation
from knaster.pushdown.saturation.query import summarize

W = TypeVar("W")


class Place(NamedTuple):
    """A transition, or (`pair` True) a pair of the product, in one of its versions."""

    number: int
    version: int
    pair: bool = False


def search_derivations(answer: Answer[W], log: AllDerivations[W], configurations: Automaton[W]) -> RunSearch[Place, W]:
    """Return a search for runs to or from the asked configurations of an answer whose derivations were all kept."""
    pair_log: AllDerivations[W] = AllDerivations()
    pairs, solution = summarize(answer, configurations, pair_log)
    found = ((solution.number(node), pairs.nodes[node][0]) for node in pairs.starts)
    roots = [(Place(v, pair_log.version(v), pair=True), control) for v, control in found if v != NONE]
    places = _DerivedPlaces(answer, log, pair_log)
    roots += [(places.empty_stack(t), answer.source[t]) for t in pairs.empty]
    return RunSearch(answer.system.domain, places, roots, forward=answer.forward, tick=answer.tick)


class _DerivedPlaces(Generic[W]):
    """The places of an answer: `log` tells of its transitions, `pair_log` of the pairs that read them."""

    def __init__(self, answer: Answer[W], log: AllDerivations[W], pair_log: AllDerivations[W]) -> None:
        self._answer, self._log, self._pair_log = answer, log, pair_log
        self._domain, self._rules = answer.system.domain, answer.system.rules
        self.is_relaxed = not answer.system.has_path_extension()

    def empty_stack(self, t: int) -> Place:
        """Return the place of a transition that accepts an empty stack by itself."""
        return Place(t, self._log.version(t))

    def weight(self, place: Place) -> W:
        """Return the weight of a place in its version."""
        log = self._pair_log if place.pair else self._log
        return log.weights[place.number][place.version]

    def parts(self, place: Place, bound: Bound[W], wanted: Wanted[W]) -> Sequence[Any]:
        """Return the parts of the oldest derivation of a place that is wanted."""
        log = self._pair_log if place.pair else self._log
        shares = log.shares[place.number]
        version = place.version
        for older in range(version):
            if wanted(bound(shares[older])):
                version = older
                break
        derivation = log.derivations[place.number][version]
        if place.pair:
            return self._reading(derivation)
        if derivation.rule == derivation.first == NONE:  # an edge of the automaton, or the entry of a callee
            return [Emit(None, shares[version])]
        return self._application(derivation)

    def _reading(self, derivation: Derivation) -> Sequence[Any]:
        """Return a transition and the pair that it leads to."""
        t = derivation.rule
        if t == NONE:
            return []
        rest = Place(derivation.first, derivation.first_version, pair=True)
        here = [Emit(Read(t), self._domain.one), Place(t, self._log.version(t))]
        return [*here, rest] if self._answer.forward else [rest, *here]

    def _application(self, derivation: Derivation) -> Sequence[Any]:
        """Return a rule and the transitions that it was applied to, in the order in which they happen."""
        number, first, first_version, second, second_version = derivation
        forward = self._answer.forward
        matched = second != NONE and (not forward or self._answer.target[first] < self._answer.controls)
        left: list[Any] = [Place(first, first_version)] if first != NONE else []
        right: list[Any] = [Place(second, second_version)] if second != NONE else []
        fire: list[Any] = []
        end: list[Any] = []
        if number != NONE:
            rule = self._rules[number]
            if matched and (self.is_relaxed or rule.merge is not None):
                fire, end = [Enter(number, rule)], [Leave()]
            elif self.is_relaxed and len(rule.push) == 2:
                fire = [Enter(number, rule)]
            else:
                fire = [Emit(number, rule.weight)]
        return [*fire, *left, *end, *right] if forward else [*left, *fire, *right, *end]
