"""The programs whose facts are measured have as many lines as they are said to have, and are measured."""

from __future__ import annotations

import pytest

import knaster
from benchmarks.facts import SIZES, main, program


def test_a_function_doubles_what_it_is_given() -> None:
    text = program(2)
    summaries = {each.procedure: each.equations for each in knaster.facts(text, "affine", file="p.c").summaries}
    assert summaries["f0"] is not None and program(SIZES[-1]).count("\n") > 10_000


def test_rows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--functions", "2", "--functions", "4"]) == 0
    assert "growth: exponent" in capsys.readouterr().out
