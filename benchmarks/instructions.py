"""Instructions of whole commands, counted by Valgrind: the same on a quiet machine and on a busy one.

python -m benchmarks.instructions                     start-up: Python alone, a small check, a small question about C
python -m benchmarks.instructions rules calls         shapes of `growth` at an eighth of their sizes, and the exponent
python -m benchmarks.instructions rules --part 1      at their own sizes; a second of processor time takes a minute

Where time grows faster than the size and instructions do not, memory is what grows: caches, pages, collisions.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Sequence

from benchmarks.growth import SHAPES, Shape, exponent_of, write
from benchmarks.table import table

VALGRIND = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")
COMMANDS = {
    "python": (sys.executable, "-c", "pass"),
    "check figure1.bp": (sys.executable, "-m", "knaster", "check", "examples/figure1.bp", "--target", "R"),
    "check shift.c": (sys.executable, "-m", "knaster", "check", "examples/c/shift.c"),
}
Counter = Callable[[Sequence[str]], int]


def count(command: Sequence[str]) -> int:
    """Return how many instructions a command takes; the first run, which may compile modules, does not count."""
    subprocess.run(command, capture_output=True, check=False)
    done = subprocess.run([*VALGRIND, *command], capture_output=True, text=True, check=False)
    return read_count(done.stderr)


def read_count(report: str) -> int:
    """Return the number of instructions in a report of cachegrind."""
    found = re.search(r"I\s+refs:\s+([\d,]+)", report)
    if found is None:
        raise RuntimeError(f"no instructions were counted:\n{report}")
    return int(found[1].replace(",", ""))


def growth(shape: Shape, part: int, counter: Counter = count) -> list[tuple[int, float]]:
    """Return sizes of a shape, each with its instructions in millions, start-up taken off."""
    sizes = [size // part for size in shape.sizes]
    start = counter(write(shape, max(2, sizes[0] // 100)))
    return [(size, (counter(write(shape, size)) - start) / 1e6) for size in sizes]


def main(arguments: Sequence[str] | None = None) -> int:
    """Count instructions of start-up, or of some shapes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.instructions", description="Count instructions.")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=", ".join(SHAPES))
    parser.add_argument("--part", type=int, default=8, metavar="K", help="sizes are divided by this (default: 8)")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.shapes if name not in SHAPES]:
        parser.error(f"no shape is called {unknown[0]}; there are {', '.join(SHAPES)}")
    if not options.shapes:
        rows = [[name, f"{count(command) / 1e6:.1f}"] for name, command in COMMANDS.items()]
        print(table(("command", "million instructions"), rows))
    for name in options.shapes:
        points = growth(SHAPES[name], options.part)
        cells = [f"{size:,}: {millions:,.1f}" for size, millions in points]
        print("  ".join([name, *cells, f"exponent {exponent_of(points):.2f}"]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
