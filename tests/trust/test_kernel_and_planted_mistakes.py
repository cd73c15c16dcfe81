"""Mistakes planted in engines, views and the fast checkers: none gets a wrong "checked by the kernel"."""

from __future__ import annotations

import pytest

from support.mistakes.families import FAMILIES
from support.mistakes.planted import NOWHERE, Answered, Mistake, answers_with, choose_mistakes

NONE = Mistake(NOWHERE, 0)


REDUCTIONS = ("knaster.transform.", "knaster.semantics.", "knaster.program.")  # what is trusted besides


def believed(mistake: Mistake, answers: list[Answered]) -> bool:
    """Tell whether the kernel is said to have checked what is not so; of reduced programs, who reduces is trusted."""
    trusted = mistake.module.startswith(REDUCTIONS)
    return any(one.kernel or (one.reduced and not trusted) for one in wrong(answers))


def wrong(answers: list[Answered]) -> list[Answered]:
    return [one for one in answers if one.truth == "FALSE" and one.verdict == "TRUE"]


@pytest.mark.parametrize("trusting", [False, True])
def test_without_a_mistake_the_kernel_checks_what_is_so(trusting: bool) -> None:
    answers = answers_with(NONE, trusting)
    assert len(answers) > 20 and not wrong(answers)
    assert all(one.verdict in (one.truth, "UNKNOWN") for one in answers)
    assert all(one.kernel for one in answers if one.verdict == "TRUE")


@pytest.mark.slow
@pytest.mark.parametrize("family", ["c", "memory", "threads of C", "zing"])
def test_other_programs_without_a_mistake(family: str) -> None:
    answers = answers_with(NONE, family=family)
    assert len(answers) > 12 and not wrong(answers)
    assert sum(one.kernel or one.reduced for one in answers if one.verdict == "TRUE") * 2 > len(answers) / 2


@pytest.mark.parametrize("trusting", [False, True])
def test_some_mistakes(trusting: bool) -> None:
    for mistake in choose_mistakes(1, 2, checkers=not trusting):
        assert not believed(mistake, answers_with(mistake, trusting)), mistake


@pytest.mark.slow
@pytest.mark.parametrize("trusting", [False, True])
def test_a_hundred_mistakes(trusting: bool) -> None:
    """Also where the fast checkers believe everything: what the kernel refuses is a mistake, and another is asked."""
    right, changed = answers_with(NONE), 0
    for mistake in choose_mistakes(19, 100, checkers=not trusting):
        answers = answers_with(mistake, trusting)
        changed += answers != right
        assert not believed(mistake, answers), mistake
    assert changed > 20


@pytest.mark.slow
@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "boolean"])
def test_fifty_mistakes_in_what_decides_other_programs(family: str) -> None:
    for mistake in choose_mistakes(19, 50, family=family):
        assert not believed(mistake, answers_with(mistake, family=family)), mistake
