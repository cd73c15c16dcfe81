"""Tables and curves of Lal's thesis on programs of today: merge functions, projections, threads.

    python -m benchmarks.thesis precision FILE.c...
    python -m benchmarks.thesis projections [--nodes N]...
    python -m benchmarks.thesis threads [--seconds S] [--engine lazy|eager]

Table 3.1: branches at which an affine equation is known, without merge functions (WPDS) and with them (EWPDS), and
those at which more is known.  Table 5.1: nodes, the part of them that is in the error projection, and processor seconds
of post*, pre*, the functional automaton and double-pre*, on random systems over relations.  Figure 7.7: the driver
without its bugs with 2 to 9 threads at 4 contexts each, and with 3 threads at 1 to 9 contexts each, until one takes too
long.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from knaster import check
from knaster.frontends.languages import load
from knaster.program.model import Assume, Call, Program
from knaster.pushdown.automaton import Automaton, single, starting_with
from knaster.pushdown.domains.bitmatrix import BitRelation, BitRelations
from knaster.pushdown.projections.double_pre import nodes_by_double_pre
from knaster.pushdown.projections.error_projection import project
from knaster.pushdown.solve import post_star, pre_star
from knaster.pushdown.system import PushdownSystem, Rule
from knaster.views.weighted.program_facts import AffineFacts

T = TypeVar("T")
DRIVER = Path(__file__).resolve().parents[1] / "examples" / "threads" / "driver-fixed.bp"


@dataclass(frozen=True, slots=True)
class Precision:
    """A row of Table 3.1: counts of a program, and branches with useful information."""

    procedures: int
    branches: int
    calls: int
    plain: int
    extended: int
    improved: int


def compare_precision(program: Program) -> Precision:
    """Return what affine equations know at branches, without merge functions and with them."""
    plain, extended = AffineFacts(program, merges=False), AffineFacts(program)
    edges = [(own.name, edge) for own in program.procedures for edge in own.edges]
    branches = list(dict.fromkeys((name, edge.source) for name, edge in edges if isinstance(edge.action, Assume)))
    found = [(plain.at(place) or (), extended.at(place) or ()) for place in branches]
    return Precision(
        len(program.procedures),
        len(branches),
        sum(isinstance(edge.action, Call) for _, edge in edges),
        sum(bool(less) for less, _ in found),
        sum(bool(more) for _, more in found),
        sum(set(less) != set(more) for less, more in found),
    )


@dataclass(frozen=True, slots=True)
class Cost:
    """A row of Table 5.1: nodes, how many are in the projection, and processor seconds of four algorithms."""

    nodes: int
    inside: int
    post: float
    pre: float
    functional: float
    double: float


def random_system(rng: random.Random, nodes: int) -> PushdownSystem[BitRelation[int]]:
    """Return procedures of ten nodes that call each other; a step forgets, keeps or moves one of eight values."""
    domain = BitRelations(range(8))

    def weight() -> BitRelation[int]:
        return domain.relation([(value, rng.randrange(8)) for value in range(8) if rng.random() < 0.9])

    rules = []
    for number in range(nodes // 10):
        names = [f"f{number}.{at}" for at in range(10)]
        rules += [Rule("p", names[at], "p", (names[at + 1],), weight()) for at in range(9)]
        rules += [Rule("p", rng.choice(names), "p", (rng.choice(names),), weight()) for _ in range(4)]
        for callee in (2 * number + 1, 2 * number + 2):
            if callee < nodes // 10:
                rules.append(Rule("p", names[callee % 5], "p", (f"f{callee}.0", names[callee % 5 + 1]), weight()))
        rules.append(Rule("p", names[9], "p", (), domain.one))
        if rng.random() < 0.3:
            rules.append(
                Rule("p", rng.choice(names), "p", ("error",), domain.relation([(value, value) for value in range(4)]))
            )
    return PushdownSystem.of(domain, rules)


def measure(rng: random.Random, nodes: int) -> Cost:
    """Return what one system costs; both projections have to be the same."""
    system = random_system(rng, nodes)
    start: Automaton[BitRelation[int]] = single("p", "f0.0")
    end: Automaton[BitRelation[int]] = starting_with("p", "error")
    _, post = timed(lambda: post_star(system, start))
    _, pre = timed(lambda: pre_star(system, end))
    quick, functional = timed(lambda: project(system, start, end).nodes)
    slow, double = timed(lambda: tuple(nodes_by_double_pre(system, start, end)))
    if set(quick) != set(slow):
        raise AssertionError(f"projections differ: {sorted(map(str, set(quick) ^ set(slow)))}")
    return Cost(nodes, len(quick), post, pre, functional, double)


def measure_threads(counts: Sequence[tuple[int, int]], engine: str, seconds: float) -> Iterator[tuple[int, int, float]]:
    """Yield threads, contexts of each and processor seconds of the driver, until one question took so long."""
    for threads, contexts in counts:
        crew = ["main_stopper", *(["main_adder"] * (threads - 1))]
        _, spent = timed(lambda crew=crew, rounds=contexts: check(DRIVER, engine=engine, threads=crew, rounds=rounds))  # type: ignore[misc]
        yield threads, contexts, spent
        if spent > seconds:
            return


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return what a function returns, and its processor seconds."""
    before = time.process_time()
    found = work()
    return found, time.process_time() - before


def main(arguments: Sequence[str]) -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("precision", "projections", "threads"))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--engine", default="lazy", choices=("lazy", "eager"))
    parser.add_argument("files", nargs="*")
    parser.add_argument("--nodes", type=int, action="append")
    options = parser.parse_args(arguments)
    if options.table == "precision":
        print("| program | procedures | branches | calls | WPDS | EWPDS | improved |\n|---|---|---|---|---|---|---|")
        for file in options.files:
            row = compare_precision(load(file))
            counts = (row.procedures, row.branches, row.calls, row.plain, row.extended, row.improved)
            print(f"| {file} | {' | '.join(map(str, counts))} |")
    elif options.table == "threads":
        print("| threads | contexts of each | seconds |\n|---|---|---|")
        for curve in ([(n, 4) for n in range(2, 10)], [(3, k) for k in range(1, 10)]):
            for threads, contexts, spent in measure_threads(curve, options.engine, options.seconds):
                print(f"| {threads} | {contexts} | {spent:.2f} |", flush=True)
    else:
        print("| nodes | in the projection | post* | pre* | functional | double-pre* |\n|---|---|---|---|---|---|")
        for nodes in options.nodes or (100, 200, 400):
            cost = measure(random.Random(nodes), nodes)
            times = (cost.post, cost.pre, cost.functional, cost.double)
            print(f"| {cost.nodes} | {cost.inside} | {' | '.join(f'{each:.2f} s' for each in times)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
