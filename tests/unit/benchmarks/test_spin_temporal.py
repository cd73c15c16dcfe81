"""The comparison with Spin on formulas: each model beside its program, and what both say."""

from __future__ import annotations

import re
import shutil

import pytest

import knaster
from benchmarks.spin_temporal import CASES, Case, spin

IDS = [case.name for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_model_has_the_variables_of_the_program(case: Case) -> None:
    model, program = case.model.read_text("utf-8"), case.program.read_text("utf-8")
    for name in re.findall(r"\b(\w+)\b", re.findall(r"^bit ([^;]*);", model, re.MULTILINE)[0]):
        assert re.search(rf"\b{name}\b", program) or name in "01", name


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_answers(case: Case) -> None:
    for fair, expected in (("none", case.holds), ("weak", case.holds_fairly)):
        asked = {"threads": list(case.threads)} if case.threads else {}
        result = knaster.check(case.program, property=case.formula, fair=fair, **asked)  # type: ignore[arg-type]
        assert result.verdict.value == ("TRUE" if expected else "FALSE")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("spin") is None or shutil.which("gcc") is None, reason="spin and gcc are not there")
@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_spin_agrees(case: Case) -> None:
    assert spin(case, False)[0] == case.holds and spin(case, True)[0] == case.holds_fairly
