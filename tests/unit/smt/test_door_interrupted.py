"""Ctrl-C while a solver works: the question ends, and nothing is printed."""

from __future__ import annotations

import signal
from collections.abc import Callable

import pytest

from knaster.base.limits import Budget, OutOfBudget
from knaster.smt.door import Patience, ask_patiently


class _Solver:
    """Looks at the clock until it is told to stop; gets Ctrl-C between two looks."""

    def __init__(self) -> None:
        self.looks = 0
        self.is_over: Callable[[], bool] | None = None

    def configure_terminator(self, patience: Patience) -> None:
        self.is_over = patience

    def check_sat(self, *assumptions: object) -> str:
        assert self.is_over is not None
        while not self.is_over():
            self.looks += 1
            if self.looks == 3:
                signal.raise_signal(signal.SIGINT)
        return "unknown"


def test_an_interrupt_is_raised_when_the_solver_has_returned() -> None:
    solver = _Solver()
    with pytest.raises(KeyboardInterrupt):
        ask_patiently(solver, 1_000, Budget())
    assert solver.looks == 3


def test_looks_are_counted() -> None:
    solver = _Solver()
    assert ask_patiently(solver, 2, Budget()) == "unknown"
    assert solver.looks == 2


def test_a_budget_that_is_spent_is_said() -> None:
    with pytest.raises(OutOfBudget):
        ask_patiently(_Solver(), 2, Budget(seconds=-1.0))
