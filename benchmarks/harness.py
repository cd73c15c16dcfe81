"""Run a whole command and measure it: wall time from before the start to after the end, processor time, peak memory.

`launch.py` starts the command and asks the operating system for the numbers (wait4).  On a busy machine the wall time
says more about the neighbours; the processor time says less about them.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

BIN = Path(sys.executable).parent
Clock = Literal["wall", "cpu"]


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a command; a negative exit code is the signal that ended it."""

    seconds: float
    cpu_seconds: float
    megabytes: float
    exit_code: int
    timed_out: bool
    output: str
    errors: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """Several runs of one command."""

    runs: tuple[Run, ...]

    def cost(self, clock: Clock) -> float:
        """Return the shortest time on this clock."""
        return self.best if clock == "wall" else self.cpu

    @property
    def best(self) -> float:
        """The shortest wall time in seconds."""
        return min(run.seconds for run in self.runs)

    @property
    def median(self) -> float:
        """The median wall time in seconds."""
        return statistics.median(run.seconds for run in self.runs)

    @property
    def cpu(self) -> float:
        """The shortest processor time in seconds, of all threads together."""
        return min(run.cpu_seconds for run in self.runs)

    @property
    def megabytes(self) -> float:
        """The largest peak of resident memory."""
        return max(run.megabytes for run in self.runs)

    @property
    def timed_out(self) -> bool:
        """Whether some run was stopped by the time limit."""
        return any(run.timed_out for run in self.runs)

    @property
    def last(self) -> Run:
        """The last run."""
        return self.runs[-1]


def run(command: Sequence[str], timeout: float, clock: Clock = "wall") -> Run:
    """Run a command to its end or to the time limit, when it is killed with all that it has started.

    A limit of processor time is taken in whole seconds, with ten times as much wall time at most.  Python keeps what
    it has compiled, whatever our environment says: compiling anew makes a small check three times as long.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    limits = (timeout, math.ceil(10 * timeout)) if clock == "wall" else (10 * timeout, math.ceil(timeout))
    launcher = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py"))]
    with tempfile.TemporaryDirectory() as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        done = subprocess.run(
            [*launcher, *map(str, limits), str(output), str(errors), *command],
            check=True,
            capture_output=True,
            text=True,
            env=environment,
        )
        report = json.loads(done.stdout)
        return Run(
            seconds=report["seconds"],
            cpu_seconds=report["cpu"],
            megabytes=report["peak"] / (1 << 20),
            exit_code=report["exit"],
            timed_out=report["timed_out"],
            output=output.read_text(errors="replace"),
            errors=errors.read_text(errors="replace"),
        )


def measure(
    command: Sequence[str], timeout: float, repeats: int = 3, clock: Clock = "wall", enough: float = 10.0
) -> Measurement:
    """Run a command up to `repeats` times; fewer where it failed, timed out or already took `enough` seconds in all."""
    runs: list[Run] = []
    while len(runs) < repeats and sum(one.seconds for one in runs) < enough:
        runs.append(run(command, timeout, clock))
        if runs[-1].timed_out:
            break
    return Measurement(tuple(runs))


def growth_exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the slope of the least-squares line through (log x, log y): 1 is linear; None below two points."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len({x for x, _ in logs}) < 2:
        return None
    return statistics.linear_regression([x for x, _ in logs], [y for _, y in logs]).slope


def machine() -> str:
    """Return what a reader needs to know of the machine: its processor, its cores, Python's version."""
    processor = "unknown processor"
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        processor = models[0] if models else processor
    version = ".".join(str(part) for part in sys.version_info[:3])
    return f"{processor}, {os.cpu_count()} cores, {sys.platform}, Python {version}"
