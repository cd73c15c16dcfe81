"""What is changed, which tests may notice, and which of them are asked first."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mutants.changes import Change
from mutants.touched import Touch

SOURCES = (
    "src/knaster/checkers",
    "src/knaster_check",
    "src/knaster/decide/conclusions",
    "src/knaster/semantics",
    "src/knaster/evidence/proofs",
)
TESTS = (
    "tests/unit/checkers",
    "tests/unit/semantics",
    "tests/unit/evidence",
    "tests/unit/decide",
    "tests/unit/knaster_check",
    "tests/trust",
    "tests/differential/test_obligations.py",
    "tests/differential/test_deadlock.py",
    "tests/differential/test_kernel_all_runs.py",
    "tests/differential/test_kernel_runs.py",
    "tests/differential/test_kernel_threads.py",
    "tests/differential/test_lapses.py",
    "tests/differential/test_modular.py",
    "tests/differential/test_stacks.py",
)
_ATTACKS = "tests/trust/test_kernel_attacks"  # they notice more than others do
_START = 0.05  # seconds that any test takes
NOTHING: Mapping[str, int] = {}
_OWN = 3  # a module's own tests may take so many times as long as others


@dataclass(frozen=True, slots=True)
class Area:
    """A root, what is changed below it, and where its tests are."""

    root: Path
    sources: tuple[str, ...] = SOURCES
    tests: tuple[str, ...] = TESTS

    def source_files(self) -> list[str]:
        """Return the modules that are changed, in order."""
        return sorted(
            str(file.relative_to(self.root))
            for pattern in self.sources
            for place in self.root.glob(pattern)
            for file in (place.rglob("*.py") if place.is_dir() else [place])
        )

    def test_places(self) -> list[str]:
        """Return the places of tests that are there."""
        return [place for place in self.tests if (self.root / place).exists()]


def own_tests(file: str) -> tuple[str, str]:
    """Return how the files of a module's own tests begin, and the folder in which they are."""
    path = Path(file)
    inside = path.parts[path.parts.index("src") + 1 :]
    inside = inside[1:] if inside[:1] == ("knaster",) else inside
    folder = Path("tests", "unit", *inside[:-1])
    return str(folder / f"test_{path.stem}"), str(folder)


def rank_of(test: str, change: Change) -> int:
    """Return 0 for a test of the module itself, 1 for one of its folder or an attack, 2 for a unit test, else 3."""
    file = test.partition("::")[0]
    own, folder = own_tests(change.file)
    if file.startswith((f"{own}.", f"{own}_")):
        return 0
    if file.startswith((f"{folder}/", _ATTACKS)):
        return 1
    return 2 if file.startswith("tests/unit/") else 3


def choose_tests(
    change: Change, touches: Iterable[Touch], seconds: float, killer: str | None, kills: Mapping[str, int] = NOTHING
) -> list[Touch]:
    """Return the tests for a change, up to so many seconds.

    First the one that noticed it before, then those that noticed most of its module in a second (`kills`), its own, the
    quick.
    """

    def order(touch: Touch) -> tuple[bool, float, int, float, str]:
        worth = kills.get(touch.test, 0) / (_START + touch.seconds)
        return touch.test != killer, -worth, rank_of(touch.test, change), touch.seconds, touch.test

    ordered = sorted(touches, key=order)
    chosen: list[Touch] = []
    total = 0.0
    for touch in ordered:
        if total + touch.seconds <= (_OWN * seconds if rank_of(touch.test, change) == 0 else seconds):
            chosen.append(touch)
            total += touch.seconds
    return chosen


def lines_since(root: Path, revision: str) -> dict[str, set[int]]:
    """Return the lines that are new since a revision, by file."""
    command = ["git", "diff", "--unified=0", "--no-color", "--relative", revision, "--", "."]
    text = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    lines: dict[str, set[int]] = {}
    file = ""
    for line in text.splitlines():
        if line.startswith("+++ "):
            file = line.removeprefix("+++ ").removeprefix("b/")
        elif line.startswith("@@"):
            first, _, count = line.split("+", 1)[1].split(" ", 1)[0].partition(",")
            lines.setdefault(file, set()).update(range(int(first), int(first) + int(count or 1)))
    return lines
