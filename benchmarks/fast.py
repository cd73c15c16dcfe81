"""Path expressions against priority-ordered saturation, and edits against starting over, on generated graphs.

The three applications of Lal's thesis (2009), section 4.3: affine relations at all branching nodes, the tour that
touches the most of some nodes (BTRACE), and relations of Boolean variables at an error.  Saturation runs twice, in
breadth-first order of the graph as in the thesis and callees first in reverse post-order; the speed-up is against the
faster of the two.  "full" computes the weights of all transitions.

python -m benchmarks.fast                           all families, about fifteen minutes
python -m benchmarks.fast relations --sizes 10000   one family, some sizes
python -m benchmarks.fast --edits                   incremental against scratch only
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import and_, or_, xor
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.graphs import Arrow, Graph, generate
from benchmarks.harness import machine
from benchmarks.table import seconds, table
from knaster.bdd.store import Store
from knaster.pushdown.automaton import Automaton, single
from knaster.pushdown.domains.affine import AffineRelations
from knaster.pushdown.domains.relations import BddRelation, BddRelations
from knaster.pushdown.domains.touched_nodes import Touching
from knaster.pushdown.fast.session import Session
from knaster.pushdown.merge import projecting_merge
from knaster.pushdown.saturation.answer import Answer
from knaster.pushdown.saturation.query import weight_at
from knaster.pushdown.solve import post_star
from knaster.pushdown.system import PushdownSystem, Rule

OUT = Path(__file__).with_name("out")
HEADER = ("nodes", "procedures", "breadth first s", "callees first s", "fast full s", "fast s", "speed-up")
EDIT_HEADER = ("nodes", "procedures", "edits", "recomputed", "incremental s", "scratch s", "speed-up")


@dataclass(frozen=True, slots=True)
class Problem:
    """A system and the nodes whose weights are asked for."""

    system: PushdownSystem[Any]
    graph: Graph
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """An application: how a graph becomes a problem, and the sizes (nodes, procedures) to measure."""

    title: str
    problem: Callable[[Graph, Random], Problem]
    sizes: tuple[tuple[int, int], ...]


class Collecting(BddRelations):
    """Relations that throw garbage away when their store is half full."""

    def extend(self, first: BddRelation, second: BddRelation) -> BddRelation:
        """Return the composition."""
        self.store.collect()
        return super().extend(first, second)


def _system(graph: Graph, domain: Any, weight: Callable[[Arrow], Any], call: Any, project: Any = None) -> Any:
    rules = []
    for body in graph.bodies:
        for arrow in body.arrows:
            if arrow.kind == "call":
                merge = projecting_merge(domain, call, project) if project else None
                push = (graph.bodies[arrow.callee].entry, arrow.target)
                rules.append(Rule("p", arrow.source, "p", push, call, merge))
            else:
                rules.append(Rule("p", arrow.source, "p", (arrow.target,), weight(arrow)))
        rules.append(Rule("p", body.exit, "p", (), domain.one))
    return PushdownSystem.of(domain, rules)


def affine(graph: Graph, random: Random) -> Problem:
    """Affine relations between three variables, at all branching nodes."""
    names = ["x", "y", "z"]
    domain = AffineRelations(names)
    statements = [domain.one] * 6
    for _ in range(40):
        name, other = random.choice(names), random.choice(names)
        value = random.choice([random.randint(0, 4), (random.randint(-2, 2), {other: 1}), (1, {name: 1}), None])
        statements.append(domain.assign({name: value}))

    def weight(arrow: Arrow) -> Any:
        return domain.one if arrow.kind == "branch" else random.choice(statements)

    return Problem(_system(graph, domain, weight, domain.one), graph, tuple(graph.branches()))


def touching(graph: Graph, random: Random) -> Problem:
    """The shortest path to the end of main that touches the most of some nodes."""
    nodes = random.sample(range(graph.nodes), 5)
    domain = Touching(nodes)
    step = domain.step(-1)
    critical = {node: domain.step(node) for node in nodes}
    problem = _system(graph, domain, lambda arrow: critical.get(arrow.source, step), step)
    return Problem(problem, graph, (graph.bodies[0].exit,))


def relations(graph: Graph, random: Random) -> Problem:
    """Boolean programs with globals and locals: the valuations at an error in the middle of the program."""
    shared, own = [f"g{i}" for i in range(5)], [f"l{i}" for i in range(4)]
    domain = Collecting(shared + own, Store(3 * len(shared + own), 1 << 24))

    def expression() -> Any:
        value = domain.variable(random.choice(shared + own))
        for _ in range(random.randint(0, 2)):
            other = domain.variable(random.choice(shared + own))
            value = random.choice((and_, or_, xor))(value, other)
        return value

    statements = [domain.one] * 40
    statements += [domain.assign({random.choice(shared + own): expression()}) for _ in range(100)]
    statements += [domain.assign({random.choice(shared + own): None}) for _ in range(8)]
    conditions = [(domain.assume(e), domain.assume(~e)) for e in (expression() for _ in range(60))]
    other_side: dict[int, Any] = {}

    def weight(arrow: Arrow) -> Any:
        if arrow.kind == "step":
            return random.choice(statements)
        if arrow.source in other_side:
            return other_side[arrow.source]
        here, there = random.choice(conditions) if random.random() < 0.7 else (domain.one, domain.one)
        other_side[arrow.source] = there
        return here

    call = domain.assign(dict.fromkeys(own))
    system = _system(graph, domain, weight, call, domain.projection(own))
    return Problem(system, graph, (graph.bodies[len(graph.bodies) // 2].exit,))


LARGE = ((10_000, 100), (30_000, 400), (100_000, 1_000), (200_000, 3_000))
FAMILIES = {
    "affine": Family("Affine relations at all branching nodes", affine, LARGE),
    "touching": Family("The tour that touches the most nodes", touching, LARGE),
    "relations": Family("Relations of Boolean variables at an error", relations, LARGE),
}


def breadth_first(graph: Graph) -> dict[int, int]:
    """Return the nodes in breadth-first order, calls and returns taken as edges."""
    entry = [body.entry for body in graph.bodies]
    after: dict[int, list[int]] = {}
    for body in graph.bodies:
        for arrow in body.arrows:
            if arrow.kind == "call":
                after.setdefault(arrow.source, []).append(entry[arrow.callee])
                after.setdefault(graph.bodies[arrow.callee].exit, []).append(arrow.target)
            else:
                after.setdefault(arrow.source, []).append(arrow.target)
    found = [entry[0]]
    rank = {entry[0]: 0}
    for node in found:
        for target in after.get(node, ()):
            if target not in rank:
                rank[target] = len(rank)
                found.append(target)
    return rank


def callees_first(graph: Graph) -> dict[int, int]:
    """Return the nodes procedure by procedure, callees first, in the order in which they are written."""
    rank: dict[int, int] = {}
    for body in reversed(graph.bodies):
        for node in range(body.entry, body.exit + 1):
            rank[node] = len(rank)
    return rank


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of an action, and what it returned."""
    start = time.process_time()
    outcome = action()
    return time.process_time() - start, outcome


