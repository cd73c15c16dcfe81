"""Questions to z3: stopped by the clock, by Ctrl-C and by units."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
import z3

from knaster.limits import Budget, OutOfBudget
from knaster.smt.solver import Answer, Session, Solver


def hard(session: Session) -> Solver:
    """Return a question that takes z3 minutes: two factors of a number."""
    x, y = (z3.BitVec(name, 128, session.context) for name in "xy")
    solver = session.solver()
    small = z3.BitVecVal(1 << 62, 128, session.context)
    solver.add(
        [x * y == 2305843009213693951 * 2147483647 * 1000000007, z3.ULT(x, small), z3.ULT(y, small), x != 1, y != 1]
    )
    return solver


def test_the_clock_stops_a_question() -> None:
    solver = hard(Session(Budget(seconds=0.5)))
    started = time.monotonic()
    with pytest.raises(OutOfBudget, match="time limit"):
        solver.check()
    assert time.monotonic() - started < 4


def test_units_stop_a_question() -> None:
    session = Session()
    assert hard(session).check(units=10_000) is Answer.UNKNOWN and session.reason


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals are sent in another way there")
def test_ctrl_c_stops_a_question() -> None:
    solver = hard(Session())
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    started = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.check()
    assert time.monotonic() - started < 4
