"""Why a transition has its weight: which rule was applied to which transitions.  These are logs of `LeastSolution`.

The justifications of Reps, Schwoon, Jha and Melski, as Lal (PhD thesis, University of Wisconsin, 2009), section 4.2.1,
recalls them.  A derivation refers to a transition *as it was then*: version v of a transition is its weight after v + 1
changes.  So derivations are well-founded although the transition relation is cyclic.

The run of a derivation is, in order: post*: first, rule, second.  pre*: rule, first, second.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from knaster.base.errors import UsageError
from knaster.base.named_tuples import NamedTuple
from knaster.pushdown.numbering import NONE

W = TypeVar("W")


class Derivation(NamedTuple):
    """A rule applied to transitions, each with the version of its weight; NONE where there is nothing."""

    rule: int = NONE
    first: int = NONE
    first_version: int = NONE
    second: int = NONE
    second_version: int = NONE


class OneEach(Protocol):
    """One derivation for each transition, by column."""

    @property
    def rule(self) -> Sequence[int]:
        """The rule of every derivation."""
        ...

    @property
    def first(self) -> Sequence[int]:
        """The first transition of every derivation."""
        ...

    @property
    def second(self) -> Sequence[int]:
        """The second transition of every derivation."""
        ...


@runtime_checkable
class FindsRuns(Protocol):
    """What finds runs by itself, without derivations of transitions."""

    def search(self, answer: Any, configurations: Any, /) -> Any:
        """Return a `RunSearch` for the runs to or from some configurations."""
        ...


class LastDerivations(Generic[W]):
    """One derivation for each transition, the last: all that is needed where combine chooses one of its arguments."""

    def __init__(self) -> None:
        self.rule = array("i")
        self.first = array("i")
        self.second = array("i")

    def record(self, transition: int, weight: W, share: W, rule: int, first: int, second: int) -> None:
        """Replace the derivation of `transition`; raise `UsageError` where one derivation cannot justify a weight."""
        if transition == len(self.rule):
            self.rule.append(rule)
            self.first.append(first)
            self.second.append(second)
            return
        if weight != share:
            raise UsageError("combine does not choose one of its arguments here; ask for all witnesses")
        self.rule[transition] = rule
        self.first[transition] = first
        self.second[transition] = second


class AllDerivations(Generic[W]):
    """Every derivation that changed a weight: `shares` what it contributed, `weights` the weight after it."""

    def __init__(self) -> None:
        self.derivations: list[list[Derivation]] = []
        self.shares: list[list[W]] = []
        self.weights: list[list[W]] = []

    def record(self, transition: int, weight: W, share: W, rule: int, first: int, second: int) -> None:
        """Append a derivation of `transition`."""
        derivation = Derivation(rule, first, self.version(first), second, self.version(second))
        if transition == len(self.derivations):
            self.derivations.append([])
            self.shares.append([])
            self.weights.append([])
        self.derivations[transition].append(derivation)
        self.shares[transition].append(share)
        self.weights[transition].append(weight)

    def version(self, transition: int) -> int:
        """Return the latest version of `transition`."""
        return NONE if transition == NONE else len(self.derivations[transition]) - 1
