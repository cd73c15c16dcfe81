"""Our own command on one program: the whole `knaster check`, its answer compared with the known one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.families import TARGET, Instance
from benchmarks.harness import BIN, Clock, Measurement, measure

OUT = Path(__file__).resolve().parent / "out"


@dataclass(frozen=True, slots=True)
class Checked:
    """What one program cost and what was answered."""

    instance: Instance
    measurement: Measurement
    verdict: str  # TRUE, FALSE, UNKNOWN, or what went wrong
    stats: dict[str, Any]

    @property
    def is_wrong(self) -> bool:
        """Whether the answer is not the known one; a time limit is no answer."""
        expected = "FALSE" if self.instance.reachable else "TRUE"
        return self.verdict not in (expected, "timeout")

    def stat(self, name: str) -> float | None:
        """Return one of the statistics that the command reports."""
        value = self.stats.get(name)
        return float(value) if isinstance(value, int | float) else None


def write(instance: Instance) -> Path:
    """Write the program to a file of its own and return its path."""
    folder = OUT / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{instance.name}.bp"
    path.write_text(instance.text)
    return path


def check(
    instance: Instance, timeout: float, repeats: int, clock: Clock = "wall", options: tuple[str, ...] = ()
) -> Checked:
    """Measure `knaster check` on a program, start-up included, without a trace and without re-checking the proof."""
    asked = ("--target", TARGET, "--format", "json", "--trace", "none", "--no-certify")
    command = [str(BIN / "knaster"), "check", str(write(instance)), *asked, *options]
    measurement = measure(command, timeout, repeats, clock)
    if measurement.timed_out:
        return Checked(instance, measurement, "timeout", {})
    try:
        answer = json.loads(measurement.last.output)
    except ValueError:
        return Checked(instance, measurement, f"exit {measurement.last.exit_code}", {})
    return Checked(instance, measurement, answer["verdict"], answer["stats"])
