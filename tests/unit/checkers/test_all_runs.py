"""The check of all runs: the set has the start and every step, no target is among them, and some runs end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from knaster.base.errors import InternalError
from knaster.base.limits import Budget
from knaster.checkers.all_runs import check_all_runs, check_ending, visited_places
from knaster.evidence.proofs.all_runs import AllRuns
from knaster.evidence.questions.question import Target
from support.kinds_of_proofs import result_with


def proof() -> AllRuns:
    found = result_with("all_runs").proof
    assert isinstance(found, AllRuns)
    return found


def test_what_was_proved_holds() -> None:
    given = proof()
    check_all_runs(given, given.program, (), Budget())
    check_ending(given, given.program, Budget())
    places = visited_places(given)
    assert places == {("main", location) for location in range(given.program.procedure("main").size)}


def test_a_target_among_the_runs() -> None:
    given = proof()
    target = Target("exit", "main", given.program.procedure("main").exit, 1)
    with pytest.raises(InternalError, match="is a target"):
        check_all_runs(given, given.program, [target], Budget())


@pytest.mark.parametrize(("index", "problem"), [(0, "a call of 'main'"), (-1, "leaves out a state")])
def test_a_state_that_is_missing(index: int, problem: str) -> None:
    given = proof()
    fewer = [state for number, state in enumerate(given.states) if number != index % len(given.states)]
    with pytest.raises(InternalError, match=problem):
        check_ending(replace(given, states=tuple(fewer)), given.program, Budget())


def test_a_run_that_comes_back_does_not_end() -> None:
    other = result_with("lasso").program
    states = (("main", (), 0, (0, 0)), *(("main", (), 1, (x, 0)) for x in (0, 1, 5)), ("main", (), 4, (0, 0)))
    with pytest.raises(InternalError, match="comes back"):
        check_ending(AllRuns(other, states), other, Budget())


def test_another_program() -> None:
    with pytest.raises(InternalError, match="another program"):
        check_all_runs(proof(), result_with("lasso").program, (), Budget())
