"""Shapes of the heap against runs: random C programs over lists, no run reaches what shapes exclude.

python tests/fuzz.py lists --first 1 --programs 1000 --seconds 150
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from support.fuzz.pieces import arguments, compare
from support.generators.c_lists import random_list_program
from support.list_runs import compare_with_runs

STEPS = 60_000  # of runs


def difference(number: int, count: Counter[str]) -> str:
    """Return what differs between shapes and runs of a program; empty where nothing does."""
    text = random_list_program(Random(number), 3 + number % 6)
    try:
        excluded, reached, why = compare_with_runs(text, STEPS, 600)
    except Exception as wrong:
        return f"{wrong}\n{text}"
    count["excluded"] += excluded
    count["reached"] += reached
    count[why or "proved"] += 1
    return ""


def main(words: Sequence[str]) -> int:
    """Compare random programs until the time is spent; return 1 where something differs."""
    options, count = arguments(__doc__).parse_args(words), Counter[str]()
    return compare(options, count, lambda number: difference(number, count))
