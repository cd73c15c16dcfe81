"""How long the methods for threads take on the Bluetooth driver, in seconds of processor time; prints a table.

    python benchmarks/threads.py ../shared/models/bluetooth_2a2s.bp 4 lazy calculus eager

Each number of switches is a run of its own, and every engine is asked for exactly that number.
"""

from __future__ import annotations

import sys
import time

from knaster.base.limits import Budget
from knaster.decide.asked import Evidence
from knaster.decide.check import run_engine
from knaster.decide.choose import Method
from knaster.engines.table import ENGINES, make_options
from knaster.evidence.questions.question import Bound, Reach
from knaster.evidence.questions.targets import resolve_targets
from knaster.frontends.languages import load


def main(file: str, most: int, engines: list[str]) -> None:
    """Print one line for each engine and number of switches."""
    program = load(file)
    targets = resolve_targets(program, None)
    for name in engines:
        for number in range(1, most + 1):
            started = time.process_time()
            question = Reach(targets, Bound("switches", number))
            engine, nothing = ENGINES[name], Evidence(traces=False, proofs=False)
            method = Method(name, engine, make_options(name, {}))
            result = run_engine(method, program, question, Budget(), nothing)
            seconds, nodes = time.process_time() - started, result.stats.get("bdd_nodes", result.stats.get("nodes", 0))
            final = f"  final set {result.stats['reach_nodes']}" if "reach_nodes" in result.stats else ""
            sys.stdout.write(
                f"{name:8} {number} switches  {seconds:7.2f} s  {nodes:>10} nodes{final}  {result.reason}\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
