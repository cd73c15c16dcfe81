"""Spin (`spin -a`, `gcc -O2`, `pan`) beside `knaster check` without a bound, on the driver without its bugs.

    python -m benchmarks.spin 2 3

For each number N there are N adders and N stoppers.  Seconds of processor time of whole commands, one after the other
in the same run; `gcc` takes most of Spin's.  Needs the Debian packages spin and gcc.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / "benchmarks" / "promela" / "driver-fixed.pml"
PROGRAM = ROOT / "examples" / "threads" / "driver-fixed.bp"


def processor_seconds(command: Sequence[str], folder: Path) -> tuple[float, str]:
    """Run a command that must end with 0; return its processor time, that of its children included, and its output."""
    before = os.times()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, done.stdout


def spin(number: int) -> tuple[float, str]:
    """Return the seconds that Spin takes, and how many states it stores."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made, _ = processor_seconds(["spin", f"-DADDERS={number}", f"-DSTOPPERS={number}", "-a", str(MODEL)], folder)
        compiled, _ = processor_seconds(["gcc", "-O2", "-o", "pan", "pan.c"], folder)
        ran, said = processor_seconds(["./pan", "-m100000"], folder)
    if "errors: 0" not in said:
        raise SystemExit(f"Spin finds an error:\n{said}")
    stored = re.search(r"(\d+) states, stored", said)
    return made + compiled + ran, stored[1] if stored is not None else "?"


def knaster(number: int) -> float:
    """Return the seconds that Knaster takes."""
    threads = ["--thread", f"main_adder*{number}", "--thread", f"main_stopper*{number}"]
    seconds, _ = processor_seconds([sys.executable, "-m", "knaster", "check", str(PROGRAM), *threads], ROOT)
    return seconds


def main(numbers: Sequence[int]) -> None:
    """Print a line for each number of adders and stoppers."""
    if shutil.which("spin") is None or shutil.which("gcc") is None:
        raise SystemExit("spin and gcc are needed")
    for number in numbers:
        theirs, stored = spin(number)
        ours = knaster(number)
        sys.stdout.write(
            f"{number} adders, {number} stoppers: Spin {theirs:.2f} s ({stored} states), "
            f"Knaster {ours:.2f} s, {ours / theirs:.2f} times\n"
        )


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [2, 3])
