"""The comparison with Spin: what is measured, and the model beside the program that it stands for."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from benchmarks.spin import MODEL, PROGRAM, knaster, processor_seconds, spin


def test_processor_time_of_a_command(tmp_path: Path) -> None:
    seconds, said = processor_seconds([sys.executable, "-c", "print(sum(range(10**6)))"], tmp_path)
    assert said == "499999500000\n" and 0 < seconds < 60
    with pytest.raises(SystemExit, match="ended with 3"):
        processor_seconds([sys.executable, "-c", "raise SystemExit(3)"], tmp_path)


def test_the_model_has_the_variables_of_the_program() -> None:
    model, program = MODEL.read_text("utf-8"), PROGRAM.read_text("utf-8")
    for name in ("flag", "event", "stopped", "already", "granted", "leave"):
        assert name in model and name in program


def test_knaster_proves_it() -> None:
    assert knaster(1) > 0


@pytest.mark.skipif(shutil.which("spin") is None or shutil.which("gcc") is None, reason="spin or gcc is not installed")
def test_spin_proves_it() -> None:
    seconds, states = spin(1)
    assert seconds > 0 and int(states) > 50
