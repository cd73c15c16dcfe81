"""What the commands have in common that compare random programs: pieces by number, until the time is spent."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator


def arguments(about: str | None) -> argparse.ArgumentParser:
    """Return what every such command about programs can be told."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1, help="the number of the first program")
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=150.0)
    return parser


def numbers(first: int, most: int, seconds: float) -> Iterator[int]:
    """Yield so many numbers, fewer where the time is spent before."""
    end = time.monotonic() + seconds
    for number in range(first, first + most):
        if time.monotonic() >= end:
            return
        yield number


def compare(options: argparse.Namespace, count: Counter[str], wrong: Callable[[int], str]) -> int:
    """Say what is wrong with each program of a piece, and what was counted; return 1 where something is wrong."""
    failed, last = 0, options.first - 1
    for last in numbers(options.first, options.programs, options.seconds):
        if found := wrong(last):
            failed += 1
            say(f"program {last}:\n{found}")
    say(f"programs {options.first} .. {last}: {failed} failures, {time.process_time():.0f} s of processor time")
    for what, times in sorted(count.items()):
        say(f"  {what}: {times}")
    return 1 if failed else 0


def say(text: str) -> None:
    """Print a line at once: these commands run for hours."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
