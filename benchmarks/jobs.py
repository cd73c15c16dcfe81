"""What `-j` and `--cluster` cost, and how much faster two processes are than one.

    python -m benchmarks.jobs [FILE] [--files N]        start-up and a price for each question of figure1.bp
    python -m benchmarks.jobs --speed [--only LANGUAGE]... [--files N]
                                                        500 small files of each language: `-j 1` against `-j 2`

For the first table each way is timed (wall clock, and processor time of the command and its children) on 20 files and
on N more: the difference is the price of a question, the rest is start-up.  For the second both outputs are compared
byte by byte, and the best of three rounds counts.  `by hand` is how much faster two commands are that are started
together with half of the files each: what two processes can be on this machine.  Commands run as they do where
Knaster is installed, with compiled modules and buffered output, whatever the environment says.
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
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

FEW = 20
ROUNDS = 3
WAYS = (("-j", "1"), ("-j", "2"), ("--cluster", "local:1"), ("--cluster", "local:2"))
_SLOWER = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
_MODULES = tempfile.TemporaryDirectory()  # compiled by the first command
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


def environment(modules: str) -> dict[str, str]:
    """Return this environment without what makes an installed command slower; compiled modules are in a folder."""
    kept = {name: value for name, value in os.environ.items() if name not in _SLOWER}
    return {**kept, "PYTHONPYCACHEPREFIX": modules}


def measure(command: Sequence[str], way: Sequence[str], *shares: Sequence[str]) -> Measured:
    """Run one command, or several at once, each with its share of the files."""
    words, known = [sys.executable, "-m", "knaster", *command], environment(_MODULES.name)
    with ExitStack() as files:
        outputs = [files.enter_context(tempfile.TemporaryFile()) for _ in shares]
        before, started = os.times(), time.monotonic()
        begun = [
            subprocess.Popen([*words, *share, *way], env=known, stdout=output, stderr=subprocess.STDOUT)
            for share, output in zip(shares, outputs, strict=True)
        ]
        for process in begun:
            process.wait()
        wall, after = time.monotonic() - started, os.times()
        for output in outputs:
            output.seek(0)
        printed = b"".join(output.read() for output in outputs)
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Measured(wall, used, printed)


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


def speed(count: int, languages: Sequence[str]) -> bool:
    """Print how much faster two processes are for each language; tell whether they print the same."""
    same = True
    print(f"{'language':<12}{'-j 1':>9}{'-j 2':>9}{'faster':>9}{'by hand':>9}  same bytes")
    for language, file, command in (row for row in SMALL if row[0] in languages):
        with tempfile.TemporaryDirectory() as folder:
            names = copies(EXAMPLES / file, folder, count)
            measure(command, WAYS[0], names[:1])  # modules are compiled
            shares = ((WAYS[0], (names,)), (WAYS[1], (names,)), (WAYS[0], (names[::2], names[1::2])))
            rounds = [[measure(command, way, *share) for way, share in shares] for _ in range(ROUNDS)]
        one, two, hand = (min(column) for column in zip(*rounds, strict=True))
        equal = all(first.printed == second.printed for first, second, _ in rounds)
        same &= equal
        faster, possible = one.wall / two.wall, one.wall / hand.wall
        print(f"{language:<12}{one.wall:>7.2f} s{two.wall:>7.2f} s{faster:>9.2f}{possible:>9.2f}  {equal}", flush=True)
    return same


def main() -> int:
    """Print one of the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=EXAMPLES / "figure1.bp")
    parser.add_argument("--files", type=int, help="how many (default: 200, and 500 with --speed)")
    parser.add_argument("--only", action="append", choices=[row[0] for row in SMALL], help="of --speed, one language")
    parser.add_argument("--speed", action="store_true", help="two processes against one, for each language")
    options = parser.parse_args()
    if options.speed:
        return 0 if speed(options.files or 500, options.only or [row[0] for row in SMALL]) else 1
    prices(options.file, options.files or 200)
    return 0


if __name__ == "__main__":
    sys.exit(main())