def plain(problem: Problem, order: Callable[[Graph], dict[int, int]]) -> list[Any]:
    """Return the asked weights by saturation in an order of the nodes; a return comes before anything else."""
    rank = order(problem.graph)
    answer = post_star(problem.system, _start(problem), priority=lambda p, node, q: rank.get(node, -1))  # type: ignore[call-overload]
    return _weights(answer, problem)


def fast(problem: Problem) -> list[Any]:
    """Return the asked weights by path expressions."""
    return _weights(post_star(problem.system, _start(problem), engine="fast"), problem)


def full(problem: Problem) -> list[Any]:
    """Return the weights of all transitions by path expressions."""
    return list(post_star(problem.system, _start(problem), engine="fast").weight)


def _start(problem: Problem) -> Automaton[Any]:
    return single("p", problem.graph.bodies[0].entry)


def _weights(answer: Answer[Any], problem: Problem) -> list[Any]:
    return [weight_at(answer, node) for node in problem.nodes]


METHODS: dict[str, Callable[[Problem], list[Any]]] = {
    "fast": fast,
    "full": full,
    "callees first": lambda problem: plain(problem, callees_first),
    "breadth first": lambda problem: plain(problem, breadth_first),
}


def measure(family: Family, nodes: int, procedures: int, repeats: int = 1) -> tuple[list[str], float]:
    """Return a row of the table and the speed-up, both of the best times; raise where the answers differ."""
    small = family.problem(generate(300, 4), Random(1))
    plain(small, breadth_first), full(small)  # what is imported at first use is not measured
    graph = generate(nodes, procedures)
    times: dict[str, float] = {}
    for name, action in [*METHODS.items()] * repeats:
        problem = family.problem(graph, Random(nodes))  # a new one: nobody finds what another one left in a cache
        gc.collect()
        needed, outcome = timed(lambda action=action, problem=problem: action(problem))  # type: ignore[misc]
        times[name] = min(needed, times.get(name, needed))
        if name != "full" and outcome != fast(problem):
            raise SystemExit(f"{family.title}, {nodes} nodes: the answers differ")
        del problem, outcome
    speed_up = min(times["callees first"], times["breadth first"]) / times["fast"]
    shown = [seconds(times[name]) for name in ("breadth first", "callees first", "full", "fast")]
    return [str(graph.nodes), str(procedures), *shown, f"{speed_up:.2f}"], speed_up


