"""Solves a system with everything that it asks for, in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from knaster.base.limits import Budget
from knaster.base.records import dataclass
from knaster.bdd.store import Store
from knaster.calculus.answers.evaluation import Session
from knaster.calculus.answers.outcomes import Count, Outcome, Truth, Unanswered
from knaster.calculus.answers.tuples import Relation
from knaster.calculus.fixpoints.external_relations import Given
from knaster.calculus.fixpoints.plan import Tick
from knaster.calculus.language.system import System


@dataclass(frozen=True, slots=True)
class Solution:
    """Everything a system asks for, and a way to ask for more."""

    session: Session
    answers: tuple[Outcome, ...]

    def __repr__(self) -> str:
        return f"<Solution: queries {self.queries}, counts {self.counts}{f', {self.reason}' if self.reason else ''}>"

    def _repr_html_(self) -> str:
        from knaster.calculus.answers.picture import solution_to_html

        return solution_to_html(self)

    @property
    def reason(self) -> str:
        """Why not everything is answered; empty where it is."""
        return next((answer.reason for answer in self.answers if isinstance(answer, Unanswered)), "")

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
    tick: Tick | None = None,
    record: bool = False,
    store: Store | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Solution:
    """Return the answers to everything that `system` asks for; see `Session`.

    After `timeout` seconds or beyond `memory` megabytes the rest is `Unanswered`; `progress` hears of every round.
    """
    budget = Budget(timeout, memory, progress)

    def check() -> None:
        budget.check()
        if tick is not None:
            tick()

    tell = None if progress is None else budget.tell
    session = Session(system, relations or {}, strategy, check, record, store=store, tell=tell)
    return Solution(session, tuple(session.answers()))
