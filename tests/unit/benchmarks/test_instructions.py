"""Instructions are read from cachegrind's report, and start-up is taken off before an exponent is fitted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks import growth, instructions
from benchmarks.growth import SHAPES, exponent_of


def test_the_count_is_read() -> None:
    assert instructions.read_count("==7== \n==7== I   refs:      38,889,033\n") == 38_889_033


def test_a_report_without_a_count_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="valgrind: no such file"):
        instructions.read_count("valgrind: no such file")


def test_start_up_is_taken_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(growth, "OUT", tmp_path)

    def by_letters(command: Sequence[str]) -> int:
        """Count as a command would that takes 5 million instructions and 1,000 for each letter of its file."""
        return 5_000_000 + 1000 * len(Path(command[4]).read_text())

    points = instructions.growth(SHAPES["calls"], 8, by_letters)
    letters = [len(growth.call_chain(size)) for size in (2, 50, 100, 200, 400)]
    assert [size for size, _ in points] == [50, 100, 200, 400]
    assert [millions for _, millions in points] == [pytest.approx((n - letters[0]) / 1000) for n in letters[1:]]
    assert 1.0 < exponent_of(points) < 1.1
