"""The comparison with Spin on a formula: the model beside the program, and what both say of it."""

from __future__ import annotations

import shutil

import pytest

import knaster
from benchmarks.spin_temporal import FORMULA, MODEL, PROGRAM, spin


def test_the_model_has_the_variables_of_the_program() -> None:
    model, program = MODEL.read_text("utf-8"), PROGRAM.read_text("utf-8")
    for name in ("want_1", "want_2", "turn"):
        assert name in model and name in program


def test_the_formula_holds() -> None:
    assert knaster.check(PROGRAM, property=FORMULA, fair="weak").verdict.value == "TRUE"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("spin") is None or shutil.which("gcc") is None, reason="spin and gcc are not there")
def test_spin_agrees() -> None:
    assert spin()[0] > 0
