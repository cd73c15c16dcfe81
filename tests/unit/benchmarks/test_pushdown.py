"""The pushdown benchmark: its systems are those that others were measured on, and small ones come out right."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.pushdown import KNOWN, measure, rows
from knaster.pushdown import kernel_calls as compiled
from support import SHARED

TOOL = SHARED / "tools/random_pushdown.py"


@pytest.mark.shared
@pytest.mark.skipif(not TOOL.exists(), reason="../shared is not here")
@pytest.mark.parametrize("seed", [1, 7])
def test_the_generator_writes_the_shared_systems(tmp_path: Path, seed: int) -> None:
    subprocess.run([sys.executable, str(TOOL), "3000", str(seed), str(tmp_path / "system")], check=True)
    expected = (tmp_path / "system.txt").read_text().splitlines()[1:]
    assert [" ".join(str(part) for part in row if part >= 0) for row in rows(3000, seed)] == expected


@pytest.mark.parametrize("task", ["post", "pre", "post lengths", "pre lengths", "post reference", "pre reference"])
def test_known_numbers_of_transitions(task: str) -> None:
    if "reference" not in task and not compiled.is_available():
        pytest.skip("the kernel was not compiled")
    assert measure(task, 10_000, 1).transitions == KNOWN[10_000, task.split()[0]]
