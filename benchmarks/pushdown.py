"""Saturation of large pushdown systems: rules per second, memory, growth; the transitions must be the known ones.

python -m benchmarks.pushdown                         10^4, 10^5 and 10^6 rules, about a minute
python -m benchmarks.pushdown --rules 100000 --reference

The systems are program-like: four global valuations, each normal or just returned; procedures of 20 nodes; a node steps
to one of the next three (80 %) or calls, with a way round the call; the exit node pops.  The time of a run is that of
one call, the rules being loaded as flat arrays already; indexing them is part of it.  Every run has a process of its
own, so that its memory can be told.  On a busy machine the processor time says more than the wall time.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.harness import growth_exponent, machine
from benchmarks.table import seconds, table
from knaster.pushdown import kernel_calls as compiled
from knaster.pushdown.domains.boolean import Boolean
from knaster.pushdown.domains.minpath import MinPath
from knaster.pushdown.numbering import NONE, NumberedAutomaton, RuleTable, columns, integers
from knaster.pushdown.saturation.least import LeastSolution
from knaster.pushdown.saturation.productions import Triple, saturate_post, saturate_pre
from knaster.pushdown.system import PushdownSystem, Rule

VALUES, NODES, SEED = 4, 20, 1
SIZES = (10_000, 100_000, 1_000_000)
KNOWN = {  # transitions, also found by WALi where it was measured (10^6 rules)
    (10_000, "post"): 5_011,
    (100_000, "post"): 56_526,
    (1_000_000, "post"): 585_071,
    (10_000, "pre"): 15_465,
    (100_000, "pre"): 153_371,
    (1_000_000, "pre"): 1_554_613,
}
HEADER = ("task", "rules", "transitions", "best s", "CPU s", "M rules/s", "M rules/CPU s", "added MB", "right")


def rows(wanted: int, seed: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield the rules (p, g, p', first, second) of the random system with about `wanted` rules."""
    rng = random.Random(seed)
    count = procedures(wanted)
    for procedure in range(count):
        for node in range(NODES):
            here = procedure * NODES + node
            calls = node < NODES - 1 and rng.random() < 0.2
            entry = (procedure + rng.randrange(1, 40)) % count * NODES
            following = procedure * NODES + min(NODES - 1, node + rng.randrange(1, 4))
            for value in range(VALUES):
                other = rng.randrange(VALUES) if rng.random() < 0.3 else value
                if node == NODES - 1:
                    yield value, here, value + VALUES, NONE, NONE
                elif calls:
                    yield value, here, other, entry, here
                    yield value + VALUES, here, value, following, NONE
                    yield value, here, other, following, NONE
                else:
                    yield value, here, other, following, NONE


