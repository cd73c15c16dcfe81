"""The Windows NT Bluetooth driver: La Torre, Madhusudan, Parlato, PLDI 2009, Figure 3, by every method for threads.

The models are the reconstruction of ../shared/specs/bluetooth.md; they are not part of this project.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import knaster
from knaster.results.answer import Reachable, Unreachable
from knaster.results.question import Bound

MODELS = Path(__file__).resolve().parents[2] / "shared" / "models"
LEAST = {"1a1s": (None, None), "1a2s": (3, 2), "2a1s": (4, 3), "2a2s": (3, 2)}  # switches, rounds
FIB = Path(__file__).resolve().parents[2] / "shared" / "benchmarks" / "getafix" / "develop" / "regression"
pytestmark = pytest.mark.skipif(not MODELS.exists(), reason="the shared models are not beside this project")


def answer_of(file: Path, engine: str, switches: int | None = None, rounds: int | None = None) -> object:
    result = knaster.check(file, engine=engine, first=True, switches=switches, rounds=rounds)
    reached = [answer for _, answer in result.answers if isinstance(answer, Reachable)]
    return reached[0] if reached else result.answers[0][1]


@pytest.mark.parametrize(
    ("name", "engine", "most"),
    [("1a1s", "lazy", 4), ("1a2s", "lazy", 4), ("2a1s", "lazy", 4), ("2a2s", "lazy", 3), ("1a1s", "eager", 2),
     ("1a2s", "eager", 3)],
)  # fmt: skip
def test_figure_3(name: str, engine: str, most: int) -> None:
    least, _ = LEAST[name]
    answer = answer_of(MODELS / f"bluetooth_{name}.bp", engine, switches=most)
    if least is None:
        assert isinstance(answer, Unreachable)
        assert answer.bound == Bound("switches", most)
    else:
        assert isinstance(answer, Reachable)
        assert answer.least == least
        assert answer.trace is not None and answer.trace.switches == least


@pytest.mark.parametrize(("name", "engine"), [("1a1s", "lazy"), ("1a2s", "lazy"), ("1a1s", "eager"), ("1a2s", "eager")])
def test_rounds(name: str, engine: str) -> None:
    _, least = LEAST[name]
    answer = answer_of(MODELS / f"bluetooth_{name}.bp", engine, rounds=2)
    if least is None:
        assert isinstance(answer, Unreachable)
    else:
        assert isinstance(answer, Reachable)
        assert answer.least == least


def test_fibonacci_needs_three_rounds() -> None:
    answer = answer_of(FIB / "fib_3_unsafe.bp", "lazy", rounds=3)
    assert isinstance(answer, Reachable)
    assert answer.least == 3


@pytest.mark.parametrize("name", ["01_inc_l/satabs.1.bp", "03_PrngSimp-C/satabs.1.bp"])
def test_programs_that_start_threads(name: str) -> None:
    """Every file of ijit fails an assertion within 2 switches; here are two of them."""
    answer = answer_of(FIB.parents[2] / "ijit" / "examples" / "ase16.bm.set1" / name, "eager", switches=2)
    assert isinstance(answer, Reachable)
    assert answer.checked
