"""Horn clauses: what a question has spent is known, also where Spacer itself did not begin to count."""

from __future__ import annotations

from typing import Any

import pytest

from knaster.smt.horn import Clauses
from knaster.smt.library import z3
from knaster.smt.solver import SPENT, Answer, Session


class Silent:
    """Spacer without statistics."""

    def __init__(self, spacer: Any) -> None:
        self.spacer = spacer

    def __getattr__(self, name: str) -> Any:
        return getattr(self.spacer, name)

    def statistics(self) -> Any:
        return {}


def counting(session: Session, units: int, silent: bool = False) -> tuple[Answer, int]:
    """Ask whether a number that grows becomes negative."""
    clauses = Clauses(session)
    x = z3.Int("x", session.context)
    at, goal = clauses.relation("at", [x.sort()]), clauses.relation("goal", [])
    clauses.rule([x], at(x), [x == 0])
    clauses.rule([x], at(x + 1), [at(x), x < 1_000])
    clauses.rule([x], goal(), [at(x), x < 0])
    if silent:
        clauses.spacer = Silent(clauses.spacer)
    return clauses.query(goal(), units), clauses.spent


def test_a_question_that_is_answered() -> None:
    said, spent = counting(Session(), 1_000_000)
    assert said is Answer.UNSATISFIABLE and 0 < spent < 1_000_000


@pytest.mark.parametrize("silent", [False, True])
def test_units_that_are_spent_are_counted(silent: bool) -> None:
    """A stage that seems to have spent nothing would be taken for one that has said all that it can say."""
    session = Session()
    assert counting(session, 1, silent) == (Answer.UNKNOWN, 1)
    assert session.reason == SPENT
