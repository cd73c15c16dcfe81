"""Atomic regions that can run for ever: circles of rows, within a call and through recursion."""

from __future__ import annotations

from knaster.checkers.heap.endless_regions import EFFECT, ROW, Outcome, Regions


def regions(*steps: tuple[int, Outcome]) -> Regions:
    """Return one root with these steps between its rows."""
    found = Regions()
    found.first(0, 0)
    for row, outcome in steps:
        found.step((0, row), outcome)
    return found


def to(row: int, kept: bool = True) -> Outcome:
    return Outcome(ROW, row, kept)


def test_a_circle_of_rows() -> None:
    assert regions((0, to(1)), (1, to(0))).never_end()
    assert regions((0, to(0))).never_end()
    assert not regions((0, to(1)), (1, to(2))).never_end()
    assert not regions((0, to(1)), (1, Outcome(EFFECT, 0, True))).never_end()


def test_a_circle_in_which_others_may_run() -> None:
    assert not regions((0, to(1)), (1, to(0, kept=False))).never_end()


def with_call(effect: int, back: Outcome) -> Regions:
    """Return a root whose row 1 calls another one that leads to its effect 0, and comes back by some effect."""
    found = regions((0, to(1)))
    found.first(1, 0)
    found.step((1, 0), Outcome(EFFECT, 0, True))
    found.call((0, 1), 1)
    found.back((0, 1), effect, back)
    return found


def test_a_call_that_returns_is_a_step() -> None:
    assert with_call(0, to(0)).never_end()
    assert not with_call(0, to(2)).never_end()
    assert not with_call(0, to(0, kept=False)).never_end()
    assert not with_call(1, to(0)).never_end()  # it never returns like that


def test_a_call_that_returns_by_another_one() -> None:
    """The one that is looked at last returns by one that is known later."""
    found = regions((0, to(1)))
    found.first(1, 0)
    found.first(2, 0)
    found.call((0, 1), 2)
    found.back((0, 1), 0, to(0))
    found.call((2, 0), 1)
    found.back((2, 0), 0, Outcome(EFFECT, 0, True))
    found.step((1, 0), Outcome(EFFECT, 0, True))
    assert found.never_end()


def test_recursion_without_an_end() -> None:
    found = regions((0, to(1)))
    found.call((0, 1), 0)
    assert found.never_end()
