"""Questions to z3: stopped by the clock, by Ctrl-C and by units."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
import z3

from knaster.base import limits
from knaster.base.limits import Budget, OutOfBudget
from knaster.smt import interrupt as watching
from knaster.smt.solver import QUESTION, SPENT, Answer, OutOfUnits, Session, Solver, substitute


def hard(session: Session) -> Solver:
    """Return a question that takes z3 minutes: two factors of a number."""
    x, y = (z3.BitVec(name, 128, session.context) for name in "xy")
    solver = session.solver()
    small = z3.BitVecVal(1 << 62, 128, session.context)
    solver.add(
        [x * y == 2305843009213693951 * 2147483647 * 1000000007, z3.ULT(x, small), z3.ULT(y, small), x != 1, y != 1]
    )
    return solver


def count_stops(session: Session) -> list[object]:
    """Return a list that gets longer whenever z3 is told to stop."""
    stops: list[object] = []
    stop = session._watcher._stop

    def told() -> None:
        stops.append(stop())

    session._watcher._stop = told
    return stops


def test_the_clock_stops_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "clock", time.monotonic)
    budget = Budget(seconds=0.5)
    session = Session(budget)
    stops, solver = count_stops(session), hard(session)
    budget.started = limits.clock()  # z3 is asked at once, however long it took to write the question down
    with pytest.raises(OutOfBudget, match="time limit"):
        solver.check()
    assert stops  # it would take minutes


def test_units_stop_a_question() -> None:
    session = Session()
    assert hard(session).check(units=10_000) is Answer.UNKNOWN and session.reason


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals are sent in another way there")
def test_ctrl_c_stops_a_question() -> None:
    session = Session()
    stops, solver, begin = count_stops(session), hard(session), session._watcher._begin

    def interrupt(question: watching._Question) -> None:
        begin(question)
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()

    session._watcher._begin = interrupt  # type: ignore[method-assign]
    while not stops:  # on a busy machine Ctrl-C may come before z3 has begun
        with pytest.raises(KeyboardInterrupt):
            solver.check()


def test_one_thread_looks_after_all_questions_of_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(Budget(seconds=60))
    easy, threads = session.solver(), set()
    for _ in range(5):
        assert easy.check() is Answer.SATISFIABLE
        threads.add(session._watcher._thread)
    (thread,) = threads
    assert thread is not None and thread.daemon
    monkeypatch.setattr(watching, "_IDLE", 1)
    thread.join(20)  # nothing is asked for a while
    assert not thread.is_alive()
    assert easy.check() is Answer.SATISFIABLE and session._watcher._thread not in (None, thread)


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals are sent in another way there")
def test_nobody_listens_after_a_question() -> None:
    assert Session().solver().check() is Answer.SATISFIABLE
    assert signal.set_wakeup_fd(-1) == -1


def test_our_own_work_is_counted_in_units() -> None:
    session = Session(units=1_000)
    session.work(400)
    assert session.left == 600
    assert session.solver().check() is Answer.SATISFIABLE
    assert session.left is not None and session.left <= 600 - QUESTION
    with pytest.raises(OutOfUnits):
        session.work(700)
    assert session.left == 0 and session.solver().check() is Answer.UNKNOWN and session.reason == SPENT
    Session().work(10**9)  # without a limit
    with pytest.raises(OutOfBudget):
        Session(Budget(seconds=-1)).work(1)


def test_substitution_is_that_of_the_library() -> None:
    context = z3.Context()
    x, y, b = z3.Int("x", context), z3.Int("y", context), z3.Bool("b", context)
    formula = z3.Or(b, x + y > 3, z3.ForAll([y], y > x))
    pairs = [(x, y + 1), (y, x), (b, x == 2)]
    assert substitute(formula, pairs).eq(z3.substitute(formula, *pairs))
    assert substitute(formula, []) is formula
    with pytest.raises(z3.Z3Exception):
        substitute(formula, [(x, b)])
