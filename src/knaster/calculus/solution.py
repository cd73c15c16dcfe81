"""A system and everything that it asks for, in one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knaster.calculus.evaluation import Session
from knaster.calculus.given import Given
from knaster.calculus.machine import Tick
from knaster.calculus.outcomes import Answer, Count, Truth
from knaster.calculus.system import System
from knaster.calculus.tuples import Relation
from knaster.symbolic.bdd import Store


@dataclass(frozen=True, slots=True)
class Solution:
    """Everything a system asks for, and a way to ask for more."""

    session: Session
    answers: tuple[Answer, ...]

    def __repr__(self) -> str:
        return f"<Solution: queries {self.queries}, counts {self.counts}>"

    @property
    def queries(self) -> list[bool]:
        """The truth of the queries, in order."""
        return [answer.value for answer in self.answers if isinstance(answer, Truth)]

    @property
    def counts(self) -> dict[str, int]:
        """The number of tuples of each predicate that was asked with `#ons`."""
        return {answer.name: answer.count for answer in self.answers if isinstance(answer, Count)}

    @property
    def sizes(self) -> dict[str, list[int]]:
        """The number of BDD nodes of each recursive predicate, round by round; empty unless recorded."""
        return self.session.sizes

    @property
    def rounds(self) -> Mapping[str, int]:
        """How many rounds each recursive predicate took."""
        return self.session.rounds

    def relation(self, name: str) -> Relation:
        """Return the value of a predicate."""
        return self.session.relation(name)


def evaluate(
    system: System,
    *,
    relations: Mapping[str, Given] | None = None,
    strategy: str = "frontier",
    tick: Tick = lambda: None,
    record: bool = False,
    store: Store | None = None,
) -> Solution:
    """Return the answers to everything that `system` asks for; see `Session`."""
    session = Session(system, relations or {}, strategy, tick, record, store=store)
    return Solution(session, tuple(session.answers()))
