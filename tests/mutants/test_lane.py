"""The lane on a small project: what tests notice, what none does, what takes for ever, and what is marked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mutants.__main__ import ROOT

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the lane forks")
MODULE = """
LIMIT = 2 + 1


def last(n):
    if n > LIMIT:
        return n - 1
    return n * 1  # mutant(*): nobody reads it


def count(n):
    total = 0
    while n != 0:
        n -= 1
        total += 1
    return total


def unseen(n):
    return n + 1
"""
TESTS = """
from pkg.m import LIMIT, count, last


def test_last():
    assert LIMIT == 3
    assert last(9) == 8
    assert last(1) == 1


def test_count():
    assert count(3) == 3
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src" / "pkg").mkdir(parents=True)
    (tmp_path / "src" / "pkg" / "m.py").write_text(MODULE)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_m.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def run(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(project / "src"), str(ROOT / "tests")])
    places = ["--root", str(project), "--sources", "src/pkg", "--tests", "tests", "--grace", "1", "-j", "2"]
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "mutants", *places, *arguments]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)


def test_the_lane_says_what_no_test_notices(project: Path) -> None:
    first = run(project)
    assert first.returncode == 1, first.stderr
    text = first.stdout
    assert "m.py:6: > → >=  survives" in text
    assert "m.py:20: + → -  no test runs it" in text
    assert "m.py:14: -= → +=  killed by time, in tests/test_m.py::test_count" in text
    assert "8 changes tried, 2 survive and are not marked" in text
    assert "m.py:8" not in text  # marked
    assert "m.py:2:" not in text  # noticed, by a session of its own
    again = run(project, "--again")
    assert "2 changes tried, 2 survive" in again.stdout and "recorded" not in again.stdout
    assert "0 changes tried" in run(project, "--untried").stdout
    (project / "tests" / "test_m.py").write_text(TESTS + "\n\ndef test_limit():\n    assert last(3) == 3\n")
    assert "2 changes tried, 1 survive" in run(project, "--again").stdout
    assert "3 changes tried, 0 survive" in run(project, "src/pkg/m.py:6", "--only", "src/pkg/m.py:7").stdout
    marked = run(project, "--marked", "--only", "src/pkg/m.py:8")
    assert marked.returncode == 1 and "is marked, but a test notices it" in marked.stdout


def test_the_list_and_a_sample_are_the_same_every_time(project: Path) -> None:
    lists = [run(project, "--list", "--sample", "3", "--seed", "5").stdout for _ in range(2)]
    assert lists[0] == lists[1] and len(lists[0].splitlines()) == 3
    assert "all" in run(project, "--table").stdout


@pytest.mark.slow
def test_what_the_repository_keeps_is_left_out_until_the_code_is_another(project: Path) -> None:
    (project / "CONTRIBUTING.md").write_text(
        "| folder | modules | changes | noticed | marked | open |\n| old |\n\nafter\n"
    )
    assert "m.py: 8 of 9 changes have no verdict" in run(project, "--keep").stdout
    run(project)
    assert "1 modules have a row" in run(project, "--keep").stdout
    assert "src/pkg/m.py\t" in (project / "tests" / "mutants" / "verdicts.tsv").read_text()
    assert "| `src/pkg` | 1 | 9 | 6 | 1 | 2 |\n\nafter\n" in (project / "CONTRIBUTING.md").read_text()
    assert "6 noticed, 1 marked, 2 open" in run(project, "--table").stdout
    module = project / "src" / "pkg" / "m.py"
    module.write_text(MODULE.replace("n > LIMIT:", "n > LIMIT:  # mutant(>): words").replace("n + 1", "n"))
    (project / ".mutants" / "outcomes.json").unlink()
    assert "another code" in run(project, "--table").stdout
    run(project)
    assert "1 modules have a row" in run(project, "--keep").stdout
    assert run(project, "--list").stdout == "" and "m.py:7" in run(project, "--list", "--all").stdout
    assert "m.py:7" in run(project, "--list", "src/pkg/m.py:7").stdout
    module.write_text(module.read_text().replace("n - 1", "n - 1 - 1"))
    assert "m.py:7" in run(project, "--list").stdout
