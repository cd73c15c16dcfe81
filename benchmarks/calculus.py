"""Measure the fixed-point calculus: the muCKE collection against muCKE's own times, and T(N) for growing N.

    python -m benchmarks.calculus [--strategy frontier|together|plain] [--only TEXT] [--growth]

Seconds are processor time of one evaluation in this process, reading included, start of Python excluded; muCKE's are in
expected.json.  Only the ratio of the sums is meant to be compared: the machines differ.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from knaster.calculus import Session, parse
from knaster.calculus.fixpoints.fixpoint import STRATEGIES

SUITE = Path(__file__).resolve().parents[1] / "../shared/benchmarks/mucke"


def solve(text: str, file: str, strategy: str) -> tuple[float, Session]:
    """Return the seconds and the session of one evaluation."""
    started = time.process_time()
    session = Session(parse(text, file=file), strategy=strategy)
    for _ in session.answers():
        pass
    return time.process_time() - started, session


def suite(strategy: str, only: str) -> None:
    """Print the seconds of every file that muCKE answers, the slowest first, and the sums."""
    expected: dict[str, Any] = json.loads((SUITE / "expected.json").read_text("utf-8"))
    rows: list[tuple[float, float, str, Session]] = []
    for name, entry in expected.items():
        if entry["status"] == "ok" and only in name:
            seconds, session = solve((SUITE / name).read_text("utf-8"), str(SUITE / name), strategy)
            rows.append((seconds, entry["mucke_seconds"], name, session))
    print(f"{'file':44} {'ours':>8} {'muCKE':>8} {'rounds':>8} {'variables':>9}")
    for seconds, theirs, name, session in sorted(rows, key=lambda row: -max(row[0], row[1]))[:25]:
        numbers = session.statistics
        print(f"{name:44} {seconds:8.2f} {theirs:8.2f} {numbers['rounds']:8} {numbers['bdd_variables']:9}")
    ours, theirs = sum(row[0] for row in rows), sum(row[1] for row in rows)
    print(f"{len(rows)} files, strategy {strategy}: {ours:.1f} s, muCKE {theirs:.1f} s, ratio {ours / theirs:.2f}")


def tower(depth: int) -> str:
    """Return T(N), the file of the collection with N = 10 widened to `depth` modules."""
    lines: list[str] = []
    for line in (SUITE / "tn" / "T10_bug.mu").read_text("utf-8").splitlines():
        if not line.startswith(" | (p=5 | p=6) & m="):
            lines.append(line.replace("{0..10}", f"{{0..{depth}}}").replace("m!=10", f"m!={depth}"))
            lines[-1] = lines[-1].replace("m=10", f"m={depth}")
        elif line.startswith(" | (p=5 | p=6) & m=1 "):
            lines += [f" | (p=5 | p=6) & m={m} & u={m + 1}" for m in range(1, depth)]
    return "\n".join(lines)


def growth(strategy: str) -> None:
    """Print the seconds and rounds of T(N)."""
    print(f"{'N':>6} {'seconds':>8} {'rounds':>8} {'ms per N':>9}")
    for depth in (10, 50, 100, 200, 400, 800):
        seconds, session = min((solve(tower(depth), f"T({depth})", strategy) for _ in range(3)), key=lambda run: run[0])
        print(f"{depth:6} {seconds:8.3f} {session.statistics['rounds']:8} {1000 * seconds / depth:9.2f}")


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategy", choices=STRATEGIES, default="frontier")
    parser.add_argument("--only", default="", help="only files whose name contains this")
    parser.add_argument("--growth", action="store_true", help="T(N) instead of the collection")
    arguments = parser.parse_args()
    if arguments.growth:
        growth(arguments.strategy)
    else:
        suite(arguments.strategy, arguments.only)


if __name__ == "__main__":
    main()
