"""What `-j` and `--cluster` cost, and how much faster two processes are than one.

    python -m benchmarks.jobs [FILE] [--files N]         start-up and a price for each question of figure1.bp
    python -m benchmarks.jobs --speed [--files N]        500 small files of each language: `-j 1` against `-j 2`

For the first table each way is timed (wall clock, and processor time of the command and its children) on 20 files and
on N more: the difference is the price of a question, the rest is start-up.  For the second both outputs are compared
byte by byte; `expected` is the speed-up that processor times allow on two free cores, where the machine has none.
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
from typing import NamedTuple

FEW = 20
WAYS = (("-j", "1"), ("-j", "2"), ("--cluster", "local:1"), ("--cluster", "local:2"))
EXAMPLES = Path(__file__).parents[1] / "examples"
SMALL = (
    ("Boolean", "figure1.bp", ("check",)),
    ("threads", "threads/peterson.bp", ("check",)),
    ("C", "c/shift.c", ("check",)),
    ("Zing", "zing/peterson.zing", ("check",)),
    ("formulas", "calculus/game.mu", ("solve",)),
    ("pushdown", "pushdown/hand-over.pds", ("pushdown",)),
)


class Measured(NamedTuple):
    """One command: wall-clock and processor seconds, and what it printed."""

    wall: float
    processor: float
    printed: bytes


def measure(command: Sequence[str], way: Sequence[str], files: Sequence[str]) -> Measured:
    """Run one command."""
    before, started = os.times(), time.monotonic()
    done = subprocess.run([sys.executable, "-m", "knaster", *command, *files, *way], capture_output=True, check=False)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Measured(time.monotonic() - started, used, done.stdout + done.stderr)


def copies(file: Path, folder: str, count: int) -> list[str]:
    """Return the names of so many copies of a file."""
    names = [f"{folder}/{number:04}{file.suffix}" for number in range(count)]
    for name in names:
        shutil.copy(file, name)
    return names


def prices(file: Path, count: int) -> None:
    """Print start-up and the price of a question for each way."""
    with tempfile.TemporaryDirectory() as folder:
        names = copies(file, folder, FEW + count)
        print(f"{'way':<18}{'start':>9}{'a question':>14}{'processor':>14}")
        for way in WAYS:
            few, many = measure(["check"], way, names[:FEW]), measure(["check"], way, names)
            each, used = (many.wall - few.wall) / count, (many.processor - few.processor) / count
            start = few.wall - FEW * each
            print(f"{' '.join(way):<18}{start:>7.2f} s{1000 * each:>11.1f} ms{1000 * used:>11.1f} ms", flush=True)


def speed(count: int) -> bool:
    """Print how much faster two processes are for each language; tell whether they print the same."""
    same = True
    print(f"{'language':<12}{'-j 1':>9}{'-j 2':>9}{'faster':>9}{'expected':>10}  same bytes")
    for language, file, command in SMALL:
        with tempfile.TemporaryDirectory() as folder:
            names = copies(EXAMPLES / file, folder, count)
            start = measure(command, WAYS[0], names[:1]).processor
            one, two = (measure(command, way, names) for way in WAYS[:2])
        equal = one.printed == two.printed
        same &= equal
        expected = one.processor / (start + (two.processor - start) / 2)
        print(
            f"{language:<12}{one.wall:>7.2f} s{two.wall:>7.2f} s{one.wall / two.wall:>9.2f}{expected:>10.2f}  {equal}",
            flush=True,
        )
    return same


def main() -> int:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=EXAMPLES / "figure1.bp")
    parser.add_argument("--files", type=int, help="how many (default: 200, and 500 with --speed)")
    parser.add_argument("--speed", action="store_true", help="two processes against one, for each language")
    options = parser.parse_args()
    if options.speed:
        return 0 if speed(options.files or 500) else 1
    prices(options.file, options.files or 200)
    return 0


if __name__ == "__main__":
    sys.exit(main())
