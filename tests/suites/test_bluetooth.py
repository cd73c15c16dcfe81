"""The Windows NT Bluetooth driver: La Torre, Madhusudan, Parlato, PLDI 2009, Figure 3, by every method for threads.

The models are the reconstruction of ../shared/specs/bluetooth.md; they are not part of this project.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import knaster
from knaster.base.limits import Budget
from knaster.decide.asked import Evidence
from knaster.decide.check import run_engine
from knaster.decide.choose import Method
from knaster.engines.table import ENGINES, make_options
from knaster.evidence.answers.answer import Reachable, Result, Unreachable, Verdict
from knaster.evidence.questions.question import Bound, Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.languages import load
from support import SHARED

MODELS = SHARED / "models"
LEAST = {"1a1s": (None, None), "1a2s": (3, 2), "2a1s": (4, 3), "2a2s": (3, 2)}  # switches, rounds
FIB = SHARED / "benchmarks" / "getafix" / "develop" / "regression"
LARGE = [
    pytest.param(name, marks=pytest.mark.slow) for name in ("2a1s", "2a2s")
]  # test_figure_3_for_every_number has them
pytestmark = pytest.mark.skipif(not MODELS.exists(), reason="the shared models are not beside this project")


def answer_of(file: Path, engine: str, switches: int | None = None, rounds: int | None = None) -> object:
    result = knaster.check(file, engine=engine, first=True, switches=switches, rounds=rounds)
    reached = [answer for _, answer in result.answers if isinstance(answer, Reachable)]
    return reached[0] if reached else result.answers[0][1]


def asked(name: str, engine: str, bound: Bound) -> Result:
    """Return what an engine says of one bound alone, without traces and proofs."""
    program = load(MODELS / f"bluetooth_{name}.bp")
    question = Reach(resolve_targets(program, None), bound)
    nothing = Evidence(traces=False, proofs=False)
    method = Method(engine, ENGINES[engine], make_options(engine, {}))
    return run_engine(method, program, question, Budget(), nothing)


@pytest.mark.parametrize(("engine", "most"), [("states", 6), ("lazy", 4), ("eager", 3), ("calculus", 3)])
@pytest.mark.parametrize("name", ["1a1s", "1a2s", *LARGE])
def test_figure_3(name: str, engine: str, most: int) -> None:
    """The table, each number of switches asked for by itself."""
    least, _ = LEAST[name]
    for number in range(most + 1):
        found = [answer for _, answer in asked(name, engine, Bound("switches", number)).answers]
        assert any(isinstance(answer, Reachable) for answer in found) == (least is not None and number >= least)
        assert all(isinstance(answer, Reachable | Unreachable) for answer in found)


@pytest.mark.parametrize("engine", ["lazy", "eager", "calculus"])
@pytest.mark.parametrize("name", ["1a1s", "1a2s", *LARGE])
def test_figure_3_with_a_trace(name: str, engine: str) -> None:
    least, _ = LEAST[name]
    answer = answer_of(MODELS / f"bluetooth_{name}.bp", engine, switches=least or 2)
    if least is None:
        assert isinstance(answer, Unreachable)
        assert answer.bound == Bound("switches", 2)
    else:
        assert isinstance(answer, Reachable)
        assert answer.least == least
        assert answer.trace is not None and answer.trace.switches == least


STATES = {"1a1s": [6, 11, 12], "1a2s": [6, 12, 15, 17], "2a1s": [6, 12, 18, 19, 21], "2a2s": [6, 13, 19, 24]}
FIGURE_3 = {"1a2s": [700, 2900, 9900], "2a1s": [700, 2600, 10400], "2a2s": [800, 3600, 15800]}  # nodes for 1, 2, ...
GROWTH = 4.4  # of the final set, from one number of switches to the next, in Figure 3


@pytest.mark.parametrize("name", STATES)
def test_the_final_set_of_the_formula(name: str) -> None:
    """The shared states that occur, and no more nodes than Figure 3 has; all targets, so that nothing ends early."""
    sizes = []
    for number, states in enumerate(STATES[name]):
        result = asked(name, "calculus", Bound("switches", number))
        assert result.stats["shared_states"] == states
        sizes.append(float(result.stats["reach_nodes"]))
    for size, most in zip(sizes[1:], FIGURE_3.get(name, []), strict=False):
        assert size <= most
    assert all(later <= GROWTH * size for size, later in pairwise(sizes[1:]))


@pytest.mark.parametrize(("name", "engine"), [("1a1s", "lazy"), ("1a2s", "lazy"), ("1a1s", "eager"), ("1a2s", "eager")])
def test_rounds(name: str, engine: str) -> None:
    _, least = LEAST[name]
    answer = answer_of(MODELS / f"bluetooth_{name}.bp", engine, rounds=2)
    if least is None:
        assert isinstance(answer, Unreachable)
    else:
        assert isinstance(answer, Reachable)
        assert answer.least == least


@pytest.mark.slow
def test_fibonacci_needs_three_rounds() -> None:
    answer = answer_of(FIB / "fib_3_unsafe.bp", "lazy", rounds=3)
    assert isinstance(answer, Reachable)
    assert answer.least == 3


@pytest.mark.parametrize("engine", ["lazy", "eager"])
@pytest.mark.parametrize("name", ["01_inc_l/satabs.1.bp", "03_PrngSimp-C/satabs.1.bp"])
def test_programs_that_start_threads(name: str, engine: str) -> None:
    """Every file of ijit fails an assertion within 2 switches; here are two of them."""
    answer = answer_of(FIB.parents[2] / "ijit" / "examples" / "ase16.bm.set1" / name, engine, switches=2)
    assert isinstance(answer, Reachable)
    assert answer.checked


@pytest.mark.parametrize("name", LEAST)
def test_figure_3_for_every_number(name: str) -> None:
    """By sets of configurations, without a bound: the least numbers, or a proof that is closed after 4 switches."""
    switches, rounds = LEAST[name]
    result = knaster.check(MODELS / f"bluetooth_{name}.bp", first=True)
    in_rounds = knaster.check(MODELS / f"bluetooth_{name}.bp", first=True, rounds=3)
    assert result.engine == in_rounds.engine == "states"
    if switches is None:
        assert (result.verdict, in_rounds.verdict) == (Verdict.TRUE, Verdict.TRUE)
        assert result.bound is not None and result.bound.covered == 4
        assert result.stats["shared_states"] == STATES[name][-1]
        return
    for found, least in ((result, switches), (in_rounds, rounds)):
        assert {answer.least for _, answer in found.answers if isinstance(answer, Reachable)} == {least}


@pytest.mark.parametrize("name", STATES)
def test_shared_states_one_switch_after_the_other(name: str) -> None:
    for number, states in enumerate(STATES[name]):
        result = knaster.check(MODELS / f"bluetooth_{name}.bp", engine="states", switches=number)
        assert result.stats["shared_states"] == states


@pytest.mark.parametrize(("name", "switches", "rounds"), [("3", 6, 3), ("4", 8, 4), ("5", 10, 5)])
def test_fibonacci(name: str, switches: int, rounds: int) -> None:
    for found, least in (
        (knaster.check(FIB / f"fib_{name}_unsafe.bp", first=True), switches),
        (knaster.check(FIB / f"fib_{name}_unsafe.bp", first=True, rounds=rounds), rounds),
    ):
        assert found.verdict is Verdict.FALSE
        assert {answer.least for _, answer in found.answers if isinstance(answer, Reachable)} == {least}
    assert knaster.check(FIB / f"fib_{name}_unsafe.bp", first=True, rounds=rounds - 1).verdict is Verdict.UNKNOWN


def test_fibonacci_that_is_safe() -> None:
    """No other thread runs while `atomic` is 1; were it a plain variable, 4 switches would reach the error."""
    program = load(FIB / "fib_3_safe.bp")
    assert knaster.check(program).verdict is Verdict.TRUE
    assert program.atomic == "atomic"
    plain = knaster.check(replace(program, atomic=None), first=True)
    assert [answer.least for _, answer in plain.answers if isinstance(answer, Reachable)] == [4]
