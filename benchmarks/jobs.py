"""What `-j` and `--cluster` cost: start-up and a price for each question, fitted to runs on 20 and on 220 small files.

python -m benchmarks.jobs [FILE] [--files N]     figure1.bp, 200 files more than 20

For each way the whole command is timed (wall clock, and processor time of it and its children).  The difference
of two runs is the price of a question, the rest is start-up; what the answer itself costs is that of `-j 1`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

FEW = 20
WAYS = (("-j", "1"), ("-j", "2"), ("--cluster", "local:1"), ("--cluster", "local:2"))
EXAMPLE = Path(__file__).parents[1] / "examples" / "figure1.bp"


def measure(way: Sequence[str], files: Sequence[str]) -> tuple[float, float]:
    """Return wall-clock and processor seconds of one command."""
    before, started = os.times(), time.monotonic()
    subprocess.run([sys.executable, "-m", "knaster", "check", *files, *way], stdout=subprocess.DEVNULL, check=False)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - started, used


def main() -> None:
    """Print a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=EXAMPLE)
    parser.add_argument("--files", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{folder}/{number}{options.file.suffix}" for number in range(FEW + options.files)]
        for name in names:
            shutil.copy(options.file, name)
        print(f"{'way':<18}{'start':>9}{'a question':>14}{'processor':>14}")
        for way in WAYS:
            (few, few_used), (many, many_used) = measure(way, names[:FEW]), measure(way, names)
            each, used = (many - few) / options.files, (many_used - few_used) / options.files
            print(f"{' '.join(way):<18}{few - FEW * each:>7.2f} s{1000 * each:>11.1f} ms{1000 * used:>11.1f} ms")


if __name__ == "__main__":
    main()