def measure_edits(nodes: int, procedures: int, edits: int) -> tuple[list[str], float]:
    """Delete a procedure's body, put it back, and answer again; compare with answering from scratch (Table 4.4)."""
    problem = touching(generate(nodes, procedures), Random(nodes))
    bodies: dict[int, list[Rule[Any]]] = {}
    for rule in problem.system.given:
        bodies.setdefault(_procedure_of(problem.graph, rule), []).append(rule)
    scratch, _ = timed(lambda: _ask(Session(problem.system), problem))
    session = Session(problem.system)
    expected = _ask(session, problem)
    incremental, recomputed = [], []
    for number in Random(7).sample(range(1, procedures), min(edits, procedures - 1)):
        session.edit(remove=bodies[number])
        _ask(session, problem)
        needed, answer = timed(lambda number=number: _edit_and_ask(session, problem, bodies[number]))  # type: ignore[misc]
        if answer != expected:
            raise SystemExit("an edit and its inverse changed the answer")
        if len(session.explain().procedures) > 1:
            incremental.append(needed)
            recomputed.append(len(session.explain().procedures))
    mean = statistics.fmean(incremental)
    row = [str(problem.graph.nodes), str(procedures), str(len(incremental)), f"{statistics.fmean(recomputed):.0f}"]
    return [*row, seconds(mean), seconds(scratch), f"{scratch / mean:.2f}"], scratch / mean


def _procedure_of(graph: Graph, rule: Rule[Any]) -> int:
    low, high = 0, len(graph.bodies) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if graph.bodies[middle].entry <= rule.symbol:  # type: ignore[operator]
            low = middle
        else:
            high = middle - 1
    return low


def _ask(session: Session[Any], problem: Problem) -> list[Any]:
    session.post(_start(problem))
    return [session.at(node) for node in problem.nodes]


def _edit_and_ask(session: Session[Any], problem: Problem, rules: Sequence[Rule[Any]]) -> list[Any]:
    session.edit(add=rules)
    return [session.at(node) for node in problem.nodes]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the chosen families and print their tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fast", description=__doc__.splitlines()[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="nodes, one procedure for every 100 of them")
    parser.add_argument("--repeats", type=int, default=1, metavar="N", help="take the best of N runs of each engine")
    parser.add_argument("--edits", action="store_true", help="only compare edits with starting over")
    options = parser.parse_args(arguments)
    sections = [f"# Path expressions\n\n{machine()}. Processor time, best of {options.repeats}."]
    for name in [] if options.edits else options.families or list(FAMILIES):
        family = FAMILIES[name]
        sizes = [(size, max(2, size // 100)) for size in options.sizes] if options.sizes else family.sizes
        rows, speed_ups = [], []
        for nodes, procedures in sizes:
            row, speed_up = measure(family, nodes, procedures, options.repeats)
            rows.append(row)
            speed_ups.append(speed_up)
            print(name, *row, flush=True)
        mean = f"Mean speed-up {statistics.fmean(speed_ups):.2f}."
        sections.append(f"## {family.title}\n\n{table(HEADER, rows)}\n\n{mean}")
    if options.edits or not options.families:
        sizes = [(size, max(2, size // 100)) for size in options.sizes] if options.sizes else LARGE
        measured = [measure_edits(nodes, procedures, 40) for nodes, procedures in sizes]
        mean = f"Mean speed-up {statistics.fmean(speed_up for _, speed_up in measured):.2f}."
        rows = [row for row, _ in measured]
        sections.append(f"## A procedure put back: incremental against scratch\n\n{table(EDIT_HEADER, rows)}\n\n{mean}")
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "fast.md").write_text("\n\n".join(sections) + "\n", encoding="utf-8")
    print("\n\n".join(sections))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
