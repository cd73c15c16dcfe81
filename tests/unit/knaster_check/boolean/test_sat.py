"""Unsatisfiability: compared with truth tables, with and without a solver, and no wrong proof is accepted."""

from __future__ import annotations

import sys
from itertools import product
from random import Random
from typing import ClassVar

import pytest

from knaster_check.boolean import sat
from knaster_check.boolean.sat import CASES, PROPAGATED, Propagation, check_proof, refute
from knaster_check.refused import Refused, Unsupported
from knaster_check.work import nothing

EIGHT = [[a, b, c] for a, b, c in product((1, -1), (2, -2), (3, -3))]


def is_satisfiable(clauses: list[list[int]]) -> bool:
    variables = sorted({abs(literal) for clause in clauses for literal in clause})
    for values in product((False, True), repeat=len(variables)):
        true = {v if value else -v for v, value in zip(variables, values, strict=True)}
        if all(any(literal in true for literal in clause) for clause in clauses):
            return True
    return not variables and [] not in clauses


def random_clauses(rng: Random) -> list[list[int]]:
    count = rng.randint(1, 6)
    sizes = [rng.choice((2, 2, 3, 3)) for _ in range(rng.randint(1, 6 * count))]
    return [[rng.choice((1, -1)) * rng.randint(1, count) for _ in range(size)] for size in sizes]


@pytest.mark.parametrize("solver", [True, False])
def test_truth_tables(monkeypatch: pytest.MonkeyPatch, solver: bool) -> None:
    if solver:
        pytest.importorskip("pysat")
    else:
        monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    rng, seen = Random(3), set()
    for _ in range(400):
        clauses = random_clauses(rng)
        who = refute(clauses, nothing)
        assert (who is None) is is_satisfiable(clauses), clauses
        seen.add(who)
    assert len(seen) == 3 and PROPAGATED in seen and (CASES in seen) is not solver


def test_a_proof_is_checked_clause_by_clause() -> None:
    assert check_proof(EIGHT, [[1, 2], [1], [2], []])
    assert not check_proof(EIGHT, [[1], []])  # it follows, but not by propagation alone
    assert not check_proof(EIGHT, [])
    assert not check_proof(EIGHT[1:], [[1, 2], [1], [2], []])
    assert not check_proof([[1, 2]], [[1], [-1], []])
    assert check_proof([[1], [-1]], [])
    assert check_proof([[]], [])


def test_a_clause_that_follows() -> None:
    known = Propagation([[1, 2], [-2, 3]])
    assert known.follows([1, 3]) and not known.follows([1]) and not known.follows([3])
    assert known.follows([1, 2]) and known.follows([4, -4])
    assert known.trail == []


def test_a_solver_that_lies_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Liar:
        def __init__(self, **_: object) -> None:
            pass

        def __enter__(self) -> Liar:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def conf_budget(self, conflicts: int) -> None:
            pass

        def solve_limited(self) -> bool:
            return False

        def get_proof(self) -> list[str]:
            return ["1 0", "0"]

    with pytest.raises(Refused, match="does not hold"):
        sat._refute_by_solver(Liar, [[1, 2], [-1, 2]], nothing)
    monkeypatch.setattr(sat, "MOST_CHECKED", 0)
    assert sat._refute_by_solver(Liar, [[1, 2], [-1, 2]], nothing) == "Glucose 4, its proof not checked"


def test_too_many_cases_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    monkeypatch.setattr(sat, "MOST_CASES", 1)
    with pytest.raises(Unsupported, match="python-sat"):
        refute(EIGHT, nothing)


def test_a_proof_that_stops_early_proves_nothing() -> None:
    assert not check_proof([[1, 2]], [[1, 2]])
    assert not check_proof([[1, 2], [-1, 2]], [[2], [1, 2]])
    assert check_proof([[1, 2], [-1, 2], [-2]], [])
    assert check_proof([[1, 2], [-1, 2], [1, -2], [-1, -2]], [[2], []])


def test_work_is_what_propagation_looks_at() -> None:
    propagation = Propagation([[-1, 2], [-2, 3], [1]])
    assert propagation.trail == [1, 2, 3] and propagation.work == 5  # three literals, two clauses
    ticks = list[int]()
    assert check_proof([[1, 2], [-1, 2], [1, -2], [-1, -2]], [[2], []], ticks.append)
    assert ticks == [1]


class Fake:
    """A solver that needs some rounds, and then shows a proof."""

    rounds: ClassVar[list[bool | None]] = []
    proof: ClassVar[list[str]] = []

    def __init__(self, bootstrap_with: object, with_proof: bool) -> None:
        self.answers = iter(self.rounds)

    def __enter__(self) -> Fake:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def conf_budget(self, count: int) -> None:
        assert count == sat.CONFLICTS

    def solve_limited(self) -> bool | None:
        return next(self.answers)

    def get_proof(self) -> list[str]:
        return self.proof


SQUARE = [[1, 2], [-1, 2], [1, -2], [-1, -2]]


def test_the_solver_is_asked_again_and_its_work_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fake, "rounds", [None, None, False])
    monkeypatch.setattr(Fake, "proof", ["2 0", "d 1 2 0"])
    ticks = list[int]()
    assert sat._refute_by_solver(Fake, SQUARE, ticks.append) == "Glucose 4, proof checked"
    assert ticks[:2] == [sat.CONFLICTS * sat.PER_CONFLICT] * 2
    monkeypatch.setattr(Fake, "rounds", [True])
    assert sat._refute_by_solver(Fake, SQUARE, ticks.append) is None
    monkeypatch.setattr(Fake, "rounds", [False])
    monkeypatch.setattr(Fake, "proof", ["3 0"])
    with pytest.raises(Refused, match="proof of the solver"):
        sat._refute_by_solver(Fake, SQUARE, ticks.append)


def test_a_proof_that_is_too_long_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fake, "rounds", [False])
    monkeypatch.setattr(Fake, "proof", ["2 0"])
    monkeypatch.setattr(sat, "MOST_CHECKED", 9)
    assert sat._refute_by_solver(Fake, SQUARE, lambda units=1: None) == "Glucose 4, proof checked"
    monkeypatch.setattr(sat, "MOST_CHECKED", 8)
    assert sat._refute_by_solver(Fake, SQUARE, lambda units=1: None) == "Glucose 4, its proof not checked"


def test_so_many_cases_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sat, "MOST_CASES", 1)
    assert sat._refute_by_cases(Propagation(SQUARE), lambda units=1: None) == sat.CASES
    monkeypatch.setattr(sat, "MOST_CASES", 0)
    with pytest.raises(Unsupported):
        sat._refute_by_cases(Propagation(SQUARE), lambda units=1: None)
