"""The three algorithms of the calculus beside each other: processor time and rounds on the families.

python -m benchmarks.algorithms                        everything, a few minutes
python -m benchmarks.algorithms template --sizes 50 100
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

import knaster
from benchmarks.checker import OUT
from benchmarks.families import FAMILIES, TARGET
from benchmarks.harness import growth_exponent, machine
from benchmarks.table import seconds, table
from knaster.decide.asked import Evidence
from knaster.engines.calculus.system import ALGORITHMS

SIZES = {
    "template": (10, 50, 100, 200, 400),
    "even-odd": (4, 6, 8),
    "mccarthy": (4, 6, 7),
    "ackermann": (2, 3),
    "tree-walk": (4, 6, 8),
    "mutual": (3, 4, 5),
    "variables": (20, 30),
    "driver": (1000,),
}
HEADER = ("program", *(f"{name} s" for name in ALGORITHMS), *(f"{name} rounds" for name in ALGORITHMS), "fastest")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every algorithm on the chosen families; return 1 where an answer is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.algorithms", description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(SIZES))
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N")
    parser.add_argument("--timeout", type=float, default=60.0, metavar="S", help="for each run (default: 60)")
    options = parser.parse_args(arguments)
    rows: list[list[str]] = []
    wrong = 0
    growth: list[str] = []
    for name in options.families or SIZES:
        family = FAMILIES[name]
        times: dict[str, list[float]] = {algorithm: [] for algorithm in ALGORITHMS}
        sizes = options.sizes or SIZES[name]
        for size in sizes:
            row, measured, mistakes = _row(family.instance(size).text, options.timeout)
            rows.append([f"{family.title}, {size} {family.unit}", *row])
            wrong += mistakes
            for algorithm, value in measured.items():
                times[algorithm].append(value)
            print(" | ".join(rows[-1]), flush=True)
        if name == "template" and len(sizes) > 2:
            for algorithm, spent in times.items():
                exponent = growth_exponent([(float(n), t) for n, t in zip(sizes, spent, strict=True)])
                growth.append(f"- {algorithm}: the time of T(N) grows with exponent {exponent:.2f}")
    text = "\n".join(["# The algorithms of the calculus", "", machine(), "", table(HEADER, rows), "", *growth, ""])
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "algorithms.md").write_text(text)
    print(text)
    return 1 if wrong else 0


def _row(text: str, timeout: float) -> tuple[list[str], dict[str, float], int]:
    """Return the cells of one program, the times, and the number of wrong answers (ERROR is unreachable)."""
    spent: dict[str, float] = {}
    rounds: list[str] = []
    wrong = 0
    for algorithm in ALGORITHMS:
        started = time.process_time()
        result = knaster.check(
            text,
            TARGET,
            engine="calculus",
            algorithm=algorithm,
            evidence=Evidence(traces=False, proofs=False),
            limits=knaster.Limits(timeout),
        )
        used = time.process_time() - started
        unknown = result.verdict is knaster.Verdict.UNKNOWN
        wrong += result.verdict is knaster.Verdict.FALSE
        spent[algorithm] = float("inf") if unknown else used
        rounds.append(str(result.stats.get("rounds", "")))
    cells = [seconds(value) if value < float("inf") else "limit" for value in spent.values()]
    return [*cells, *rounds, min(spent, key=spent.__getitem__)], spent, wrong


if __name__ == "__main__":
    sys.exit(main())
