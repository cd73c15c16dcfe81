"""A bound that grows never claims runs that were not explored."""

from __future__ import annotations

import pytest

import knaster
from knaster.decide.bounds import grow
from knaster.decide.crew import Crew
from knaster.evidence.answers.answer import Answer, Reachable, Result, Unknown, Unreachable
from knaster.evidence.questions.question import Bound, Coverage, Question, Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.program.model import Program

PROGRAM = knaster.parse("decl g; void a() begin g := T; end void b() begin ERROR: skip; end\n")
SPENT = "the time limit was reached"


def grown(last: Answer, covered: int | None) -> Result:
    """Return what is said where 0 and 1 switches are explored and this is found with 2."""

    def decide(program: Program, question: Question) -> Result:
        bound = question.bound
        assert bound is not None and len(program.threads) == 2 * (bound.number + 1)
        done = bound.number < 2
        answer = Unreachable(None, bound) if done else last
        assert isinstance(question, Reach)
        answers = tuple((target, answer) for target in question.targets)
        reach = Coverage("switches", bound.number, bound.number if done else covered)
        return Result(program, question, "states", {}, answers, {}, (), None, reach)

    question = Reach(resolve_targets(PROGRAM, "ERROR"))
    return grow(PROGRAM, Crew((), ("a", "b")), question, True, decide)


@pytest.mark.parametrize(
    ("last", "covered"),
    [
        (Unknown(SPENT), None),
        (Unknown(SPENT), 0),
        (Unknown(SPENT), 1),
        (Unreachable(None, Bound("switches", 1), unchecked=SPENT, beyond=SPENT), 1),
    ],
)
def test_a_budget_that_ends_on_the_way_to_a_bound(last: Answer, covered: int | None) -> None:
    result = grown(last, covered)
    assert result.bound == Coverage("switches", None, 1)
    answer = result.answers[0][1]
    assert isinstance(answer, Unreachable) and answer.bound == Bound("switches", 1) and answer.beyond == SPENT


def test_what_is_reached_ends_it() -> None:
    result = grown(Reachable(None, least=2), 2)
    assert result.bound == Coverage("switches", None, 2)
    answer = result.answers[0][1]
    assert isinstance(answer, Reachable) and answer.least == 2