def procedures(wanted: int) -> int:
    """Return the number of procedures of the system with about `wanted` rules."""
    return max(2, wanted // (NODES * VALUES + 2 * NODES * VALUES // 5))


def random_table(wanted: int, seed: int) -> RuleTable:
    """Return the random system as flat arrays."""
    parts = tuple(integers() for _ in range(5))
    for row in rows(wanted, seed):
        for column, value in zip(parts, row, strict=True):
            column.append(value)
    return RuleTable.numbered(2 * VALUES, procedures(wanted) * NODES, parts)


def one_configuration(rules: RuleTable, state: int, symbol: int) -> NumberedAutomaton[Any]:
    """Return the automaton that accepts <state, symbol> only."""
    states = rules.states.copy()
    accept = states.number("accept")
    controls = len(rules.states.names)
    edge = integers([state]), integers([symbol]), integers([accept])
    return NumberedAutomaton(*edge, [True], frozenset({accept}), controls, states, rules.symbols)


@dataclass(frozen=True, slots=True)
class Result:
    """One task on one system: best wall and processor time, transitions, memory beyond the loaded system."""

    task: str
    rules: int
    transitions: int
    wall: float
    cpu: float
    megabytes: float


def measure(task: str, wanted: int, repeats: int) -> Result:
    """Return what a task costs in this process: a direction, and `lengths` or `reference` with it."""
    direction, *options = task.split()
    rules = random_table(wanted, SEED)
    start = (
        one_configuration(rules, 0, 0)
        if direction == "post"
        else one_configuration(rules, 7, len(rules.symbols.names) - 1)
    )
    call = _reference_call(rules, start, direction) if "reference" in options else _kernel_call(rules, start, task)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    best, used, transitions = float("inf"), float("inf"), 0
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        transitions = call()
        best = min(best, time.perf_counter() - wall)
        used = min(used, time.process_time() - cpu)
    added = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return Result(task, len(rules), transitions, best, used, added / 1024)


def _kernel_call(rules: RuleTable, start: NumberedAutomaton[Any], task: str) -> Any:
    lengths = array("q", [1]) * len(rules) if "lengths" in task else None
    edges = array("q", [0]) if "lengths" in task else None

    def call() -> int:
        found = compiled.saturate(rules, start, backward=task.startswith("pre"), lengths=lengths, edge_lengths=edges)
        return 0 if found is None else len(found.source)

    return call


def _reference_call(rules: RuleTable, start: NumberedAutomaton[Any], direction: str) -> Any:
    names = zip(*columns(rules), strict=True)
    given = tuple(Rule(p, g, to, tuple(s for s in (a, b) if s != NONE), True) for p, g, to, a, b in names)
    system = PushdownSystem(Boolean(), given, given, tuple(range(len(given))), rules)

    def call() -> int:
        relation: LeastSolution[Triple, bool] = LeastSolution(system.domain)
        (saturate_post if direction == "post" else saturate_pre)(system, start, relation)
        return len(relation)

    return call


def measure_apart(task: str, wanted: int, repeats: int) -> Result:
    """Return what a task costs in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.pushdown",
        "--only",
        task,
        "--rules",
        str(wanted),
        "--repeats",
        str(repeats),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return Result(**json.loads(done.stdout))


def report(sizes: Sequence[int], tasks: Sequence[str], repeats: int) -> tuple[str, int]:
    """Return the table of all tasks and sizes, growth included, and the number of wrong results."""
    wrong = 0
    lines: list[list[str]] = []
    growth: list[str] = []
    for task in tasks:
        results = [measure_apart(task, wanted, repeats) for wanted in sizes]
        for wanted, result in zip(sizes, results, strict=True):
            known = KNOWN.get((wanted, task.split()[0]), result.transitions)
            right = known == result.transitions
            wrong += not right
            lines.append(_line(result, right))
        time_growth = growth_exponent([(result.rules, result.cpu) for result in results])
        memory_growth = growth_exponent([(result.rules, result.megabytes) for result in results])
        if time_growth is not None and memory_growth is not None:
            growth.append(f"- {task}: CPU time grows with exponent {time_growth:.2f}, memory with {memory_growth:.2f}")
    return "\n".join([table(HEADER, lines), "", *growth]), wrong


def _line(result: Result, right: bool) -> list[str]:
    rate = result.rules / result.wall / 1e6
    return [
        result.task,
        f"{result.rules:,}",
        f"{result.transitions:,}",
        seconds(result.wall),
        seconds(result.cpu),
        f"{rate:.2f}",
        f"{result.rules / result.cpu / 1e6:.2f}",
        f"{result.megabytes:.0f}",
        "yes" if right else "NO",
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; return 1 where a number of transitions is not the known one."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pushdown", description="Measure saturation.")
    parser.add_argument("--rules", type=int, nargs="+", default=list(SIZES), metavar="N", help="sizes of the systems")
    parser.add_argument("--repeats", type=int, default=5, metavar="K", help="calls of each task; the best one counts")
    parser.add_argument("--reference", action="store_true", help="measure the Python reference as well")
    parser.add_argument("--only", metavar="TASK", help="one task in this process, as JSON")
    options = parser.parse_args(arguments)
    if options.only:
        print(json.dumps(asdict(measure(options.only, options.rules[0], options.repeats))))
        return 0
    tasks = ["post", "pre", "post lengths", "pre lengths"] if compiled.is_available() else []
    if options.reference or not tasks:
        tasks += ["post reference", "pre reference"]
    text, wrong = report(options.rules, tasks, options.repeats)
    print(f"{machine()}; lengths: {type(MinPath()).__name__} with 1 for every rule\n\n{text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
