"""The shapes of `benchmarks.growth` have the answers that they are said to have, and exponents are judged rightly."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from benchmarks import growth
from benchmarks.growth import SHAPES, Shape, verdict


@pytest.mark.parametrize("shape", SHAPES.values(), ids=lambda shape: shape.name)
def test_small_programs_have_the_known_answer(shape: Shape, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(growth, "OUT", tmp_path)
    done = subprocess.run(growth.write(shape, 10), capture_output=True, text=True, check=False)
    assert done.returncode == shape.code, done.stdout + done.stderr


def test_a_steep_family_fails_unless_it_says_why() -> None:
    plain, excused = SHAPES["condition"], SHAPES["labels"]
    assert verdict(plain, 1.05) == verdict(excused, 1.0) == "linear"
    assert verdict(plain, 1.3) == "TOO STEEP"
    assert verdict(excused, 2.0).startswith("expected: ")


def test_the_picture_has_every_family_beside_its_smallest_size() -> None:
    points = [(size, size / 1000) for size in SHAPES["globals"].sizes]
    drawn = growth.picture({"globals": points})
    assert "globals" in drawn and "exponent 1.00" in drawn
    assert growth.row_of("globals", points)[-2:] == ["1.00", "linear"]


def test_what_was_measured_last_counts_while_the_sizes_are_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(growth, "MEASURED", tmp_path / "growth.json")
    assert growth.read_measured() == {}
    same = [[size, 1.0] for size in SHAPES["globals"].sizes]
    growth.MEASURED.write_text(json.dumps({"globals": same, "labels": [[1, 1.0]], "nobody": same}))
    assert growth.read_measured() == {"globals": [(size, 1.0) for size in SHAPES["globals"].sizes]}
