"""Facts of generated C programs: processor seconds to read them and to tell what holds at every line, and the growth.

    python -m benchmarks.facts [--domain affine] [--functions N]...

A function has sixteen lines, nine variables in scope, a loop, a branch and a call of the one before it; every tenth
calls nobody, and `main` calls those before such a one and the last.  Sizes are run in turn, three times, and the best
of each counts.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from typing import NamedTuple

import knaster
from benchmarks.harness import growth_exponent

SIZES = (80, 160, 320, 640)  # the last one has 10,000 lines
ROUNDS = 3


class Cost(NamedTuple):
    """Processor seconds of one program."""

    lines: int
    reading: float
    facts: float


def program(functions: int) -> str:
    """Return a program of so many functions."""
    parts = ["int g, h;"]
    for number in range(functions):
        call = f"f{number - 1}(a, g)" if number % 10 else "a + h"
        parts.append(
            f"int f{number}(int x, int y) {{\n  int a, b, c, i;\n  a = 2 * x + {number % 7};\n  b = a - y;\n  i = 0;\n"
            f"  while (i < 10) {{\n    a = a + 2;\n    i = i + 1;\n  }}\n  c = {call};\n"
            "  if (b > c)\n    g = g + 3;\n  else\n    h = g - h;\n  return a + b + c;\n}"
        )
    calls = "\n".join(
        f"  g = f{number}(g, h);" for number in range(functions) if number % 10 == 9 or number == functions - 1
    )
    return "\n".join([*parts, f"int main(void) {{\n{calls}\n  return g;\n}}\n"])


def measure(functions: int, domain: str) -> Cost:
    """Return what one program costs."""
    text = program(functions)
    start = time.process_time()
    read = knaster.parse(text, file="facts.c")
    between = time.process_time()
    knaster.facts(read, domain)
    return Cost(text.count("\n"), between - start, time.process_time() - between)


def main(given: Sequence[str] | None = None) -> int:
    """Print a row for each size, and the exponent."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--domain", default="affine")
    parser.add_argument("--functions", type=int, action="append")
    options = parser.parse_args(given)
    sizes = options.functions or list(SIZES)
    rows = [[measure(size, options.domain) for size in sizes] for _ in range(ROUNDS)]
    best = [min(column, key=lambda cost: cost.reading + cost.facts) for column in zip(*rows, strict=True)]
    for cost in best:
        sys.stdout.write(f"{cost.lines:7,} lines: reading {cost.reading:.2f} s, {options.domain} {cost.facts:.2f} s\n")
    if len(best) > 1:
        exponent = growth_exponent([(cost.lines, cost.reading + cost.facts) for cost in best])
        sys.stdout.write(f"growth: exponent {exponent:.2f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
